/* The owner of the claim: every reason of the table is raised, and every claim falls as its row
 * says, in the list itself and in what text and JSON say of a search that found nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "explore/claim/limits.h"
#include "trace/reasons.h"
#include "report/files/formats.h"
#include "report/text/text.h"

static const enum claim_kind kinds[] = {CLAIM_COMPLETE, CLAIM_BOUND,  CLAIM_SEARCHED,
                                        CLAIM_DISTINCT, CLAIM_TRACES, CLAIM_EVERY};

static void nothing_raised_allows_all(void **state)
{
    (void)state;
    struct claim claim = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_true(claim_allows(&claim, kinds[i]));
    assert_false(claim_is_blind_only(&claim));
}

static void each_reason_takes_what_its_row_says(void **state)
{
    (void)state;
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++) {
        const struct claim_row *row = claim_row(reason);
        struct claim claim = {0};
        claim_raise(&claim, reason, "detail");
        assert_true(claim_has(&claim, reason));
        assert_int_equal(claim_allows(&claim, CLAIM_COMPLETE), row->severity == CLAIM_REMARK);
        assert_int_equal(claim_allows(&claim, CLAIM_BOUND), row->severity != CLAIM_FORBIDS);
        if (row->flags & CLAIM_UNCOUNTED) {
            assert_false(claim_allows(&claim, CLAIM_DISTINCT));
            assert_false(claim_allows(&claim, CLAIM_TRACES));
        }
        if (!(row->flags & (CLAIM_SEARCH | CLAIM_ENDS)))
            assert_int_equal(claim_allows(&claim, CLAIM_EVERY), row->severity == CLAIM_REMARK);
        if (row->flags & CLAIM_SIGHT)
            assert_true(claim_is_blind_only(&claim));
        claim_forget_search(&claim);
        assert_int_equal(claim_has(&claim, reason), !(row->flags & CLAIM_SEARCH));
    }
}

/* A search that was over, with two bounds, as a child would leave it. */
static struct result *a_result(void)
{
    struct result *result = result_new("program");
    struct coverage *coverage = &result->coverage;
    coverage->strategy = "icb";
    coverage->instrumented = true;
    coverage->bound_asked = 1;
    coverage->fair = 3;
    coverage->fewest_failing = -1;
    coverage->restricted = "";
    coverage->stats = (struct search_stats){.executions = 4,
                                            .distinct = 3,
                                            .distinct_exact = true,
                                            .bound = 1,
                                            .bound_done = 1,
                                            .complete = true,
                                            .nrows = 2};
    coverage->stats.row[0] = (struct bound_row){.bound = 0, .executions = 1, .distinct = 1};
    coverage->stats.row[1] = (struct bound_row){.bound = 1, .executions = 4, .distinct = 3};
    return result;
}

static json_t *report_with(uint32_t reason, char **text)
{
    struct result *result = a_result();
    struct buffer out = {0};
    if (reason < CLAIM_REASONS)
        claim_raise(&result->coverage.claim, reason, "detail");
    coverage_decide(&result->coverage);
    text_pass(&out, result, (struct text_style){0});
    char *json = json_result(result);
    json_t *root = json_loads(json, 0, NULL);
    free(json);
    *text = buffer_take(&out);
    result_free(result);
    assert_non_null(root);
    return root;
}

static bool has_reason(const json_t *root, const struct claim_row *row)
{
    const json_t *list = json_object_get(root, "reasons");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(one, "id")), row->id) == 0)
            return strcmp(json_string_value(json_object_get(one, "severity")),
                          claim_severity_name(row->severity)) == 0;
    }
    return false;
}

static void each_reason_reaches_the_reports(void **state)
{
    (void)state;
    char *text;
    json_t *plain = report_with(CLAIM_REASONS, &text);
    assert_true(json_is_true(json_object_get(plain, "complete")));
    assert_non_null(strstr(text, "complete: every interleaving"));
    assert_non_null(json_object_get(plain, "traces_within_bound"));
    json_decref(plain);
    free(text);
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++) {
        const struct claim_row *row = claim_row(reason);
        bool stays = row->severity == CLAIM_REMARK;
        json_t *root = report_with(reason, &text);
        assert_true(has_reason(root, row));
        assert_int_equal(json_is_true(json_object_get(root, "complete")), stays);
        assert_int_equal(strstr(text, "complete: ") != NULL, stays);
        if (row->severity == CLAIM_FORBIDS) {
            assert_null(strstr(text, "passed: "));
            assert_string_equal(json_string_value(json_object_get(root, "verdict")),
                                "nothing-found");
        }
        if (row->flags & (CLAIM_UNCOUNTED | CLAIM_INLINE))
            assert_null(json_object_get(root, "traces_within_bound"));
        if (row->flags & CLAIM_UNCOUNTED)
            assert_true(json_is_false(json_object_get(root, "distinct_exact")));
        json_decref(root);
        free(text);
    }
}

static void fairness_is_in_the_message(void **state)
{
    (void)state;
    char *text;
    json_t *root = report_with(REASON_FAIR_BOUND, &text);
    assert_non_null(
        strstr(json_string_value(json_object_get(root, "message")), "fair bound 3"));
    assert_non_null(strstr(text, "fair bound 3"));
    json_decref(root);
    free(text);
}

static void each_limit_takes_a_claim(void **state)
{
    (void)state;
    for (uint32_t limit = 0; limit < LIMITS; limit++) {
        const struct limit_row *row = limit_row(limit);
        struct claim claim = {0};
        claim_limit(&claim, limit);
        assert_true(claim_has(&claim, row->reason));
        assert_true(row->value > 0);
        /* what is shown of bounds is no claim; all others lose something */
        if (limit != LIMIT_AT_BOUND_ROWS)
            assert_false(claim_allows(&claim, CLAIM_BOUND));
        if (*row->what) {
            char *sentence = reason_sentence(&claim, row->reason);
            assert_non_null(strstr(sentence, row->what));
            free(sentence);
        }
    }
}

static void a_full_list_loses_no_reason(void **state)
{
    (void)state;
    struct claim claim = {0};
    char name[32];
    for (int i = 0; i < 2 * CLAIM_ENTRIES; i++) {
        snprintf(name, sizeof name, "call %d", i);
        claim_raise(&claim, REASON_UNCONTROLLED, name);
    }
    assert_int_equal(claim.count, CLAIM_ENTRIES);
    claim_raise(&claim, REASON_STEP_LIMIT, NULL);
    assert_true(claim_has(&claim, REASON_STEP_LIMIT));
    assert_false(claim_allows(&claim, CLAIM_BOUND));
    struct claim copy = {0};
    claim_add(&copy, &claim);
    assert_true(claim_has(&copy, REASON_STEP_LIMIT));
}

static void the_same_is_kept_once(void **state)
{
    (void)state;
    struct claim claim = {0};
    for (int i = 0; i < 3; i++) {
        claim_raise(&claim, REASON_UNCONTROLLED, "fork");
        claim_raise(&claim, REASON_UNCONTROLLED, "read");
        claim_raise(&claim, REASON_UNCONTROLLED, "readlink");
        claim_raise(&claim, REASON_STEP_LIMIT, NULL);
    }
    assert_int_equal(claim.count, 4);
    char *sentence = reason_sentence(&claim, REASON_UNCONTROLLED);
    assert_string_equal(sentence, "3 uncontrolled calls: fork, read, readlink");
    free(sentence);
}

static void a_scribbled_list_forbids(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct claim claim = {0};
        claim_raise(&claim, REASON_IDLE_TIMEOUTS, NULL);
        if (kind == 0)
            claim.count = UINT32_MAX;
        else if (kind == 1)
            claim.entry[0].reason = CLAIM_REASONS + 7;
        else
            memset(&claim, 0xff, sizeof claim);
        claim_sanitize(&claim);
        assert_true(claim.count <= CLAIM_ENTRIES);
        assert_false(claim_allows(&claim, CLAIM_COMPLETE));
        assert_false(claim_allows(&claim, CLAIM_BOUND));
        for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++)
            if (claim_has(&claim, reason))
                free(reason_sentence(&claim, reason));
    }
}

static void ids_are_there_once(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < CLAIM_REASONS; a++) {
        for (uint32_t b = 0; b < a; b++)
            assert_string_not_equal(claim_row(a)->id, claim_row(b)->id);
        for (const char *c = claim_row(a)->id; *c; c++)
            assert_true((*c >= 'a' && *c <= 'z') || *c == '-');
        struct claim claim = {0};
        assert_true(reason_raise_by_id(&claim, claim_row(a)->id, NULL));
        assert_true(claim_has(&claim, a));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_raised_allows_all),
        cmocka_unit_test(each_reason_takes_what_its_row_says),
        cmocka_unit_test(each_reason_reaches_the_reports),
        cmocka_unit_test(fairness_is_in_the_message),
        cmocka_unit_test(each_limit_takes_a_claim),
        cmocka_unit_test(a_full_list_loses_no_reason),
        cmocka_unit_test(the_same_is_kept_once),
        cmocka_unit_test(a_scribbled_list_forbids),
        cmocka_unit_test(ids_are_there_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
