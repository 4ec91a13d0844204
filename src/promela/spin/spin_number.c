/* See spin_number.h. */
#include "promela/spin/spin_number.h"

/* Statements of the proctypes and claims that stand before this one in the text. */
static int numbered_before(const struct model *model, const struct proctype *p)
{
    int count = 0;
    for (int i = 0; i < model->proctype_count; i++)
        if (model->proctypes[i]->turn < p->turn)
            count += model->proctypes[i]->automaton->numbered;
    for (int i = 0; i < model->claim_count; i++)
        if (model->claims[i]->turn < p->turn && model->claims[i]->automaton)
            count += model->claims[i]->automaton->numbered;
    if (model->trace && model->trace->turn < p->turn)
        count += model->trace->automaton->numbered;
    return count;
}

int spin_number(const struct verifier *v, uint32_t transition)
{
    const struct transition_info *info = verifier_transition(v, transition);
    if (!info)
        return -1;
    return numbered_before(v->model, info->proctype) + info->transition->number - 1 +
           info->transition->late;
}

const struct proctype *spin_written_claim(const struct model *model)
{
    const struct proctype *claim = model->claim;
    return claim && claim->body ? claim : NULL;
}

int spin_claim_number(const struct model *model, const struct proctype *claim)
{
    int number = 0;
    for (int i = 0; i < model->proctype_count; i++)
        number += model->proctypes[i]->turn < claim->turn;
    for (int i = 0; i < model->claim_count; i++)
        number += model->claims[i]->turn < claim->turn;
    return number + (model->trace && model->trace->turn < claim->turn);
}
