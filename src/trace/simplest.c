/* What is known about the simplest form of a failure, in words and as JSON. Text, page and
 * summary use the same sentences, and none claims more than the search has proven. */
#include "trace/simplest.h"

#include <stdlib.h>
#include <string.h>

#include "explore/search/strategies.h"
#include "trace/trace_json.h"

/* Did another failure need fewer preemptions? It may have if more failures were found than are
 * kept. */
static bool fails_with_fewer(const struct trace *trace)
{
    const struct coverage *coverage = &trace->coverage;
    return claim_has(&coverage->claim, REASON_MANY_FAILURES) ||
           (coverage->fewest_failing >= 0 &&
            coverage->fewest_failing < trace->failure.preemptions);
}

bool is_fewest_preemptions(const struct trace *trace, bool *only_this_failure)
{
    int fewer = trace->failure.preemptions - 1;
    const struct coverage *coverage = &trace->coverage;
    *only_this_failure = false;
    if (fewer < 0 || !coverage->strategy || (coverage->restricted && *coverage->restricted))
        return false;
    if (coverage->model)
        return coverage->model->fewest;
    if (!strategy_has(coverage->strategy, STRATEGY_OTHER_BOUND) &&
        coverage->stats.bound_done >= fewer && !fails_with_fewer(trace))
        return true;
    *only_this_failure = true;
    return trace->simplest.repeated && trace->simplest.excluded >= fewer;
}

static void add_cost(struct buffer *out, uint32_t preemptions, uint32_t switches,
                     uint32_t events)
{
    buffer_printf(out, "%u preemption%s, %u switch%s, %u event%s", preemptions,
                  preemptions == 1 ? "" : "s", switches, switches == 1 ? "" : "es", events,
                  events == 1 ? "" : "s");
}

char *simplest_sentence(const struct trace *trace)
{
    const struct simplification *facts = &trace->simplest;
    struct buffer out = {0};
    if (!facts->repeated)
        return NULL;
    bool changed = facts->preemptions != facts->given_preemptions ||
                   facts->switches != facts->given_switches ||
                   facts->steps != facts->given_steps;
    if (changed) {
        buffer_text(&out, "found with ");
        add_cost(&out, facts->given_preemptions, facts->given_switches, facts->given_steps);
        buffer_text(&out, "; simplified to ");
        add_cost(&out, facts->preemptions, facts->switches, facts->steps);
    }
    if (!facts->compared && facts->preemptions > 0)
        buffer_printf(&out, "%sthere may be a simpler one: %s ran out", changed ? "; " : "",
                      facts->cut ? "the budget of --simplify" : "the time");
    return out.length ? buffer_take(&out) : NULL;
}

/* After the last step nothing is left to continue, since the failure is part of that step.
 * Anywhere else at least one continuation must have been run. */
bool is_inflection_proven(const struct trace *trace)
{
    const struct simplification *facts = &trace->simplest;
    bool at_end = facts->inflection > 0 && facts->inflection == facts->steps;
    return facts->repeated && facts->inflection != UINT32_MAX &&
           (at_end || facts->continuations > 0) &&
           claim_allows(&trace->coverage.claim, CLAIM_EVERY);
}

char *inflection_sentence(const struct trace *trace)
{
    const struct simplification *facts = &trace->simplest;
    struct buffer out = {0};
    if (!is_inflection_proven(trace))
        return NULL;
    if (facts->inflection == 0)
        buffer_text(&out, "every execution fails, whatever the schedule");
    else
        buffer_printf(&out, "from here on %severy continuation fails",
                      facts->earliest ? "" : "(or earlier) ");
    return buffer_take(&out);
}

static json_t *cost_json(uint32_t preemptions, uint32_t switches, uint32_t steps)
{
    return json_pack("{s:I, s:I, s:I}", "preemptions", (json_int_t)preemptions, "switches",
                     (json_int_t)switches, "steps", (json_int_t)steps);
}

/* Null if the failure was not simplified. */
json_t *json_simplest(const struct trace *trace)
{
    const struct simplification *facts = &trace->simplest;
    if (!facts->repeated)
        return json_null();
    json_t *object = cost_json(facts->preemptions, facts->switches, facts->steps);
    put_field(object, "found",
              cost_json(facts->given_preemptions, facts->given_switches, facts->given_steps));
    put_flag(object, "compared_all", facts->compared);
    put_flag(object, "cut", facts->cut || !facts->finished);
    put_number(object, "none_with_preemptions", (int64_t)facts->excluded);
    put_number(object, "executions", (int64_t)facts->executions);
    return object;
}

json_t *json_inflection(const struct trace *trace)
{
    const struct simplification *facts = &trace->simplest;
    if (!is_inflection_proven(trace))
        return json_null();
    json_t *object = json_object();
    put_number(object, "step", (int64_t)facts->inflection);
    if (trace->inflection != TRACE_NO_EVENT)
        put_number(object, "event", (int64_t)trace->inflection);
    put_flag(object, "earliest", facts->earliest);
    put_number(object, "continuations", (int64_t)facts->continuations);
    return object;
}

/* Older files lack both fields, and are valid without them. */
void read_simplest(struct trace_reader *reader, const json_t *root)
{
    struct simplification *facts = &reader->trace->simplest;
    const json_t *object = json_object_get(root, "simplest");
    const json_t *found = json_object_get(object, "found");
    const json_t *inflection = json_object_get(root, "inflection");
    reader->trace->inflection = TRACE_NO_EVENT;
    facts->inflection = UINT32_MAX;
    if (!json_is_object(object))
        return;
    facts->repeated = true;
    facts->preemptions = get_count(reader, object, "preemptions");
    facts->switches = get_count(reader, object, "switches");
    facts->steps = get_count(reader, object, "steps");
    facts->given_preemptions = get_count(reader, found, "preemptions");
    facts->given_switches = get_count(reader, found, "switches");
    facts->given_steps = get_count(reader, found, "steps");
    facts->compared = get_flag(reader, object, "compared_all");
    facts->cut = get_flag(reader, object, "cut");
    facts->finished = true;
    facts->excluded =
        (int)get_number(reader, object, "none_with_preemptions", -1, INT32_MAX, -1);
    facts->executions = get_long_count(reader, object, "executions");
    if (!json_is_object(inflection))
        return;
    facts->inflection = get_count(reader, inflection, "step");
    facts->earliest = get_flag(reader, inflection, "earliest");
    facts->continuations = get_long_count(reader, inflection, "continuations");
    reader->trace->inflection =
        (uint32_t)get_number(reader, inflection, "event", 0, UINT32_MAX, TRACE_NO_EVENT);
    if (reader->trace->inflection >= reader->trace->nevents)
        reader->trace->inflection = TRACE_NO_EVENT;
}
