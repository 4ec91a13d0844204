/* Who killed a child, as far as this can be told from outside.
 *
 * The signals that a program sends to itself are modelled (runtime/hooks/threads/signal.c), and
 * its faults are reported by the runtime. So a child that ends by SIGKILL or SIGTERM was ended
 * by somebody else: by a person, by the kernel's out-of-memory killer, by a limit on processor
 * time; SIGXCPU and SIGXFSZ come from a limit. None of them is a failure of the program. */
#ifndef MAZUR_CLI_WITNESS_H
#define MAZUR_CLI_WITNESS_H

#include <stdint.h>
#include <sys/resource.h>

#define WITNESS_TEXT 256

/* Noted before the child starts. */
struct witness {
    int64_t oom_kills; /* of the whole machine so far; -1: not known */
};

struct witness witness_open(void);
enum culprit {
    CULPRIT_PROGRAM, /* its own fault */
    CULPRIT_LIMIT,   /* a limit of the machine, or its memory */
    CULPRIT_SENDER,  /* whoever sent the signal: somebody else, or the program itself, unseen by
                        Mazur */
};

/* Who ended a child that died of this signal? `why` (WITNESS_TEXT bytes) gets the signal, the
 * likely cause and its memory, in one sentence, unless it was the program. */
enum culprit witness_judge(const struct witness *witness, int signal, const struct rusage *used,
                           char *why);

#endif
