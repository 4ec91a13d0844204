/* Mutated models: each gives a message or a verdict, never a crash or a hang.
 *
 *     fuzz_models COUNT SEED MODEL.pml …      COUNT mutants; exit 1 if one of them went wrong
 *     fuzz_models --one FILE                  run one file as a mutant is run
 *
 * A mutant is a good model with bytes flipped, words swapped, doubled, dropped or replaced, and
 * pieces of another model spliced in. It goes through all of `mazur model`, in this process,
 * with little time and memory for the search. A worker runs many mutants; if it dies or hangs,
 * the mutant is saved as fuzz-N.pml in the current directory, and a new worker continues.
 * Models with embedded C are excluded: their mutants could be any program. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int model_main(int argc, char **argv);

#define TEXT_MOST    65536
#define CORPUS_MOST  512
#define STANDS_STILL 120 /* seconds for one mutant: far more than any machine needs */

struct text {
    char bytes[TEXT_MOST];
    size_t length;
};

static struct text *corpus;
static size_t corpus_count;
static volatile uint64_t *at; /* shared: the mutant being run */
static char folder[] = "/tmp/mazur-fuzz-XXXXXX";

static uint64_t random_state;

static uint64_t random_number(uint64_t below)
{
    random_state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % below;
}

static void replace(struct text *t, size_t from, size_t length, const char *with, size_t size)
{
    if (t->length - length + size >= TEXT_MOST)
        return;
    memmove(t->bytes + from + size, t->bytes + from + length, t->length - from - length);
    memcpy(t->bytes + from, with, size);
    t->length = t->length - length + size;
}

/* The word, number or sign around a random place. */
static void random_word(const struct text *t, size_t *from, size_t *length)
{
    size_t i = random_number(t->length);
    while (i + 1 < t->length && isspace((unsigned char)t->bytes[i]))
        i++;
    size_t end = i;
    bool name = isalnum((unsigned char)t->bytes[i]) || t->bytes[i] == '_';
    while (name && i > 0 && (isalnum((unsigned char)t->bytes[i - 1]) || t->bytes[i - 1] == '_'))
        i--;
    while (end < t->length &&
           (name ? isalnum((unsigned char)t->bytes[end]) || t->bytes[end] == '_'
                 : ispunct((unsigned char)t->bytes[end])))
        end++;
    *from = i;
    *length = end > i ? end - i : 1;
}

static void mutate_once(struct text *t)
{
    static const char *const words[] = {
        "0",        "1",       "255",   "2147483647", "-1",     "4294967295", "::",
        "->",       "{",       "}",     "(",          ")",      "[",          "]",
        ";",        "do",      "od",    "if",         "fi",     "atomic",     "d_step",
        "goto",     "break",   "else",  "unless",     "never",  "ltl",        "chan",
        "mtype",    "typedef", "run",   "init",       "active", "[]",         "<>",
        "U",        "!",       "?",     "??",         "!!",     "eval",       "len",
        "timeout",  "_pid",    "_last", "np_",        "trace",  "inline",     "for",
        "in",       "select",  "..",    "skip",       "assert", "hidden",     "unsigned",
        "@",        ":",       ".",     "/*",         "*/",     "\"",         "'",
        "#",        "byte",    "int",   "[0]",        "[255]",  "of",         "provided",
        "priority", "return"};
    size_t a, alength, b, blength;
    random_word(t, &a, &alength);
    random_word(t, &b, &blength);
    char kept[256];
    size_t size = blength < sizeof kept ? blength : sizeof kept;
    memcpy(kept, t->bytes + b, size);
    switch (random_number(8)) {
    case 0:
        t->bytes[random_number(t->length)] ^= (char)(1u << random_number(8));
        return;
    case 1:
        t->bytes[random_number(t->length)] = (char)random_number(256);
        return;
    case 2: /* replace one word with another */
        replace(t, a, alength, kept, size);
        return;
    case 3:
        replace(t, a, alength, "", 0);
        return;
    case 4: /* double it, somewhere */
        replace(t, a, 0, kept, size);
        return;
    case 5: {
        const char *word = words[random_number(sizeof words / sizeof *words)];
        replace(t, a, random_number(2) ? alength : 0, word, strlen(word));
        return;
    }
    case 6: { /* insert a piece of another model */
        const struct text *other = &corpus[random_number(corpus_count)];
        size_t from = random_number(other->length);
        size_t most = other->length - from < 200 ? other->length - from : 200;
        replace(t, a, random_number(2) ? alength : 0, other->bytes + from,
                1 + random_number(most));
        return;
    }
    case 7: { /* remove or repeat a piece of the model */
        size_t most = t->length - a < 400 ? t->length - a : 400,
               length = 1 + random_number(most);
        if (random_number(2)) {
            replace(t, a, length, "", 0);
        } else {
            char piece[401];
            memcpy(piece, t->bytes + a, length);
            replace(t, b, 0, piece, length);
        }
    }
    }
}

static void make_mutant(struct text *t, uint64_t seed, uint64_t number)
{
    random_state = seed * UINT64_C(1000003) + number;
    *t = corpus[random_number(corpus_count)];
    for (uint64_t i = 1 + random_number(6); i > 0 && t->length > 1; i--)
        mutate_once(t);
}

static bool write_text(const char *path, const struct text *t)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    bool good = fwrite(t->bytes, 1, t->length, file) == t->length;
    return fclose(file) == 0 && good;
}

/* The options change with the mutant, so that every kind of search gets some. */
static int run_model(const char *path, uint64_t number)
{
    static char *const searches[][2] = {{"--search", "dfs"},      {"--search", "bfs"},
                                        {"--bound", "1"},         {"--optimize", "off"},
                                        {"--por", "off"},         {"--keep-going", "--fair"},
                                        {"--progress", "--fair"}, {"--acceptance", "--quiet"}};
    char *const *extra = searches[number % 8];
    char *arguments[] = {"model",  (char *)path, "--time",     "200ms",  "--memory", "64M",
                         "--tier", "1",          "--no-trace", extra[0], extra[1],   NULL};
    return model_main((int)(sizeof arguments / sizeof *arguments) - 1, arguments);
}

static _Noreturn void work(uint64_t seed, uint64_t from, uint64_t to)
{
    char path[64];
    snprintf(path, sizeof path, "%s/mutant.pml", folder);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    struct text *t = malloc(sizeof *t);
    for (uint64_t i = from; t != NULL && i < to; i++) {
        *at = i;
        make_mutant(t, seed, i);
        alarm(STANDS_STILL);
        if (!write_text(path, t))
            _exit(3);
        int code = run_model(path, i);
        bool known = code == 0 || code == 1 || code == 2 || code == 3 || code == 64;
        if (!known)
            _exit(2);
    }
    *at = to;
    _exit(0);
}

static void save(uint64_t seed, uint64_t number, int status)
{
    char path[64];
    struct text *t = malloc(sizeof *t);
    if (t == NULL)
        return;
    make_mutant(t, seed, number);
    snprintf(path, sizeof path, "fuzz-%llu.pml", (unsigned long long)number);
    write_text(path, t);
    free(t);
    printf("mutant %llu: %s %d, saved as %s\n", (unsigned long long)number,
           WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), path);
    fflush(stdout);
}

static bool read_corpus(char **paths, int count)
{
    corpus = calloc(CORPUS_MOST, sizeof *corpus);
    for (int i = 0; corpus != NULL && i < count && corpus_count < CORPUS_MOST; i++) {
        struct text *t = &corpus[corpus_count];
        FILE *file = fopen(paths[i], "re");
        if (!file)
            continue;
        t->length = fread(t->bytes, 1, TEXT_MOST / 2, file);
        fclose(file);
        bool embedded = memmem(t->bytes, t->length, "c_code", 6) ||
                        memmem(t->bytes, t->length, "c_track", 7) ||
                        memmem(t->bytes, t->length, "c_decl", 6);
        corpus_count += t->length > 10 && !embedded;
    }
    return corpus_count > 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--one") == 0)
        return run_model(argv[2], 0);
    if (argc < 4 || !read_corpus(argv + 3, argc - 3)) {
        fprintf(stderr, "usage: fuzz_models COUNT SEED MODEL.pml …\n");
        return 64;
    }
    uint64_t count = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10), next = 0;
    int bad = 0;
    at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mkdtemp(folder) == NULL)
        return 70;
    while (next < count && bad < 20) {
        uint64_t to = next + 500 < count ? next + 500 : count;
        pid_t child = fork();
        if (child == 0)
            work(seed, next, to);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 70;
        if (status != 0) {
            bad++;
            save(seed, *at, status);
            next = *at + 1;
        } else {
            next = to;
        }
    }
    char path[64];
    snprintf(path, sizeof path, "%s/mutant.pml", folder);
    unlink(path);
    rmdir(folder);
    printf("%llu mutants of %zu models, %d went wrong\n", (unsigned long long)next,
           corpus_count, bad);
    return bad > 0;
}
