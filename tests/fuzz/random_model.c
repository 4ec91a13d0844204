/* Prints a random Promela model, always the same one for the same seed.
 *
 * A model uses some of the features in `names`, chosen by the seed: few of them at once, so
 * that a difference points at what made it. Values stay below three and processes are few, so
 * that most models have a few thousand states; what doesn't is left to the limits of whoever
 * searches them. tests/fuzz/spin.sh gives the models to Mazur and to Spin.
 *
 * Usage: random_model SEED [FEATURE...]
 * With features only those, or with `any` as the first those, too. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum feature {
    ATOMIC,
    DSTEP,
    ELSE,
    TIMEOUT,
    UNLESS,
    PRIORITY,
    PROVIDED,
    RUN,
    MTYPE,
    TYPEDEF,
    ARRAY,
    RANDOM_RECEIVE,
    SORTED,
    POLL,
    PEEK,
    EVAL,
    COUNT,
    LAST,
    REMOTE,
    SELECT,
    FOR,
    INLINE,
    EMBEDDED,
    PARAMETER,
    EXCLUSIVE,
    ENABLED,
    BLOCK,
    CHANNELS,
    RENDEZVOUS,
    GOTO,
    DETERMINISTIC,
    WIDTH,
    TRACE,
    SET_PRIORITY,
    FORMULA,
    FEATURES
};

static const char *const names[FEATURES] = {
    "atomic",     "d_step", "else",          "timeout",   "unless",  "priority",     "provided",
    "run",        "mtype",  "typedef",       "array",     "random",  "sorted",       "poll",
    "peek",       "eval",   "count",         "last",      "remote",  "select",       "for",
    "inline",     "c_code", "parameter",     "exclusive", "enabled", "block",        "channels",
    "rendezvous", "goto",   "deterministic", "width",     "trace",   "set_priority", "ltl"};

static bool has[FEATURES];
static bool buffered; /* Spin has no rendezvous with priorities or enabled() */
static uint64_t seed;

/* Where the statement that is being written stands. */
struct place {
    int depth;        /* of nesting */
    bool loop;        /* break is possible */
    bool indivisible; /* in a d_step: nothing may block or jump out */
    bool passed;      /* in a proctype with parameters */
    int tab;
};

static int processes, labels[4], variables_of_block, writing;

static int pick(int n)
{
    uint64_t x = seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

static bool maybe(enum feature feature, int one_in)
{
    return has[feature] && pick(one_in) == 0;
}

/* ---- expressions ---- */

static void expression(int depth);

static void variable(void)
{
    if (maybe(ARRAY, 4)) { /* Spin undoes an assignment to arr[arr[0]] in the wrong place */
        printf("arr[%s %% 3]", (const char *[]){"g0", "(g1 + 1)", "x", "_pid"}[pick(4)]);
    } else if (maybe(TYPEDEF, 4)) {
        printf(pick(2) ? "rec.f" : "rec.a[%d]", pick(2));
    } else if (maybe(WIDTH, 3)) {
        printf("%s", (const char *[]){"wu", "ws", "wb"}[pick(3)]);
    } else {
        printf("%s", (const char *[]){"g0", "g1", "x", "y"}[pick(4)]);
    }
}

static const char *message(void)
{
    static const char *const numbers[] = {"0", "1", "2"}, *const words[] = {"red", "green",
                                                                            "blue"};
    return has[MTYPE] ? words[pick(3)] : numbers[pick(3)];
}

static const char *channel(void)
{
    if (maybe(CHANNELS, 3))
        return (const char *[]){"ca[0]", "ca[1]", "ca[g0 % 2]"}[pick(3)];
    return "c0";
}

static bool atom_of_feature(void)
{
    if (maybe(COUNT, 4))
        printf("_nr_pr");
    else if (maybe(LAST, 4))
        printf("_last");
    else if (writing > 0 && maybe(REMOTE, 3))
        printf(pick(3) ? "P0[0]@L%d" : "P0[0]:x", pick(labels[0]));
    else if (maybe(ENABLED, 4))
        printf("enabled(%d)", (writing + 1) % processes);
    else if (maybe(EMBEDDED, 4))
        printf("c_expr { now.g0 %s %d }", pick(2) ? "==" : "<", pick(3));
    else if (maybe(SET_PRIORITY, 4))
        printf(pick(2) ? "get_priority(%d)" : "_priority", pick(processes));
    else
        return false;
    return true;
}

static void atom(void)
{
    if (atom_of_feature())
        return;
    switch (pick(8)) {
    case 0:
        printf("_pid");
        return;
    case 1:
        printf("len(%s)", channel());
        return;
    case 2:
    case 3:
        printf("%d", pick(3));
        return;
    default:
        variable();
    }
}

static void expression(int depth)
{
    static const char *const operators[] = {"+",  "-",  "*",  "==", "!=", "<", ">",
                                            "&&", "||", ">=", "<=", "&",  "|", "^"};
    int kind = depth >= 2 ? 0 : pick(8);
    if (kind <= 2) {
        atom();
    } else if (kind == 3) {
        printf("%s(", pick(2) ? "!" : pick(3) ? "-" : "~");
        expression(depth + 1);
        printf(")");
    } else if (kind == 4) {
        printf("(");
        expression(depth + 1);
        printf(" -> ");
        expression(depth + 1);
        printf(" : ");
        expression(depth + 1);
        printf(")");
    } else {
        printf("(");
        expression(depth + 1);
        printf(" %s ", operators[pick(14)]);
        expression(depth + 1);
        printf(")");
    }
}

static void condition(void)
{
    static const char *const questions[] = {"full", "empty", "nfull", "nempty"};
    if (pick(6) == 0) {
        printf("%s(%s)", questions[pick(4)], channel());
    } else if (maybe(POLL, 3)) { /* alone: in Spin it is not in parentheses */
        printf(pick(2) ? "c0?[%d]" : "c0??[%d]", pick(3));
    } else if (pick(2)) {
        variable();
        printf(" %s %d", (const char *[]){"==", "!=", "<"}[pick(3)], pick(3));
    } else {
        expression(0);
    }
}

/* ---- statements ---- */

static void statement(struct place place);
static void sequence(struct place place, int most);

static void assignment(void)
{
    if (has[WIDTH] && pick(4) == 0) {
        printf("%s%s", pick(2) ? "wu" : "wb", pick(2) ? "++" : "--");
        return;
    }
    variable();
    if (pick(3) == 0) {
        printf(" = %d", pick(3));
        return;
    }
    printf(" = (");
    expression(0);
    printf(") %% 3");
}

static void send(const struct place *place)
{
    const char *sign = maybe(SORTED, 2) ? "!!" : "!";
    if (place->passed && pick(2))
        printf("in%s%d", sign, pick(3));
    else if (pick(2)) {
        printf(pick(2) ? "c1%s%s,%d" : "c1%s%s(%d)", sign, message(), pick(3));
    } else {
        printf("%s%s", channel(), sign);
        if (pick(2))
            printf("%d", pick(3));
        else
            variable();
    }
}

static void receive(const struct place *place)
{
    const char *sign = maybe(RANDOM_RECEIVE, 2) ? "??" : "?";
    bool peek = maybe(PEEK, 3);
    printf("%s%s%s", place->passed && pick(2) ? "in" : channel(), sign, peek ? "<" : "");
    switch (pick(has[EVAL] ? 4 : 3)) {
    case 0:
        printf("%d", pick(3));
        break;
    case 1:
        printf("_");
        break;
    case 2:
        printf(pick(2) ? "x" : "g1");
        break;
    default:
        printf("eval(%s)", (const char *[]){"x", "g0", "_pid", "(g1+x)%3"}[pick(4)]);
    }
    printf("%s", peek ? ">" : "");
}

static void receive_pair(void)
{
    const char *sign = maybe(RANDOM_RECEIVE, 2) ? "??" : "?";
    bool peek = maybe(PEEK, 3);
    printf("c1%s%s%s,", sign, peek ? "<" : "",
           pick(3)      ? message()
           : pick(2)    ? "_"
           : has[MTYPE] ? "colour"
                        : "y");
    printf("%s%s", (const char *[]){"x", "g0", "_", "1"}[pick(4)], peek ? ">" : "");
}

static void tabs(const struct place *place)
{
    printf("\n%*s", 2 * place->tab, "");
}

static struct place inside(struct place place)
{
    place.depth++;
    place.tab++;
    return place;
}

static void selection(struct place place, bool loop)
{
    struct place inner = inside(place);
    inner.loop = loop || place.loop;
    int options = 1 + pick(3);
    bool otherwise = place.indivisible || maybe(ELSE, 2);
    printf(loop ? "do" : "if");
    for (int i = 0; i < options; i++) {
        tabs(&place);
        printf(":: ");
        if (place.indivisible || pick(3) == 0) {
            condition();
            printf(" -> ");
        }
        sequence(inner, 2);
        if (loop && (i == 0 || place.indivisible))
            printf("; break");
    }
    if (otherwise) {
        tabs(&place);
        printf(":: else");
        if (loop)
            printf(" -> break");
        else if (pick(2)) {
            printf(" -> ");
            statement(inner);
        }
    }
    tabs(&place);
    printf(loop ? "od" : "fi");
}

static void repetition(struct place place)
{
    struct place inner = inside(place);
    inner.loop = true;
    if (maybe(ARRAY, 2))
        printf("for (i in arr) { ");
    else
        printf("for (i : %d .. %d) { ", pick(2), 1 + pick(2));
    sequence(inner, 2);
    printf(" }");
}

static void group(struct place place)
{
    struct place inner = inside(place);
    printf("atomic { ");
    sequence(inner, 3);
    printf("%s }", has[DSTEP] ? "; skip" : ""); /* Spin forgets the end of a d_step there */
}

static void one_step(struct place place)
{
    struct place inner = inside(place);
    inner.indivisible = true;
    inner.loop = false;
    printf("d_step { ");
    if (pick(2)) {
        condition();
        printf(" -> ");
    }
    sequence(inner, 3);
    printf(" }");
}

static void escape(struct place place)
{
    struct place inner = inside(place);
    printf("{ ");
    sequence(inner, 3);
    printf(" } unless { ");
    if (pick(3)) {
        condition();
        printf(" -> ");
    }
    sequence(inner, 2);
    printf(" }");
}

static void block(struct place place)
{
    struct place inner = inside(place);
    int number = variables_of_block++;
    printf("{ byte b%d = %d; b%d = (", number, pick(3), number);
    expression(1);
    printf(") %% 2; x = b%d; ", number);
    sequence(inner, 2);
    printf(" }");
}

/* What only a model with the feature has. */
static bool statement_of_feature(struct place place)
{
    bool nested = place.depth < 3;
    if (nested && !place.indivisible && maybe(ATOMIC, 5))
        group(place);
    else if (nested && !place.indivisible && maybe(DSTEP, 5))
        one_step(place);
    else if (nested && !place.indivisible && maybe(UNLESS, 5))
        escape(place);
    else if (nested && maybe(FOR, 6))
        repetition(place);
    else if (nested && !place.indivisible && maybe(BLOCK, 6))
        block(place);
    else if (!place.indivisible && maybe(SELECT, 5))
        printf("select (%s : 0 .. %d)", pick(2) ? "x" : "g1", 1 + pick(2));
    else if (!place.indivisible && maybe(TIMEOUT, 8))
        printf("timeout");
    else if (!place.indivisible && maybe(RUN, 5))
        printf("(_nr_pr < %d) -> run W(%d, %s)", processes + 2, pick(3), pick(2) ? "c0" : "c2");
    else if (!place.indivisible && maybe(GOTO, 6) && !place.passed)
        printf("goto L%d", pick(labels[writing]));
    else if (maybe(INLINE, 6))
        printf("change(%s, %s)", (const char *[]){"x", "g0", "g1"}[pick(3)],
               (const char *[]){"y", "1", "g1 + 1"}[pick(3)]);
    else if (maybe(EMBEDDED, 5))
        printf("c_code { now.g%d = (now.g0 + %d) %% 3; }", pick(2), pick(3));
    else if (maybe(SET_PRIORITY, 6))
        printf("set_priority(%d, %d)", pick(processes), 1 + pick(3));
    else
        return false;
    return true;
}

static void statement(struct place place)
{
    if (statement_of_feature(place))
        return;
    switch (pick(place.depth < 3 ? 14 : 10)) {
    case 0:
    case 1:
        if (!place.indivisible)
            send(&place);
        else
            assignment();
        return;
    case 2:
    case 3:
        if (place.indivisible)
            printf("skip");
        else if (pick(2))
            receive(&place);
        else
            receive_pair();
        return;
    case 4:
        if (place.indivisible)
            assignment();
        else
            condition();
        return;
    case 5:
        printf("assert(!(");
        variable();
        printf(" == 2 && g0 == 1 && x == %d))", pick(3));
        return;
    case 6:
        printf(place.loop && !place.indivisible ? "break" : "skip");
        return;
    case 10:
    case 11:
        selection(place, false);
        return;
    case 12:
        selection(place, !place.indivisible || pick(2));
        return;
    default:
        assignment();
    }
}

static void sequence(struct place place, int most)
{
    int count = 1 + pick(most);
    for (int i = 0; i < count; i++) {
        if (i > 0)
            printf("; ");
        statement(place);
    }
}

/* ---- declarations ---- */

static void locals(bool parameters)
{
    printf("  byte %sy; %s", parameters ? "" : "x, ", has[FOR] ? "byte i; " : "");
    if (has[MTYPE])
        printf("mtype colour; ");
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
    for (int i = 0; i < labels[number]; i++) {
        if (pick(4) == 0)
            printf("%s%d: ", kinds[pick(3)], i);
        printf("L%d: ", i);
        statement((struct place){.tab = 1});
        printf(i + 1 < labels[number] ? ";\n  " : "");
    }
    if (pick(4) != 0)
        printf(";\n  goto L%d", pick(labels[number]));
    printf("\n}\n");
}

static void globals(void)
{
    if (has[MTYPE])
        printf("mtype = { red, green, blue };\n");
    if (has[TYPEDEF])
        printf("typedef R { byte f; byte a[2] };\nR rec;\n");
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
        bool close = pick(2); /* or what binds stronger decides */
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

static void choose(int argc, char **argv)
{
    for (int f = 0; f < FEATURES; f++)
        has[f] = pick(6) == 0;
    has[TRACE] = has[FORMULA] = false;
    if (argc > 2 && strcmp(argv[2], "any") != 0)
        memset(has, 0, sizeof has);
    for (int i = 2; i < argc; i++)
        for (int f = 0; f < FEATURES; f++)
            has[f] |= strcmp(argv[i], names[f]) == 0;
    has[EMBEDDED] &= argc > 2 && strcmp(argv[2], "any") != 0;
    has[RENDEZVOUS] &= !has[PRIORITY] && !has[SET_PRIORITY] && !has[ENABLED];
    has[SET_PRIORITY] &= has[PRIORITY];
    has[COUNT] &= !has[FORMULA]; /* Spin counts the claim as a process */
    has[RUN] &= !has[FORMULA];
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
    if (has[FORMULA]) {
        printf("ltl wanted { ");
        formula(0);
        printf(" }\n");
    }
    return 0;
}
