/* The words of a command line, sorted by who gets them: the searches of the parts, the merge of
 * their results, or mazur-mpi itself. */
#ifndef MAZUR_MPI_PART_WORDS_H
#define MAZUR_MPI_PART_WORDS_H

#include "host/buffer.h"

struct part_words {
    struct text_list search; /* the command and its options, up to … */
    struct text_list rest;   /* … the program, its arguments, the sources */
    struct text_list merge;  /* options of the report */
    const char *folder;      /* --checkpoint, or NULL */
    bool resume;
};

/* False after a message. */
bool part_words_take(struct part_words *words, int argc, char **argv);
void part_words_free(struct part_words *words);

#endif
