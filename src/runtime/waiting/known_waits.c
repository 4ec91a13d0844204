/* Which reads wait, with which values: for `optimal`, which asks when it reverses a race.
 *
 *     A: turn = 1      A: turn = 2      B: wait until turn == 2
 *                        ▲                │     could B be before A's second store?
 *                        └────────────────┘     turn was 1 there: no, it waits with a 1
 *
 * Without an answer the strategy has to guess that B can, and to give up the execution in which
 * it can't: 480 of them for the 120 traces of a ticket lock. Answers are noted when a thread
 * stands at such a read, so the first guess of each kind is still made (79 of them there).
 *
 * Why an answer may be kept: whether a read looks ahead and waits depends on the thread's own
 * past and on the value of its one location (look_ahead.c). The name of a read is a hash of
 * what look_ahead.c and retry.c use of that past. */
#define XXH_INLINE_ALL
#include "runtime/waiting/known_waits.h"

#include <xxhash.h>

#include "base/hash.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/memory.h"
#include "runtime/waiting/spin.h"

#define ANSWERS (1u << 16) /* a power of two; each is found out again when it is lost */
#define WAITS   UINT64_C(1)

static uint64_t *answers; /* by the hash of name and value, the lowest bit is the answer */
LASTING_STATE(answers);

static uint64_t hash_reads(const struct thread *thread, uint64_t hash)
{
    for (uint32_t i = 0; i < thread->spin.nreads; i++) {
        const struct spin_read *read = &thread->read[i];
        uint64_t facts[] = {
            read->pc,   read->state,   read->address,  read->value,
            read->size, read->yielded, read->by_store, read->by_rmw,
        };
        hash = XXH3_64bits_withSeed(facts, sizeof facts, hash);
    }
    return hash;
}

uint64_t known_waits_name(const struct thread *thread, bool by_past, uint32_t lessons)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    if (rt.os_threads || rt.recording || rt.simplifying ||
        !calls_up.object_is_exactly(ahead->address, ahead->size))
        return 0;
    uint64_t facts[] = {
        (uint64_t)thread->slot,
        ahead->pc,
        ahead->state,
        ahead->address,
        ahead->size,
        ahead->outer,
        ahead->retries,
        ahead->yielded,
        thread_frame_end(thread),
        by_past,
        lessons,
        thread->spin.depth,
        thread->spin.lost_reads,
        thread->nframes,
    };
    uint64_t hash = XXH3_64bits(facts, sizeof facts);
    return (by_past ? hash_reads(thread, hash) : hash) | 1;
}

static uint64_t answer_key(uint64_t name, uint64_t value)
{
    return (hash_mix(name ^ hash_mix(value)) | WAITS) ^ WAITS;
}

void known_waits_note(uint64_t name, uint64_t value, bool waits)
{
    if (!name)
        return;
    if (!answers)
        answers = rt_map_table(ANSWERS * sizeof *answers);
    uint64_t key = answer_key(name, value);
    answers[(key >> 8) % ANSWERS] = key | (waits ? WAITS : 0);
}

enum wait_answer known_waits_ask(uint64_t name, uint64_t value)
{
    if (!name || !answers)
        return WAIT_UNKNOWN;
    uint64_t key = answer_key(name, value), answer = answers[(key >> 8) % ANSWERS];
    if ((answer | WAITS) != (key | WAITS))
        return WAIT_UNKNOWN;
    return answer & WAITS ? WAIT_YES : WAIT_NO;
}
