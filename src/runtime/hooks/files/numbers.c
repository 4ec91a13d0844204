/* Descriptor numbers as objects that threads share.
 *
 * What a call on descriptor 5 does depends on what 5 refers to at that moment: nothing after
 * close(), another file after the next open(), which takes the lowest free number. The channel
 * of descriptors.h is not enough to tell: a number that another thread has closed has no
 * channel, and one that was given out again has a different one, even while the call is
 * pending. So a use of a number and a change of it by another thread are dependent, and until
 * the use is executed it is unknown what else it depends on. Such a use is treated as dependent
 * on everything. That would be too expensive for all input and output, so it applies only to
 * numbers for which a use and a change were seen that nothing orders (by the clocks of race.h,
 * as for plain memory). When that happens for the first time, the search learns the number and
 * starts over. From then on each call on this number begins with an operation that depends on
 * everything, so that no call looks up the table between two operations.
 *
 * Invariant: for a number that was not learned, every use and change by different threads was
 * ordered by synchronisation or by the table of descriptors, in every execution so far. */
#include "runtime/core/failure.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/race/race.h"

#define USES 8 /* unordered uses; if there are more, a change counts as unordered */

struct number {
    uint32_t execution;  /* the one that the other fields are of */
    uint32_t changed;    /* epoch of the last change, as in race.h; 0: before main */
    uint32_t used[USES]; /* epochs of the last uses */
    uint8_t uses;
    bool learned;
};

static struct {
    uint32_t execution;
    uint32_t noted; /* numbers of this execution in the table */
    struct number number[DESCRIPTORS_MAX];
} numbers;
LASTING_PART(numbers, numbers.number);

void numbers_begin(void)
{
    numbers.execution++;
    numbers.noted = 0;
    for (uint32_t i = 0; i < rt.board->lessons.count; i++) {
        const struct lesson *lesson = &rt.board->lessons.item[i];
        if (lesson->kind == LESSON_NUMBER && lesson->value < DESCRIPTORS_MAX)
            numbers.number[lesson->value].learned = true;
    }
}

static struct number *number_of(int fd)
{
    if (fd >= DESCRIPTORS_MAX)
        limit_reached(LIMIT_AT_DESCRIPTORS);
    if (fd < 0 || fd >= DESCRIPTORS_MAX)
        return NULL;
    struct number *number = &numbers.number[fd];
    if (number->execution != numbers.execution) {
        *number = (struct number){.execution = numbers.execution, .learned = number->learned};
        numbers.noted++;
    }
    return number;
}

static bool is_ordered(uint32_t epoch)
{
    const uint32_t *row = RACE_HOT->clock[rt.current];
    return epoch == 0 || row[epoch & ((1u << RACE_TID_BITS) - 1)] >= epoch;
}

/* Keeps only the uses that are not ordered before what the thread does now. */
static void forget_ordered(struct number *number)
{
    int left = 0;
    for (int i = 0; i < number->uses; i++)
        if (!is_ordered(number->used[i]))
            number->used[left++] = number->used[i];
    number->uses = (uint8_t)left;
}

int number_flags(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS_MAX && numbers.number[fd].learned ? OP_GLOBAL : 0;
}

void number_look(int fd, uint64_t pc)
{
    struct number *number = number_of(fd);
    if (!number)
        return;
    if (number->learned) {
        if (rt.used > 1)
            shared_change(pc);
        return;
    }
    if (!is_ordered(number->changed))
        shared_learn(LESSON_NUMBER, (uint64_t)fd);
    forget_ordered(number);
    if (number->uses < USES)
        number->used[number->uses++] = RACE_HOT->clock[rt.current][rt.current];
}

/* Two changes are operations on the table anyway. Uses that were ordered before a close() also
 * come before anything that gets the number next. */
void number_changed(int fd)
{
    struct number *number = number_of(fd);
    if (!number || number->learned)
        return;
    bool full = number->uses == USES;
    forget_ordered(number);
    if (number->uses > 0 || full)
        shared_learn(LESSON_NUMBER, (uint64_t)fd);
    number->uses = 0;
    number->changed = RACE_HOT->clock[rt.current][rt.current];
}
