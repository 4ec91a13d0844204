/* Tickets, each given out once. */
#ifndef TICKETS_H
#define TICKETS_H

int take_ticket(void);

#endif
