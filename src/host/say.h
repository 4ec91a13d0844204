/* Messages of the command itself: always on stderr, always starting with "mazur: ". */
#ifndef MAZUR_HOST_SAY_H
#define MAZUR_HOST_SAY_H

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
