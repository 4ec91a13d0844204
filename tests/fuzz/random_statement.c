/* Expressions and statements of a random model. Values are taken modulo three, and constructs
 * that hang or confuse Spin itself are left out, with the reason in a comment. See
 * random_model.h. */
#include "random_model.h"

#include <stdio.h>

bool jumped_to[ATOMIC_LABELS], placed[ATOMIC_LABELS];
int loops_of_step, writing;
static int variables_of_block;

/* ---- expressions ---- */

static void expression(int depth);

static void variable(void)
{
    if (maybe(ARRAY, 4)) { /* Spin undoes an assignment to arr[arr[0]] in the wrong place */
        printf("arr[%s %% 3]", (const char *[]){"g0", "(g1 + 1)", "x", "_pid"}[pick(4)]);
    } else if (maybe(TYPEDEF, 4)) {
        printf(pick(2) ? "rec.f" : "rec.a[%d]", pick(2));
    } else if (maybe(NESTED, 4)) {
        printf(pick(3) ? "nest.part[%d].f" : "nest.part[g0 %% 2].a[%d]", pick(2));
    } else if (writing == 0 && maybe(LOCAL, 4)) {
        printf("own");
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
    else if (writing == 0 && maybe(ENABLED, 4)) /* Spin forgets the outer of two queries */
        printf("enabled(1)");
    else if (maybe(EMBEDDED, 4))
        printf("c_expr { now.g0 %s %d }", pick(2) ? "==" : "<", pick(3));
    else if (maybe(TRACKED, 4))
        printf("c_expr { %s }",
               (const char *[]){"now.kept == 1", "traced < 2", "now.kept != traced"}[pick(3)]);
    else if (maybe(COUNTER, 4))
        printf("(pc_value(%d) == %d)", pick(processes), 1 + pick(6));
    else if (maybe(SUBTYPE, 4))
        printf("(fruit == %s)", pick(2) ? "apple" : "pear");
    else if (maybe(SET_PRIORITY, 4))
        printf(pick(2) ? "get_priority(0)" : "_priority");
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

void condition(void)
{
    static const char *const questions[] = {"full", "empty", "nfull", "nempty"};
    if (pick(6) == 0) {
        printf("%s(%s)", questions[pick(4)], channel());
    } else if (maybe(POLL, 3)) { /* alone: in Spin it is not in parentheses */
        if (pick(3))
            printf(pick(2) ? "c0?[%d]" : "c0??[%d]", pick(3));
        else
            printf(pick(2) ? "c1?[%s,%d]" : "c1??[%s,%d]", message(), pick(2));
    } else if (pick(2)) {
        variable();
        printf(" %s %d", (const char *[]){"==", "!=", "<"}[pick(3)], pick(3));
    } else {
        expression(0);
    }
}

/* ---- statements ---- */

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

static void jump(const struct place *place)
{
    int number = pick(ATOMIC_LABELS);
    if (!place->passed && maybe(JUMP, 2)) {
        jumped_to[number] = true;
        printf("goto M%d", number);
    } else {
        printf("goto L%d", pick(labels[writing]));
    }
}

static void group(struct place place)
{
    struct place inner = inside(place);
    inner.atomic = true;
    printf("atomic { ");
    if (maybe(JUMP, 4)) { /* alone: it may lead from one sequence into another */
        jump(&inner);
        printf(" }");
        return;
    }
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
    } else {
        printf("skip; "); /* Spin takes one that begins with assert() inside of a rendezvous */
    }
    sequence(inner, 3);
    printf(" }");
}

/* A loop by goto inside a d_step. It must end: otherwise Spin would not. */
static void loop_of_step(struct place place)
{
    struct place inner = inside(place);
    int number = loops_of_step++;
    inner.depth = 3;
    printf("turns = 0; K%d: ", number);
    statement(inner);
    printf("; if :: turns < %d -> turns++; goto K%d :: else fi; turns = 0", 1 + pick(2),
           number);
}

/* The same by break. */
static void count_in_step(struct place place)
{
    struct place inner = inside(place);
    inner.depth = 3;
    printf("turns = 0; do :: turns < %d -> turns++; ", 1 + pick(2));
    statement(inner);
    printf(" :: else -> break od; turns = 0");
}

/* A channel received through a channel; the variable holds a channel when it is used. */
static void through_channel(void)
{
    switch (pick(3)) {
    case 0:
        printf("cc!%s", pick(2) ? "c0" : "c2");
        return;
    case 1:
        printf("cc?ch; ch!%d", pick(3));
        return;
    default:
        printf(pick(2) ? "cc?ch; ch?x" : "cc?eval(c0)");
    }
}

static void of_subtype(void)
{
    switch (pick(4)) {
    case 0:
        printf("cf!%s", pick(2) ? "apple" : "pear");
        return;
    case 1:
        printf(pick(2) ? "cf?pear" : "cf?fruit");
        return;
    default:
        printf("fruit = %s", pick(2) ? "apple" : "pear");
    }
}

static void in_c(void)
{
    static const char *const pieces[] = {"now.kept = (now.kept + 1) % 3;",
                                         "traced = (traced + 1) % 3;", "now.g0 = traced;",
                                         "traced = now.kept; now.kept = now.g1;"};
    printf("c_code { %s }", pieces[pick(4)]);
}

static void escape(struct place place)
{
    struct place inner = inside(place);
    printf(has[GOTO] || has[JUMP] ? "{ skip; "
                                  : "{ "); /* Spin stops at a jump that comes first */
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

/* What has no effect on control and may stand anywhere. */
static bool simple_of_feature(struct place place)
{
    if (maybe(INLINE, 6))
        printf(pick(3) ? "change(%s, %s)" : "twice(%s, %s)",
               (const char *[]){"x", "g0", "g1"}[pick(3)],
               (const char *[]){"y", "1", "g1 + 1"}[pick(3)]);
    else if (maybe(EMBEDDED, 5))
        printf("c_code { now.g%d = (now.g0 + %d) %% 3; }", pick(2), pick(3));
    else if (maybe(TRACKED, 5))
        in_c();
    else if (maybe(PRINT, 5))
        printf("printf(\"%s %%d %%e\\n\", %s, %s)", pick(2) ? "a" : "b", pick(2) ? "x" : "g0",
               has[MTYPE] ? "red" : "g1");
    else if (maybe(SET_PRIORITY, 6)) /* of live ones: Spin undoes what it did not do */
        printf("set_priority(%s, %d)", pick(2) ? "0" : "_pid", 1 + pick(3));
    else if (maybe(HIDDEN, 5))
        printf("d_step { scratch = g%d + 1; g%d = scratch %% 3 }", pick(2), pick(2));
    else if (!place.indivisible && maybe(SUBTYPE, 6))
        of_subtype();
    else
        return false;
    return true;
}

/* Statements that only a model with the feature has. */
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
    else if (!place.indivisible && has[RUN] && maybe(ARRAY, 8))
        printf("(_nr_pr < %d) -> x = run W(%d, c0)", processes + 2, pick(3));
    else if (!place.indivisible && maybe(GOTO, 6) && !place.passed)
        jump(&place);
    else if (!place.indivisible && maybe(PASSED, 5))
        through_channel();
    else if (place.indivisible && nested && maybe(JUMP, 4))
        loop_of_step(place);
    else if (place.indivisible && nested && maybe(GOTO, 4))
        count_in_step(place);
    else
        return simple_of_feature(place);
    return true;
}

void statement(struct place place)
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

void sequence(struct place place, int most)
{
    int count = 1 + pick(most);
    for (int i = 0; i < count; i++) {
        if (i > 0)
            printf("; ");
        int number = pick(ATOMIC_LABELS);
        if (place.atomic && !place.indivisible && !place.passed && !placed[number] &&
            maybe(JUMP, 2)) {
            placed[number] = true;
            printf("%sM%d: ", i == 0 ? "skip; " : "",
                   number); /* Spin allows none at the start */
        }
        statement(place);
    }
}
