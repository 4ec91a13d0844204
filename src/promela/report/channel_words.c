/* See channel_words.h.
 *
 * Reduction proves by itself who uses a channel (channel_users.h), so a wrong word does no
 * harm; but whoever wrote it believes something that is not so. A word is contradicted if a
 * send or receive of another proctype was executed on a channel that both name directly: never
 * by mistake, but parameters, other processes of the same proctype and statements inside a
 * d_step are not compared. */
#include "promela/report/channel_words.h"

#include "promela/verifier/channel_users.h"

static bool is_same_channel(const struct expression *a, const struct expression *b)
{
    struct channel_name first, second;
    return channel_users_name(a, &first) && channel_users_name(b, &second) && !first.local &&
           !second.local && first.first == first.last && second.first == second.last &&
           first.first == second.first;
}

static bool is_contradicted(const struct channel_word *word, const struct transition *t)
{
    const struct statement *s = t->statement;
    return t->kind == TRANSITION_STATEMENT && s &&
           s->kind == (word->receives ? STATEMENT_RECEIVE : STATEMENT_SEND) &&
           is_same_channel(word->channel, s->target);
}

static const struct transition *find_contradiction(const struct verifier *v,
                                                   const struct channel_word *word, uint32_t id)
{
    const struct transition_info *info = &v->transitions[id];
    const struct transition *t = info->transition;
    if (!t || !atomic_load(&v->reached[id]) || info->proctype == word->proctype ||
        info->proctype->claim || info->proctype->trace)
        return NULL;
    if (is_contradicted(word, t))
        return t;
    for (int i = 0; i < t->merged_count; i++)
        if (is_contradicted(word, t->merged[i]))
            return t->merged[i];
    return NULL;
}

static const char *say_contradiction(const struct verifier *v, const struct channel_word *word,
                                     uint32_t id, const struct transition *t)
{
    struct place place = place_in_body(t->place);
    return source_format(&v->model->source, "%s %s in %s is wrong: %s %s it, too, at %s:%d",
                         word->receives ? "xr" : "xs", expression_text(v->model, word->channel),
                         word->proctype->name, v->transitions[id].proctype->name,
                         word->receives ? "receives from" : "sends to", place.file, place.line);
}

const char *channel_word_contradicted(const struct verifier *v)
{
    if (!v->reached)
        return NULL;
    for (const struct channel_word *word = v->model->words; word; word = word->next)
        for (uint32_t id = 0; id < v->transition_count; id++) {
            const struct transition *t = find_contradiction(v, word, id);
            if (t)
                return say_contradiction(v, word, id, t);
        }
    return NULL;
}
