/* States as messages: how a vector is named on another rank.
 *
 * The first word of a vector is the number of its shape, and each process numbers shapes in the
 * order in which it first sees them (code/shape.h). So before a rank uses the number of a shape
 * with another rank for the first time, it sends the definition of the shape; messages arrive
 * in order, and the receiver replaces the sender's number by its own. For the same reason, the
 * owner of a state is found from a hash of the shape's definition and of the bytes after its
 * number, which is equal on all ranks.
 *
 *      record   | shape | parent | depth | what, also | bytes behind the shape's number |
 *      or       | DEFINES | its number | … without the last one | process? | type |
 *
 * A rank keeps the vectors that it sent last in a small direct-mapped table and does not send
 * them again: a state is left out only if its owner has it. */
#ifndef MAZUR_PROMELA_WIRE_H
#define MAZUR_PROMELA_WIRE_H

#include "promela/code/shape.h"

#define WIRE_BATCH 65536u /* bytes of states in one message */
#define WIRE_WHOLE 4u     /* bytes before them: the kind of the message */

struct wire_state {
    uint32_t parent; /* the number of its predecessor, on the rank that sends */
    uint32_t depth;
    uint16_t what, also; /* how it was reached, for the search */
};

struct outgoing {
    uint8_t *bytes;
    size_t size, room;
    uint8_t *known; /* by own number of a shape: the other rank was told */
    uint32_t known_room;
    const struct shape **meaning; /* by the other rank's number: the shape here */
    uint32_t meaning_room;
};

struct wire {
    struct shapes *shapes;
    int rank, ranks;
    struct outgoing *peer; /* by rank */
    uint64_t *shape_hash;  /* by own number; 0: not computed yet */
    uint32_t shape_room;
    struct sent_state *sent;
    uint64_t spared; /* states that were not sent again */
    size_t room;     /* bytes of all buffers */
};

bool wire_init(struct wire *wire, struct shapes *shapes, int rank, int ranks);
void wire_free(struct wire *wire);
/* Equal for equal states on all ranks. */
uint64_t wire_hash(struct wire *wire, const uint8_t *vector, const struct shape *shape);
int wire_owner(const struct wire *wire, uint64_t hash);
/* Adds a state to what will be sent to that rank; unless `again`, not if it was sent lately.
 * False: no memory. */
bool wire_put(struct wire *wire, int to, uint64_t hash, const uint8_t *vector,
              const struct shape *shape, struct wire_state state);
/* … whether or not it was sent before. */
bool wire_put_always(struct wire *wire, int to, const uint8_t *vector,
                     const struct shape *shape, struct wire_state state);

/* The next record of a batch; `vector` gets the state in this rank's words, and must have room
 * for any. NULL: the batch is over. */
const struct shape *wire_take(struct wire *wire, int from, const uint8_t **at,
                              const uint8_t *end, uint8_t *vector, struct wire_state *state);

#endif
