/* States spread over ranks: the counts of one process however many ranks there are, whatever
 * the order of messages, and after ranks were killed and went on from a checkpoint. Random
 * models against the interpreter are in test_promela_bound.c.
 *
 * tests/mutants/run.sh builds this test with engines that are wrong on purpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/hash.h"
#include "host/buffer.h"
#include "host/temporary.h"
#include "ranks_in_one.h"

/* Processes and channels come and go, so each rank meets other shapes first. */
static const char comings[] = "chan c = [2] of { byte };\n"
                              "byte sum;\n"
                              "proctype child(byte n) { chan own = [1] of { byte };\n"
                              "  own!n; own?sum; c!n }\n"
                              "proctype other(byte n) { byte own[3]; own[n - 1] = n; c!n }\n"
                              "proctype third(byte n) { short own[4]; own[n] = n; c!n }\n"
                              "active proctype parent() { byte k, got;\n"
                              "  do :: k < 3 -> k++;\n"
                              "        if :: run child(k) :: run other(k) :: run third(k) fi\n"
                              "     :: c?got\n"
                              "     :: k == 3 && _nr_pr == 1 && empty(c) -> break od }\n";

static const char deadlocks[] = "chan a = [1] of { byte }, b = [1] of { byte };\n"
                                "proctype one() { byte x; a!1; b!1; a?x; b?x }\n"
                                "active proctype main() { run one(); run one(); run one() }\n";

static const char asserts[] = "byte n, turn;\n"
                              "active [3] proctype add() { byte t, i;\n"
                              "  do :: i < 2 -> t = n; n = t + 1; i++ :: else -> break od;\n"
                              "  atomic { turn++; assert(turn < 3 || n > 2) } }\n";

/* More than LABEL_FEW, so that a search by bounds begins again. */
static const char crowd[] = "byte n; active [18] proctype p() { n == _pid; n++ }\n";

/* One step of the first state fails, and no other step does. */
static const char early[] = "byte n;\n"
                            "proctype add() { byte i; do :: i < 6 -> n++; i++ :: else -> break od }\n"
                            "init { if :: assert(false) :: skip fi; run add(); run add() }\n";

struct counts {
    uint64_t states, transitions;
    int bound;
    bool failed, pruned;
};

struct subject {
    struct model_options options;
    struct verifier verifier;
};

static void prepare(struct subject *t, const char *text, int bound)
{
    char path[160];
    struct model_load_options load = {0};
    struct property safety = {0};
    memset(t, 0, sizeof *t);
    snprintf(path, sizeof path, "%.100s/mazur-spread-XXXXXX", temporary_parent());
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_true(write(descriptor, text, strlen(text)) == (ssize_t)strlen(text));
    close(descriptor);
    t->options = (struct model_options){.file = path,
                                        .optimize = true,
                                        .tier = 1,
                                        .jobs = 1,
                                        .bound = bound,
                                        .bound_given = bound != MODEL_BOUND_NONE,
                                        .keep_going = true,
                                        .memory = (size_t)1 << 28};
    t->verifier = (struct verifier){
        .options = &t->options, .model = model_load(path, &load), .bound_reached = -1};
    assert_non_null(t->verifier.model);
    assert_true(verifier_prepare(&t->verifier, &safety));
    unlink(path);
}

static void release(struct subject *t)
{
    struct model *model = t->verifier.model;
    verifier_release(&t->verifier);
    model_free(model);
}

static struct counts counts_of(struct verifier *v)
{
    assert_false(v->truncated);
    struct counts counts = {v->states, v->transitions_seen, v->bound_reached,
                            v->trail.violation != VIOLATION_NONE, v->bound_pruned};
    assert_true(!counts.failed || v->trail.count > 0);
    trail_free(&v->trail);
    return counts;
}

static struct counts alone(struct subject *t)
{
    struct verifier v = t->verifier;
    if (t->options.bound == MODEL_BOUND_NONE)
        search_reach(&v);
    else
        search_bound(&v, NULL, NULL);
    return counts_of(&v);
}

static void compare(struct counts a, struct counts b, const char *what, int n)
{
    if (a.states != b.states || a.failed != b.failed || a.bound != b.bound ||
        a.pruned != b.pruned)
        fail_msg("%s %d: %d states, bound %d, failed %d, more %d; one process: %d, %d, %d, %d",
                 what, n, (int)a.states, a.bound, a.failed, a.pruned, (int)b.states, b.bound,
                 b.failed, b.pruned);
}

static const char *const models[] = {comings, deadlocks, asserts};

static void ranks_count_alike(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int bound = -1; bound < 3; bound++) {
            struct subject t;
            prepare(&t, models[m], bound < 0 ? MODEL_BOUND_NONE : bound);
            struct counts one = alone(&t);
            for (int ranks = 1; ranks <= 9; ranks += 2) {
                struct verifier v = t.verifier;
                struct ranks_setup setup = {.ranks = ranks, .seed = (uint64_t)ranks};
                assert_true(search_ranks(&v, &setup));
                struct counts many = counts_of(&v);
                compare(many, one, "ranks", ranks);
                if (bound < 0)
                    assert_int_equal(many.transitions, one.transitions);
            }
            release(&t);
        }
}

static void many_processes(void **state)
{
    (void)state;
    struct subject t;
    prepare(&t, crowd, 1);
    struct counts one = alone(&t);
    struct verifier v = t.verifier;
    struct ranks_setup setup = {.ranks = 3, .seed = 1};
    assert_true(search_ranks(&v, &setup));
    compare(counts_of(&v), one, "processes", 18);
    release(&t);
}

/* Killed again and again, after a random number of turns each time; checkpoints without a pause
 * between them. */
static void killed_ranks_go_on(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int kills = 0;
    for (int round = 0; round < 6; round++) {
        struct subject t;
        int bound = round % 2 == 0 ? MODEL_BOUND_NONE : 2;
        char *folder = temporary_make(temporary_parent(), "mazur-spread-");
        assert_non_null(folder);
        prepare(&t, models[round % 3], bound);
        struct counts one = alone(&t), many;
        struct ranks_setup setup = {
            .ranks = 2 + round % 3, .seed = (uint64_t)round, .spread = {.folder = folder}};
        int attempts = 0;
        for (bool ended = false; !ended; attempts++) {
            struct subject again; /* as a new process would have it */
            prepare(&again, models[round % 3], bound);
            struct verifier v = again.verifier;
            setup.turns = attempts < 6 ? 200 + (long)random_below(&seed, 3000) : 0;
            ended = search_ranks(&v, &setup);
            kills += !ended;
            if (ended)
                many = counts_of(&v);
            setup.spread.resume = true;
            setup.seed++;
            release(&again);
        }
        compare(many, one, "after a kill, round", round);
        if (bound == MODEL_BOUND_NONE)
            assert_int_equal(many.transitions, one.transitions);
        temporary_remove(folder);
        free(folder);
        release(&t);
    }
    assert_true(kills > 6); /* else this test tests nothing */
}

/* A failure that was found before the checkpoint is in the result, wherever the kill comes: the
 * ranks that resume don't take the failing step again. */
static void early_failure_is_kept(void **state)
{
    (void)state;
    int kills = 0;
    for (long turns = 200; turns <= 2000; turns += 200) {
        struct subject t;
        char *folder = temporary_make(temporary_parent(), "mazur-spread-");
        prepare(&t, early, MODEL_BOUND_NONE);
        struct verifier v = t.verifier;
        struct ranks_setup setup = {
            .ranks = 2, .seed = 5, .spread = {.folder = folder}, .turns = turns};
        bool ended = search_ranks(&v, &setup);
        release(&t);
        if (!ended) {
            kills++;
            prepare(&t, early, MODEL_BOUND_NONE);
            v = t.verifier;
            setup.turns = 0;
            setup.spread.resume = true;
            assert_true(search_ranks(&v, &setup));
            assert_true(counts_of(&v).failed);
            release(&t);
        } else {
            trail_free(&v.trail);
        }
        temporary_remove(folder);
        free(folder);
    }
    assert_true(kills > 2); /* else this test tests nothing */
}

/* Ranks refuse to resume from a checkpoint with a byte changed. */
static void damage_is_noticed(void **state)
{
    (void)state;
    struct subject t;
    char *folder = temporary_make(temporary_parent(), "mazur-spread-"), name[200];
    prepare(&t, comings, MODEL_BOUND_NONE);
    struct verifier v = t.verifier;
    struct ranks_setup setup = {.ranks = 2, .seed = 3, .spread = {.folder = folder}};
    assert_true(search_ranks(&v, &setup)); /* its last checkpoint stays */
    trail_free(&v.trail);
    char *path = format_text("%s/current", folder);
    FILE *file = fopen(path, "r");
    int generation = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "mazur-mpi checkpoint %d", &generation), 1);
    fclose(file);
    snprintf(name, sizeof name, "%s/rank-0.%d", folder, generation);
    file = fopen(name, "r+b");
    assert_non_null(file);
    fseek(file, -20, SEEK_END);
    int byte = fgetc(file);
    fseek(file, -20, SEEK_END);
    fputc(byte ^ 1, file);
    fclose(file);
    struct spread_net nobody = {.rank = 0, .ranks = 2};
    struct subject again;
    prepare(&again, comings, MODEL_BOUND_NONE);
    struct spread_setup resume = {.folder = folder, .resume = true};
    assert_null(spread_create(&again.verifier, &nobody, &resume));
    release(&again);
    temporary_remove(folder);
    free(folder);
    free(path);
    release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_count_alike),
        cmocka_unit_test(many_processes),
        cmocka_unit_test(killed_ranks_go_on),
        cmocka_unit_test(early_failure_is_kept),
        cmocka_unit_test(damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
