/* Prints a random Promela model about processes that start others and end, the same one for the
 * same seed.
 *
 * Who starts first and who is gone decides numbers of processes and channels, which some models
 * look at and most don't; some start more than 255 if nobody goes. Reduction decides from this
 * whether starts and ends may go alone (src/promela/verifier/safe_states.c); reduction.sh
 * compares its verdicts with those of the full search.
 *
 * Usage: random_starts SEED */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;
static bool numbers, channels, labels; /* what the model has */

static int pick(int n)
{
    uint64_t x = seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

static const char *channel(void)
{
    static const char *const names[] = {"c", "c", "in", "mine"};
    return names[pick(channels ? 4 : 3)];
}

static void print_run(char first)
{
    printf("run %c(%s)", 'A' + first, channel());
}

/* `level`: processes of this kind may start those of lower ones. */
static void print_step(int level)
{
    switch (pick(11)) {
    case 0:
        printf("g = %d", pick(3));
        return;
    case 1:
        printf("g == %d -> g = %d", pick(3), pick(3));
        return;
    case 2:
        printf("x++");
        return;
    case 3:
        printf("assert(g != %d || x != %d)", pick(3), pick(3));
        return;
    case 4:
        printf("%s!%d", channel(), pick(2));
        return;
    case 5:
        printf("%s?%s", channel(), pick(3) ? "x" : "1");
        return;
    case 6:
        printf("atomic { g++; %s?x; g-- }", channel());
        return;
    case 7:
        if (numbers)
            printf(pick(2) ? "x = _pid" : pick(2) ? "_nr_pr < 4" : "assert(_pid < 4)");
        else
            printf("if :: g = 0 :: timeout -> g = 1 fi");
        return;
    case 8:
        printf("if :: %s?x :: else -> g = 2 fi", channel());
        return;
    default:
        if (level == 0)
            printf("printf(\"%%d\", _pid)");
        else if (numbers && pick(4) == 0)
            printf("x = run %c(%s)", 'A' + pick(level), channel());
        else
            print_run((char)pick(level));
    }
}

static void print_body(int level, int length)
{
    printf("{\n  byte x;\n");
    if (channels)
        printf("  chan mine = [%d] of { byte };\n", pick(2));
    for (int i = 0; i < length; i++) {
        if (pick(8) != 0) /* who waits there waits rightly, so that not every model fails */
            printf("%s%d: ", labels && pick(4) == 0 ? "progress" : "end", i);
        else
            printf("  ");
        print_step(level);
        printf(";\n");
    }
    printf("  skip\n}\n\n");
}

/* One after the other: none lives long, and yet there are many if none goes. */
static void print_many(void)
{
    bool ends = pick(2), counts = pick(2);
    printf("active proctype M() {\n  short n;\n  do\n  :: n < %d -> run D(); d?_%s\n"
           "  :: %s -> break\n  od\n}\n\n",
           counts ? pick(2) ? 260 : 90 : 1, counts ? "; n++" : "", ends ? "n > 0" : "n > 9");
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 : 1;
    numbers = pick(4) == 0;
    channels = pick(2) == 0;
    labels = pick(2) == 0;
    bool many = pick(6) == 0;
    printf("chan c = [%d] of { byte };\nchan d = [0] of { bit };\nbyte g;\n\n", pick(3));
    printf("proctype D() { d!1 }\n\n");
    for (int level = 0; level < 3; level++) {
        printf("proctype %c(chan in)\n", 'A' + level);
        print_body(level, 1 + pick(3));
    }
    if (many)
        print_many();
    printf("init {\n  chan in = [1] of { byte };\n  byte x;\n  %s%s",
           channels ? "chan mine = [1] of { byte };\n  " : "", pick(3) ? "{ " : "atomic { ");
    for (int i = many ? 1 : 1 + pick(3); i > 0; i--) {
        print_run((char)pick(3));
        printf(";\n  ");
    }
    printf("skip }\n}\n");
    return 0;
}
