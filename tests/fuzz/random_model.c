/* Prints a random Promela model, always the same one for the same seed.
 *
 * A model uses a few of the features in `names`, chosen by the seed, so that a difference
 * points at its cause. Values stay below three and processes are few, so most models have a few
 * thousand states; larger ones run into the limits of the search. tests/fuzz/spin.sh gives the
 * models to Mazur and to Spin.
 *
 * Usage: random_model SEED [FEATURE...] With features: only those; with `any` as the first:
 * those, too. */
#include "random_model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[FEATURES] = {
    "atomic",        "d_step",   "else",   "timeout",      "unless",     "priority",
    "provided",      "run",      "mtype",  "typedef",      "array",      "random",
    "sorted",        "poll",     "peek",   "eval",         "count",      "last",
    "remote",        "select",   "for",    "inline",       "c_code",     "parameter",
    "exclusive",     "enabled",  "block",  "channels",     "rendezvous", "goto",
    "deterministic", "width",    "trace",  "set_priority", "ltl",        "jump",
    "subtype",       "passed",   "nested", "print",        "local",      "hidden",
    "c_state",       "pc_value", "never",  "progress"};

bool has[FEATURES];
bool buffered;
int processes, labels[4];
static uint64_t seed;

int pick(int n)
{
    uint64_t x = seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

bool maybe(enum feature feature, int one_in)
{
    return has[feature] && pick(one_in) == 0;
}

/* ---- declarations ---- */

static void locals(bool parameters)
{
    printf("  byte %sy; %s", parameters ? "" : "x, ", has[FOR] ? "byte i; " : "");
    if (has[MTYPE])
        printf("mtype colour; ");
    if (has[PASSED])
        printf("chan ch; ");
    if (has[JUMP] || has[GOTO])
        printf("byte turns; ");
    if (parameters && maybe(EXCLUSIVE, 2))
        printf("%s in; ", pick(2) ? "xr" : "xs");
    printf("\n");
}

static void process(int number)
{
    static const char *const kinds[] = {"end", "progress", "accept"};
    writing = number;
    printf("active %sproctype P%d()", maybe(DETERMINISTIC, 2) ? "[1] " : "", number);
    if (maybe(PRIORITY, 2))
        printf(" priority %d", 1 + pick(3));
    if (maybe(PROVIDED, 2)) {
        printf(" provided (g%d != %d)", pick(2), pick(3));
    }
    printf("\n{\n");
    locals(false);
    memset(jumped_to, 0, sizeof jumped_to);
    memset(placed, 0, sizeof placed);
    for (int i = 0; i < labels[number]; i++) {
        if (pick(4) == 0)
            printf("%s%d: ", kinds[pick(3)], i);
        printf("L%d: ", i);
        statement((struct place){.tab = 1});
        printf(i + 1 < labels[number] ? ";\n  " : "");
    }
    if (pick(4) != 0)
        printf(";\n  goto L%d", pick(labels[number]));
    for (int i = 0; i < ATOMIC_LABELS; i++)
        if (jumped_to[i] && !placed[i])
            printf(";\n  M%d: skip", i);
    printf("\n}\n");
}

static void globals(void)
{
    if (has[MTYPE])
        printf("mtype = { red, green, blue };\n");
    if (has[TYPEDEF] || has[NESTED])
        printf("typedef R { byte f; byte a[2] };\n");
    if (has[TYPEDEF])
        printf("R rec;\n");
    if (has[NESTED])
        printf("typedef N { bit b; R part[2] };\nN nest;\n");
    if (has[SUBTYPE])
        printf("mtype:kind = { apple, pear };\nmtype:kind fruit = apple;\nchan cf = [%d] of { "
               "mtype:kind };\n",
               buffered + pick(2));
    if (has[PASSED])
        printf("chan cc = [%d] of { chan };\n", buffered + pick(2));
    if (has[LOCAL])
        printf("local byte own;\n");
    if (has[HIDDEN])
        printf("hidden byte scratch;\n");
    if (has[WIDTH])
        printf("unsigned wu : 2; short ws = %d; bit wb;\n", pick(3) - 1);
    if (has[ARRAY])
        printf("byte arr[3]%s;\n", pick(2) ? " = 1" : "");
    printf("byte g0%s, g1;\n", pick(3) ? "" : " = 1");
    printf("chan c0 = [%d] of { byte };\n", has[RENDEZVOUS] ? 0 : 1 + pick(2));
    printf("chan c1 = [%d] of { %s, %s };\n", has[RENDEZVOUS] && pick(2) ? 0 : 1 + pick(2),
           has[MTYPE] ? "mtype" : "byte", pick(2) ? "byte" : "bit");
    printf("chan c2 = [%d] of { byte };\n", buffered + pick(2));
    if (has[CHANNELS])
        printf("chan ca[2] = [%d] of { byte };\n", buffered + pick(2));
    if (has[INLINE])
        printf("inline change(what, value) { what = (value) %% 3; %s }\n",
               pick(2) ? "g1 = 2" : "if :: what == 1 -> g0 = 1 :: else fi");
    if (has[INLINE])
        printf(
            "inline twice(what, value) { byte old; old = what; change(what, old + value)%s }\n",
            pick(2) ? "; old = 0" : "");
    if (has[TRACKED])
        printf("c_state \"int kept\" \"Global\" \"%d\"\nc_decl { int traced; }\n"
               "c_track \"&traced\" \"sizeof(int)\"\n",
               pick(2));
    if (has[EMBEDDED])
        printf("c_decl { \\#include <stdint.h> }\n");
}

static void worker(void)
{
    writing = 0;
    printf("%sproctype W(byte x; chan in)\n{\n", has[DETERMINISTIC] ? "D_" : "");
    locals(true);
    printf("  ");
    sequence((struct place){.tab = 1, .passed = true, .depth = 1}, 3);
    printf("\n}\n");
}

static void events(void)
{
    printf("%strace {\nS0: if :: c0!0; goto S1 :: c0!1; goto S0 :: c0!2; goto S%d fi;\n",
           pick(2) ? "no" : "", pick(2));
    printf("S1: if :: c0!0; goto S0 :: c0!1; goto S%d fi\n}\n", pick(2));
}

/* A formula over the globals and where P0 is. */
static void formula(int depth)
{
    static const char *const one[] = {"[]", "<>", "!", "[]<>", "<>[]"}, *const two[] = {
                                                                            "U",  "&&", "||",
                                                                            "->", "W",  "V"};
    int kind = depth >= 3 ? 0 : pick(depth == 0 ? 4 : 6);
    if (kind == 0 && depth > 0 && pick(4) == 0) {
        printf("(P0@L%d)", pick(labels[0]));
    } else if ((kind == 0 && depth > 0) || kind > 3) {
        printf("(g%d %s %d)", pick(2), pick(2) ? "==" : "<", 1 + pick(2));
    } else {
        bool close = pick(2); /* otherwise precedence decides */
        if (kind <= 2) {
            printf("%s ", depth == 0 ? one[pick(2) * 3] : one[pick(5)]);
            printf(close ? "(" : "");
            formula(depth + 1);
        } else {
            printf(close ? "(" : "");
            formula(depth + 1);
            printf(" %s ", two[pick(6)]);
            formula(depth + 1);
        }
        printf(close ? ")" : "");
    }
}

/* What a claim tests: globals, where P0 is and, with the feature, np_. */
static void observation(void)
{
    if (maybe(PROGRESS, 3))
        printf(pick(2) ? "np_" : "!np_");
    else if (pick(4) == 0)
        printf("P0@L%d", pick(labels[0]));
    else if (pick(6) == 0)
        printf(pick(2) ? "true" : "len(c0) > 0");
    else
        printf("g%d %s %d", pick(2), (const char *[]){"==", "<", "!="}[pick(3)], pick(3));
}

/* One or more tests of one state, or an assertion. */
static void move_of_claim(void)
{
    static const char *const forms[] = {"atomic { (", "d_step { ("};
    int form = pick(8);
    if (form == 0) {
        printf("assert(g0 < 2)");
        return;
    }
    printf("%s", form <= 2 ? forms[form - 1] : "(");
    observation();
    printf(")");
    if (form > 2)
        return;
    printf(pick(2) ? " -> assert(" : " -> (");
    observation();
    printf(") }");
}

static void claim(void)
{
    static const char *const kinds[] = {"T", "T", "accept_T", "end_T"};
    const char *kind[3];
    int states = 2 + pick(2);
    for (int i = 0; i < states; i++)
        kind[i] = kinds[pick(4)];
    printf("never {\n");
    for (int i = 0; i < states; i++) {
        printf("%s%d: if", kind[i], i);
        for (int options = 1 + pick(3); options > 0; options--) {
            int to = pick(states + (pick(3) == 0));
            printf("\n  :: ");
            move_of_claim();
            if (to == states)
                printf(" -> goto over");
            else
                printf(" -> goto %s%d", kind[to], to);
        }
        if (maybe(ELSE, 2))
            printf("\n  :: else -> goto %s%d", kind[i], i);
        printf("\n  fi;\n");
    }
    printf("over: skip\n}\n");
}

static void choose(int argc, char **argv)
{
    for (int f = 0; f < FEATURES; f++)
        has[f] = pick(6) == 0;
    has[TRACE] = has[FORMULA] = has[NEVER] = has[HIDDEN] = has[TRACKED] = false;
    has[PROGRESS] = false; /* Spin's verifier knows progress in its own claim only (-DNP) */
    if (argc > 2 && strcmp(argv[2], "any") != 0)
        memset(has, 0, sizeof has);
    for (int i = 2; i < argc; i++)
        for (int f = 0; f < FEATURES; f++)
            has[f] |= strcmp(argv[i], names[f]) == 0;
    has[EMBEDDED] &= argc > 2 && strcmp(argv[2], "any") != 0;
    has[RENDEZVOUS] &= !has[PRIORITY] && !has[SET_PRIORITY] && !has[ENABLED];
    has[SET_PRIORITY] &= has[PRIORITY];
    has[ENABLED] &= !has[PROVIDED]; /* in Spin enabled() ignores provided clauses */
    has[ELSE] &= !has[ENABLED];     /* and its else is that of the asking process */
    has[FOR] &= !has[ENABLED];
    has[INLINE] &= !has[ENABLED];
    has[COUNT] &= !has[FORMULA] && !has[NEVER]; /* Spin counts the claim as a process */
    has[RUN] &= !has[FORMULA] && !has[NEVER];
    buffered = has[PRIORITY] || has[ENABLED];
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 64;
    seed = strtoull(argv[1], NULL, 10) * 1000003;
    choose(argc, argv);
    processes = 2 + pick(2);
    for (int i = 0; i < processes; i++)
        labels[i] = 2 + pick(3);
    globals();
    if (has[RUN])
        worker();
    for (int i = 0; i < processes; i++)
        process(i);
    if (has[RUN] && pick(2))
        printf("init { atomic { run W(1, c0); run W(2, c2) } }\n");
    if (has[TRACE])
        events();
    if (has[NEVER])
        claim();
    if (has[FORMULA]) {
        printf("ltl wanted { ");
        formula(0);
        printf(" }\n");
    }
    return 0;
}
