/* Lessons: the facts that a search learns about a program and starts over with, in one list.
 *
 * Why one list: an execution can be repeated only with the same lessons. So the whole list goes
 * from the search to simplification, to the recording and into the trace file, and comes back
 * whole with a simplified schedule. Each of them has exactly the lessons with which its
 * schedule was made.
 *
 * A kind is a row of lessons.def. The list is on the board (the child adds to it, the parent
 * reads it after sanitising) and uses no libc. */
#ifndef MAZUR_BOARD_LESSONS_H
#define MAZUR_BOARD_LESSONS_H

#include <stdbool.h>
#include <stdint.h>

enum lesson_kind {
#define LESSON(kind, name) LESSON_##kind,
#include "board/lessons.def"
#undef LESSON
    LESSON_KINDS
};

struct lesson {
    uint32_t kind; /* enum lesson_kind */
    uint32_t size;
    uint64_t value;
};

#define LESSONS_MOST 320 /* further lessons are dropped, and the result says so */

struct lessons {
    uint32_t count;
    uint32_t kinds; /* bit k: there is one of kind k */
    struct lesson item[LESSONS_MOST];
};

enum lesson_result { LESSON_NEW, LESSON_KNOWN, LESSON_NO_ROOM };

static inline bool lessons_have(const struct lessons *lessons, enum lesson_kind kind)
{
    return lessons->kinds >> kind & 1;
}

static inline bool lessons_full(const struct lessons *lessons)
{
    return lessons->count >= LESSONS_MOST;
}

static inline bool lesson_is(const struct lesson *lesson, enum lesson_kind kind, uint64_t value,
                             uint32_t size)
{
    return lesson->kind == kind && lesson->value == value && lesson->size == size;
}

static inline bool lessons_know(const struct lessons *lessons, enum lesson_kind kind,
                                uint64_t value, uint32_t size)
{
    if (!lessons_have(lessons, kind))
        return false;
    for (uint32_t i = 0; i < lessons->count; i++)
        if (lesson_is(&lessons->item[i], kind, value, size))
            return true;
    return false;
}

static inline enum lesson_result lessons_add(struct lessons *lessons, enum lesson_kind kind,
                                             uint64_t value, uint32_t size)
{
    if (lessons_know(lessons, kind, value, size))
        return LESSON_KNOWN;
    if (lessons_full(lessons))
        return LESSON_NO_ROOM;
    lessons->item[lessons->count++] = (struct lesson){kind, size, value};
    lessons->kinds |= UINT32_C(1) << kind;
    return LESSON_NEW;
}

#endif
