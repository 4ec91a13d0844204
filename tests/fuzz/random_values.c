/* Prints a random Promela model about who reads which value, the same one for the same seed.
 *
 * Values go from variable to variable, through elements of arrays, members of structures,
 * fields of messages and parameters, and few of them come to a condition or an assertion.
 * --optimize on decides from this what states may go without (src/promela/automata/unread.h);
 * reduction.sh compares its verdicts with those of the plain semantics.
 *
 * Usage: random_values SEED [ltl] */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;
static bool dynamic; /* arrays are indexed by variables */

static int pick(int n)
{
    uint64_t x = seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

static void print_index(void)
{
    static const char *const names[] = {"x", "g", "y"};
    if (dynamic && pick(3) == 0)
        printf("[%s]", names[pick(3)]);
    else
        printf("[%d]", pick(2));
}

static void print_variable(void)
{
    static const char *const names[] = {"x", "y", "z", "p", "g", "h", "k", "s.u", "s.v", "l.u"};
    switch (pick(8)) {
    case 0:
        printf("a");
        print_index();
        return;
    case 1:
        printf("s.w");
        print_index();
        return;
    case 2:
        printf("m[%d]", pick(2));
        return;
    default:
        printf("%s", names[pick(10)]);
    }
}

static void print_value(void)
{
    switch (pick(4)) {
    case 0:
        printf("%d", pick(2));
        return;
    case 1:
        printf("(");
        print_variable();
        printf(" + ");
        print_variable();
        printf(") %% 2");
        return;
    default:
        print_variable();
    }
}

static void print_message(bool received)
{
    printf("%s%c", pick(3) ? "c" : "in", received ? '?' : '!');
    for (int i = 0; i < 2; i++) {
        if (i > 0)
            printf(", ");
        if (received && pick(3) == 0)
            printf(pick(2) ? "_" : "%d", pick(2));
        else if (received && pick(5) == 0)
            printf("eval(g)");
        else if (received)
            print_variable();
        else
            print_value();
    }
}

static void print_statement(int depth)
{
    switch (pick(depth > 0 ? 15 : 9)) {
    case 0:
        print_message(true);
        return;
    case 1:
        print_message(false);
        return;
    case 2:
        if (pick(2)) {
            printf("printf(\"%%d\\n\", ");
            print_variable();
            printf(")");
        } else {
            printf("d%cs", pick(2) ? '!' : '?');
        }
        return;
    case 9:
        printf("assert(");
        print_variable();
        printf(" + %d < 2 || ", pick(2));
        print_variable();
        printf(" == %d)", pick(2));
        return;
    case 10:
        printf("if :: ");
        print_variable();
        printf(" == %d -> ", pick(2));
        print_statement(depth - 1);
        printf(" :: %s -> ", pick(2) ? "else" : "skip");
        print_statement(depth - 1);
        printf(" fi");
        return;
    case 11:
        printf("%s { ", pick(2) ? "atomic" : "d_step");
        print_variable();
        printf(" = ");
        print_value();
        printf("; ");
        print_variable();
        printf(" = ");
        print_value();
        printf(" }");
        return;
    case 12:
        printf("do :: ");
        print_statement(depth - 1);
        printf(" :: break od");
        return;
    default:
        print_variable();
        printf(" = ");
        print_value();
    }
}

static void print_process(const char *head)
{
    printf("%s\n{\n  byte x, y, z; S l;\n", head);
    if (pick(2))
        printf("  x = %d;\n", pick(2));
    for (int i = 2 + pick(3); i > 0; i--) {
        if (pick(6) == 0)
            printf("  %s%d: ", pick(2) ? "progress" : "accept", i);
        print_statement(2);
        printf(";\n");
        if (pick(6) == 0)
            break;
    }
    printf("end: skip\n}\n\n");
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 : 1;
    dynamic = pick(3) == 0;
    printf("typedef S { byte u; byte v; byte w[2] };\n"
           "byte g, h, k, a[2], m[2]; S s;\nchan c = [%d] of { byte, byte };\n"
           "chan d = [1] of { S };\n\n",
           pick(3));
    print_process("proctype P(byte p; chan in)");
    print_process("proctype Q(byte p; chan in)");
    const char *names = "PQ";
    printf("init {\n  %s", pick(2) ? "atomic { " : "{ ");
    for (int i = 2; i > 0; i--)
        printf("run %c(%s, c);\n  ", names[pick(2)], pick(2) ? "g" : "1");
    printf("g = %d }\n}\n", pick(2));
    if (argc > 2) {
        static const char *const forms[] = {"[] <> (g == %d)", "<> [] (h == %d)",
                                            "[] (k == 0 -> X (g == %d))", "[] (s.u != %d + 1)"};
        printf("ltl f { ");
        printf(forms[pick(4)], pick(2));
        printf(" }\n");
    }
    return 0;
}
