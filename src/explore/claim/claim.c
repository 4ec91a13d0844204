/* The reasons that were raised, and what they leave to be claimed. See claim.h. */
#include "explore/claim/claim.h"

#include "base/must.h"
#include "explore/claim/limits.h"

static const struct claim_row rows[CLAIM_REASONS] = {
#define REASON(name, id, severity, flags, sentence)                                            \
    [REASON_##name] = {id, severity, flags, sentence},
#include "explore/claim/claim_reasons.def"
#undef REASON
};

const struct claim_row *claim_row(enum claim_reason reason)
{
    return &rows[reason];
}

const char *claim_severity_name(enum claim_severity severity)
{
    static const char *const names[] = {"remark", "weakens", "forbids"};
    return names[severity];
}

static bool same_detail(const char *kept, const char *detail)
{
    uint32_t i = 0;
    while (detail[i] && i + 1 < CLAIM_DETAIL && kept[i] == detail[i])
        i++;
    return i + 1 == CLAIM_DETAIL || kept[i] == detail[i];
}

bool claim_has(const struct claim *claim, enum claim_reason reason)
{
    return claim->raised[reason / 64] >> reason % 64 & 1;
}

/* Only the first CLAIM_DETAIL - 1 bytes of a detail are kept. When the list is full the detail
 * is lost, but not the reason. */
void claim_raise(struct claim *claim, enum claim_reason reason, const char *detail)
{
    must(reason < CLAIM_REASONS);
    bool known = claim_has(claim, reason);
    if (detail == 0 || *detail == 0) {
        if (known)
            return;
        detail = "";
    }
    claim->raised[reason / 64] |= UINT64_C(1) << reason % 64;
    uint32_t count = claim->count < CLAIM_ENTRIES ? claim->count : CLAIM_ENTRIES;
    for (uint32_t i = 0; i < count; i++)
        if (claim->entry[i].reason == (uint32_t)reason &&
            same_detail(claim->entry[i].detail, detail))
            return;
    if (count == CLAIM_ENTRIES)
        return;
    struct claim_entry *entry = &claim->entry[count];
    uint32_t i = 0;
    for (; detail[i] && i + 1 < CLAIM_DETAIL; i++)
        entry->detail[i] = detail[i];
    entry->detail[i] = 0;
    entry->reason = reason;
    claim->count = count + 1;
}

void claim_add(struct claim *claim, const struct claim *other)
{
    for (uint32_t i = 0; i < other->count && i < CLAIM_ENTRIES; i++)
        claim_raise(claim, other->entry[i].reason, other->entry[i].detail);
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++)
        if (claim_has(other, reason))
            claim_raise(claim, reason, 0);
}

static bool row_denies(const struct claim_row *row, enum claim_kind kind)
{
    switch (kind) {
    case CLAIM_COMPLETE:
        return row->severity >= CLAIM_WEAKENS;
    case CLAIM_EVERY: /* proven by a separate search (simplify.c) after this one */
        return row->severity >= CLAIM_WEAKENS && !(row->flags & (CLAIM_SEARCH | CLAIM_ENDS));
    case CLAIM_SEARCHED:
        return row->severity >= CLAIM_FORBIDS ||
               (row->severity >= CLAIM_WEAKENS && row->flags & CLAIM_SEARCH);
    case CLAIM_BOUND:
        return row->severity >= CLAIM_FORBIDS;
    case CLAIM_DISTINCT:
        return row->flags & CLAIM_UNCOUNTED;
    case CLAIM_TRACES: /* of bounds that are finished */
        return row->flags & (CLAIM_UNCOUNTED | CLAIM_INLINE);
    }
    return true;
}

bool claim_allows(const struct claim *claim, enum claim_kind kind)
{
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++)
        if (claim_has(claim, reason) && row_denies(&rows[reason], kind))
            return false;
    return true;
}

bool claim_is_blind_only(const struct claim *claim)
{
    bool blind = false;
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++) {
        if (!claim_has(claim, reason) || !row_denies(&rows[reason], CLAIM_COMPLETE))
            continue;
        if (!(rows[reason].flags & CLAIM_SIGHT))
            return false;
        blind = true;
    }
    return blind;
}

void claim_forget_search(struct claim *claim)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < claim->count && i < CLAIM_ENTRIES; i++)
        if (claim->entry[i].reason < CLAIM_REASONS &&
            !(rows[claim->entry[i].reason].flags & CLAIM_SEARCH))
            claim->entry[kept++] = claim->entry[i];
    claim->count = kept;
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++)
        if (rows[reason].flags & CLAIM_SEARCH)
            claim->raised[reason / 64] &= ~(UINT64_C(1) << reason % 64);
}

void claim_sanitize(struct claim *claim)
{
    bool doubtful = claim->count > CLAIM_ENTRIES;
    if (doubtful)
        claim->count = CLAIM_ENTRIES;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < claim->count; i++) {
        struct claim_entry *entry = &claim->entry[i];
        if (entry->reason >= CLAIM_REASONS) {
            doubtful = true;
            continue;
        }
        entry->detail[CLAIM_DETAIL - 1] = 0;
        claim->raised[entry->reason / 64] |= UINT64_C(1) << entry->reason % 64;
        claim->entry[kept++] = *entry;
    }
    claim->count = kept;
    if (CLAIM_REASONS % 64 != 0 && claim->raised[CLAIM_REASONS / 64] >> CLAIM_REASONS % 64) {
        doubtful = true;
        claim->raised[CLAIM_REASONS / 64] &= (UINT64_C(1) << CLAIM_REASONS % 64) - 1;
    }
    if (doubtful)
        claim_raise(claim, REASON_DOUBTFUL, 0);
}

static const struct limit_row limits[LIMITS] = {
#define LIMIT(name, value, reason, what) [LIMIT_AT_##name] = {#name, value, reason, what},
#include "explore/claim/limits.def"
#undef LIMIT
};

const struct limit_row *limit_row(enum limit limit)
{
    return &limits[limit];
}

void claim_limit(struct claim *claim, enum limit limit)
{
    claim_raise(claim, limits[limit].reason, limits[limit].what);
}
