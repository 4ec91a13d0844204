/* Prints a random Promela model about who uses which channel, the same one for the same seed.
 *
 * Channels are passed as parameters, taken from an array, made by a process, sent to with `!!`,
 * looked into, asked for by an else, watched by a trace assertion. Reduction decides from this
 * which steps may go alone (src/promela/verifier/channel_users.h); reduction.sh compares its
 * verdicts with those of the full search.
 *
 * Usage: random_channels SEED [structures]     structures: parameters and channels of a process
 * are members of structures */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;
/* local channels, processes that start others, what looks in */
static bool own, nested_run, odd;
static bool structures;

static int pick(int n)
{
    uint64_t x = seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

static const char *channel(bool parameters)
{
    static const char *const names[] = {"in", "out", "a", "q[0]", "q[1]", "q[g]", "mine"};
    static const char *const members[] = {"s.in", "s.out", "a",      "q[0]",
                                          "q[1]", "q[g]",  "own.in", "own.deep.out"};
    const char *const *name = structures ? members : names;
    int count = !own ? 6 : structures ? 8 : 7;
    if (pick(4) != 0 && parameters)
        return name[pick(2)];
    return name[2 + pick(count - 2)];
}

static void exchange(void)
{
    const char *name = channel(true);
    if (pick(2))
        printf("%s?%s", name, pick(4) ? "x" : pick(2) ? "1" : "2");
    else
        printf("%s!%s", name, pick(2) ? "x" : pick(2) ? "1" : "2");
}

static void odd_statement(void)
{
    const char *name = channel(true);
    switch (pick(6)) {
    case 0:
        printf("%s!!%d", name, 1 + pick(2));
        return;
    case 1:
        printf("%s??%d", name, 1 + pick(2));
        return;
    case 2:
        printf("len(%s) > 0", name);
        return;
    case 3:
        printf("%s?<x>", name);
        return;
    case 4:
        printf("nfull(%s)", name);
        return;
    default:
        printf("%s?[1]", name);
    }
}

static void statement(int depth)
{
    int kind = pick(depth > 0 ? 12 : 8);
    if (odd && pick(5) == 0) {
        odd_statement();
        return;
    }
    switch (kind) {
    case 0:
        printf("g = %s", pick(2) ? "x" : "1 - g");
        return;
    case 1:
        printf("x = %d", pick(3));
        return;
    case 2:
        if (pick(2))
            printf("assert(g %s || x != %d)", pick(2) ? "< 2" : "!= 1", pick(3));
        else
            exchange();
        return;
    case 8:
    case 9:
        printf("if :: ");
        exchange();
        printf(" -> ");
        statement(depth - 1);
        printf(" :: %s -> ", pick(2) ? "else" : pick(2) ? "x > 0" : "skip");
        statement(depth - 1);
        printf(" fi");
        return;
    case 10:
        if (pick(3) == 0) { /* it may be interrupted at the exchange, or can't be */
            const char *name = channel(true);
            bool receive = pick(2);
            printf("atomic { %s(%s) -> ", receive ? "nempty" : "nfull", pick(3) ? name : "a");
            printf(pick(3) ? "h = 1; " : "");
            printf(receive ? "%s?x" : "%s!1", pick(4) ? name : "a");
            printf("; h = 0 }");
            return;
        }
        if (pick(2) == 0) {
            printf("atomic { h = 1; ");
            exchange();
            printf("; h = 0 }");
            return;
        }
        printf("%s { ", pick(3) ? "atomic" : "d_step");
        printf("x = 1; g = g %s 1 }", pick(2) ? "&" : "|");
        return;
    case 11:
        if (nested_run && structures)
            printf("run C(%s)", own && pick(2) ? "own.deep" : "s");
        else if (nested_run)
            printf("run C(%s, %s)", channel(true), channel(true));
        else
            exchange();
        return;
    default:
        exchange();
    }
}

static void body(int length)
{
    printf("{\n  byte x;\n");
    if (own)
        printf(structures ? "  Outer own;\n" : "  chan mine = [1] of { byte };\n");
    for (int i = 0; i < length; i++) {
        printf("end%d: ", i); /* who waits there waits rightly: only assertions fail */
        statement(2);
        printf(";\n");
    }
    printf("end: skip\n}\n\n");
}

static void print_proctype(char name, int length)
{
    printf("proctype %c(%s)\n", name, structures ? "Inner s" : "chan in, out");
    body(length);
}

static void print_runs(const char *const *ends)
{
    for (int i = 2 + pick(2); i > 0; i--)
        if (structures)
            printf("run %s(%s);\n  ", pick(2) ? "P" : "R", pick(3) ? "t.deep" : "u");
        else
            printf("run %s(%s, %s);\n  ", pick(2) ? "P" : "R", ends[pick(3)], ends[pick(3)]);
    if (structures && pick(3) == 0) /* init may use them, too */
        printf("end: %s!1;\n  ", pick(2) ? "u.in" : "t.deep.in");
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 : 1;
    structures = argc > 2 && strcmp(argv[2], "structures") == 0;
    own = pick(4) == 0;
    nested_run = pick(4) == 0;
    odd = pick(2) == 0;
    bool active = pick(2) == 0;
    printf("chan a = [%d] of { byte };\nchan q[2] = [%d] of { byte };\nbyte g, h;\n\n", pick(3),
           1 + pick(2));
    if (structures)
        printf("typedef Inner { chan in = [%d] of { byte }; byte n; chan out = [%d] of { byte "
               "} }\n"
               "typedef Outer { byte n; Inner deep; chan in = [1] of { byte } }\n\n",
               pick(3), 1 + pick(2));
    if (pick(5) == 0)
        printf("%s { do :: q[0]%s_ :: a%s1 -> break od }\n\n", pick(2) ? "trace" : "notrace",
               pick(2) ? "!" : "?", pick(2) ? "!" : "?");
    own = false;
    print_proctype('C', 1 + pick(2));
    own = pick(4) == 0;
    print_proctype('P', 2 + pick(3));
    print_proctype('R', 2 + pick(3));
    const char *ends[] = {"a", "q[0]", "q[1]"};
    if (active)
        printf("active proctype A()\n{\n  byte x;\nend0: %s!%d;\nend1: %s?x;\n  assert(x != "
               "%d)\n}\n\n",
               ends[pick(3)], pick(3), ends[pick(3)], pick(3));
    if (pick(2)) /* somebody sees an atomic sequence that is interrupted */
        printf("active proctype W() { assert(h == 0) }\n\n");
    printf("init {\n  %s%s", structures ? "Outer t; Inner u; " : "",
           pick(2) ? "atomic { " : "{ ");
    print_runs(ends);
    printf("skip }\n}\n");
    return 0;
}
