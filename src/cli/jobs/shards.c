/* See shards.h. */
#define XXH_INLINE_ALL
#include "cli/jobs/shards.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "host/buffer.h"
#include "host/say.h"

/* --- which shard this is --- */

static bool read_number(const char *text, int64_t *number)
{
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    long long value = strtoll(text, &end, 10);
    *number = value;
    return *end == 0 && value >= 0 && value <= 1000000;
}

/* How a system that starts several jobs tells each of them which one it is. */
struct job_system {
    const char *index, *first, *count;
    int base; /* number of the first job where `first` is NULL */
};

static const struct job_system job_systems[] = {
    {"CI_NODE_INDEX", NULL, "CI_NODE_TOTAL", 1},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT", 0},
    {"JOB_COMPLETION_INDEX", NULL, "MAZUR_SHARDS", 0},
};

/* False after a message. */
static bool read_environment(const struct job_system *system, struct shard *shard)
{
    int64_t index, first = system->base, count;
    const char *name = system->index;
    bool good = read_number(getenv(name), &index);
    if (good && system->first)
        good = read_number(getenv(name = system->first), &first);
    if (good)
        good = read_number(getenv(name = system->count), &count);
    if (!good) {
        complain("--shard auto: %s is set, but %s is not a number", system->index, name);
        return false;
    }
    if (count < 1 || count > SHARDS_MOST || index < first || index - first >= count) {
        complain("--shard auto: %s=%lld is not one of %lld jobs", system->index,
                 (long long)index, (long long)count);
        return false;
    }
    *shard = (struct shard){.index = (int)(index - first) + 1, .of = (int)count};
    return true;
}

static bool read_any_environment(struct shard *shard)
{
    for (size_t i = 0; i < sizeof job_systems / sizeof *job_systems; i++) {
        const char *index = getenv(job_systems[i].index);
        if (index && *index)
            return read_environment(&job_systems[i], shard);
    }
    complain("--shard auto: the environment does not say which of how many jobs this is "
             "(CI_NODE_INDEX and CI_NODE_TOTAL, SLURM_ARRAY_TASK_ID, _MIN and _COUNT, or "
             "JOB_COMPLETION_INDEX and MAZUR_SHARDS)");
    return false;
}

bool shard_read(const char *text, struct shard *shard)
{
    *shard = (struct shard){0};
    if (!text)
        return true;
    if (strcmp(text, "auto") == 0)
        return read_any_environment(shard);
    const char *slash = strchr(text, '/');
    char *before = slash ? format_text("%.*s", (int)(slash - text), text) : NULL;
    int64_t index = 0, of = 0;
    bool good = read_number(before, &index) && read_number(slash + 1, &of) && index >= 1 &&
                index <= of && of <= SHARDS_MOST;
    free(before);
    if (!good) {
        complain("--shard %s: must be i/n, the i-th of n shards (1/8, 2/8, … 8/8; at most %d), "
                 "or auto",
                 text, SHARDS_MOST);
        return false;
    }
    *shard = (struct shard){.index = (int)index, .of = (int)of};
    return true;
}

/* --- dealing the leaves --- */

static int compare_weights(const void *left, const void *right)
{
    const struct shard_leaf *a = *(const struct shard_leaf *const *)left;
    const struct shard_leaf *b = *(const struct shard_leaf *const *)right;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a < b ? -1 : a > b;
}

void shards_deal(struct shard_leaf *leaf, size_t count, int n)
{
    struct shard_leaf **order = allocate((count + 1) * sizeof *order);
    double *load = allocate((size_t)n * sizeof *load);
    for (size_t i = 0; i < count; i++)
        order[i] = &leaf[i];
    for (int i = 0; i < n; i++)
        load[i] = 0;
    qsort(order, count, sizeof *order, compare_weights);
    for (size_t i = 0; i < count; i++) {
        int least = 0;
        for (int j = 1; j < n; j++)
            if (load[j] < load[least])
                least = j;
        order[i]->shard = least;
        load[least] += order[i]->weight + 1;
    }
    free(load);
    free(order);
}

uint64_t shards_hash(const struct shard_leaf *leaf, size_t count)
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (size_t i = 0; i < count; i++) {
        const struct leaf *part = &leaf[i].record->leaf;
        uint32_t sizes[] = {part->nsteps, part->nexcluded, part->ordered, part->chain};
        XXH3_64bits_update(state, sizes, sizeof sizes);
        XXH3_64bits_update(state, &part->sum, sizeof part->sum);
        XXH3_64bits_update(state, part->step, part->nsteps * sizeof *part->step);
        for (uint32_t j = 0; j < part->nexcluded; j++) {
            uint32_t event[] = {part->excluded[j].tid, part->excluded[j].index};
            XXH3_64bits_update(state, event, sizeof event);
            XXH3_64bits_update(state, &part->excluded[j].hash, sizeof part->excluded[j].hash);
        }
    }
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash;
}
