/* The parts of a search over ranks. See mpi_parts.h.
 *
 * A part is what `mazur check --shard 7/16` searches: parts are disjoint and complete without
 * talking to each other, and `mazur merge` says what all of them prove. There are several parts
 * per rank, and a rank that has finished one gets the next:
 *
 *      rank 0    hands out numbers ──▶ PART ──▶  every rank: runs mazur with --shard
 *                keeps the results ◀── DONE ◀──  … sends what --json wrote
 *                in the end: mazur merge
 *
 * The results serve as the journal: with --checkpoint each is written to a file at once, and
 * --resume runs only the parts that have no file. A search that was killed is repeated. */
#define _GNU_SOURCE /* memfd_create */
#include "mpi/mpi_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/must.h"
#include "cli/build/toolchain.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/say.h"
#include "host/temporary.h"
#include "host/tool.h"

#define PARTS_PER_RANK 4
#define ATTEMPTS       3 /* of a part whose search was killed */

enum part_kind { PART_GIVEN = 1, PART_DONE, PART_NO_MORE };

/* Follows PART_DONE: the result, or the message that came instead. */
struct part_message {
    uint32_t kind;
    int32_t part, of, status;
    uint32_t size, is_result;
};

/* What every rank has. */
struct part_worker {
    struct spread_net net;
    const struct part_words *words;
    char *mazur, *folder, *result; /* the command; where this rank works, and the file there */
    pid_t child;
    int part, of, errors;
    bool over;
};

/* What rank 0 has besides. */
struct part_lead {
    char *folder; /* of the results */
    bool own;     /* … which is removed at the end */
    int parts, done;
    struct part_slot {
        bool given, done;
        int attempts;
    } * slot;
    bool *idle; /* by rank: it waits for a part */
    char *refusal;
    int status;
};

/* --- one part --- */

static void start_part(struct part_worker *w, int part, int of)
{
    char *shard = format_text("%d/%d", part, of);
    struct text_list words = {0};
    w->part = part;
    w->of = of;
    unlink(w->result);
    list_add(&words, w->mazur);
    list_copy(&words, &w->words->search);
    list_add(&words, "--shard");
    list_take(&words, shard);
    list_add(&words, "--json");
    list_add(&words, w->result);
    list_copy(&words, &w->words->rest);
    w->errors = memfd_create("mazur-mpi", MFD_CLOEXEC);
    struct tool tool = {.arguments = words.item,
                        .input = TOOL_NOTHING,
                        .output = TOOL_NOTHING,
                        .errors = w->errors >= 0 ? w->errors : TOOL_SAME};
    w->child = tool_start(&tool);
    must(w->child > 0);
    list_release(&words);
}

/* All of a file, malloc'd; NULL: there is none. */
static char *read_whole(int descriptor, uint32_t *size)
{
    struct stat about;
    char *text = NULL;
    if (descriptor >= 0 && fstat(descriptor, &about) == 0 && about.st_size < (off_t)1 << 30 &&
        (text = malloc((size_t)about.st_size + 1))) {
        ssize_t got = pread(descriptor, text, (size_t)about.st_size, 0);
        *size = got > 0 ? (uint32_t)got : 0;
        text[*size] = '\0';
    }
    return text;
}

static void hear_done(struct part_lead *l, int from, const struct part_message *m,
                      const char *text);

static void tell_done(struct part_worker *w, struct part_lead *lead, int status)
{
    FILE *file = fopen(w->result, "re");
    struct part_message m = {.kind = PART_DONE,
                             .part = w->part,
                             .of = w->of,
                             .status = status,
                             .is_result = file != NULL};
    char *text = read_whole(file ? fileno(file) : w->errors, &m.size);
    if (lead) {
        hear_done(lead, 0, &m, text ? text : "");
    } else {
        char *bytes = malloc(sizeof m + m.size);
        must(bytes);
        memcpy(bytes, &m, sizeof m);
        if (m.size > 0)
            memcpy(bytes + sizeof m, text, m.size);
        w->net.send(w->net.context, 0, bytes, sizeof m + m.size);
        free(bytes);
    }
    free(text);
    if (file)
        fclose(file);
    if (w->errors >= 0)
        close(w->errors);
}

static void look_at_part(struct part_worker *w, struct part_lead *lead)
{
    int status = 0;
    if (w->child == 0 || !tool_poll(w->child, &status))
        return;
    w->child = 0;
    tell_done(w, lead, status);
}

/* --- rank 0: results --- */

static char *result_path(const struct part_lead *l, int part)
{
    return format_text("%s/part-%d-of-%d.json", l->folder, part, l->parts);
}

static void refuse_all(struct part_lead *l, const char *text, int status)
{
    if (!l->refusal)
        l->refusal = copy_text(text);
    l->status = status;
}

static void keep_result(struct part_lead *l, int part, const char *text)
{
    char *path = result_path(l, part);
    int error = replace_file(path, text);
    if (error != 0) {
        char *why = format_text("mazur: error: %s: %s\n", path, strerror(error));
        refuse_all(l, why, EXIT_INTERNAL);
        free(why);
    } else {
        l->slot[part - 1].done = true;
        l->done++;
    }
    free(path);
}

/* A search that wrote no result was killed, or could not begin. */
static void hear_done(struct part_lead *l, int from, const struct part_message *m,
                      const char *text)
{
    struct part_slot *slot = &l->slot[m->part - 1];
    l->idle[from] = true;
    slot->given = false;
    if (m->is_result && WIFEXITED(m->status))
        keep_result(l, m->part, text);
    else if (WIFEXITED(m->status))
        refuse_all(l, text, WEXITSTATUS(m->status));
    else if (++slot->attempts == ATTEMPTS)
        refuse_all(l, "mazur: error: the search of a part was killed again and again\n",
                   EXIT_INTERNAL);
}

static void give_parts(struct part_worker *w, struct part_lead *l)
{
    for (int part = 1, rank = 0; part <= l->parts && !l->refusal; part++) {
        struct part_slot *slot = &l->slot[part - 1];
        if (slot->given || slot->done)
            continue;
        while (rank < w->net.ranks && !l->idle[rank])
            rank++;
        if (rank == w->net.ranks)
            return;
        struct part_message m = {.kind = PART_GIVEN, .part = part, .of = l->parts};
        slot->given = true;
        l->idle[rank] = false;
        if (rank == 0)
            start_part(w, part, l->parts);
        else
            w->net.send(w->net.context, rank, &m, sizeof m);
    }
}

/* All have answered, and there are no more parts, or no reason to run them. */
static bool is_at_end(const struct part_worker *w, const struct part_lead *l)
{
    for (int i = 0; i < w->net.ranks; i++)
        if (!l->idle[i])
            return false;
    return l->done == l->parts || l->refusal;
}

static int merge_parts(const struct part_worker *w, const struct part_lead *l)
{
    struct text_list words = {0};
    if (l->refusal) {
        fputs(l->refusal, stderr);
        return l->status;
    }
    list_add(&words, w->mazur);
    list_add(&words, "merge");
    list_copy(&words, &w->words->merge);
    for (int part = 1; part <= l->parts; part++)
        list_take(&words, result_path(l, part));
    fflush(stdout);
    struct tool tool = {.arguments = words.item,
                        .input = TOOL_NOTHING,
                        .output = TOOL_SAME,
                        .errors = TOOL_SAME};
    int status = tool_run(&tool);
    list_release(&words);
    return status < 0 ? EXIT_INTERNAL : status;
}

/* --- rank 0: the folder --- */

/* Describes the search that is divided; compared before a search is resumed. */
static char *describe_search(const struct part_worker *w, int parts)
{
    struct buffer text = {0};
    buffer_printf(&text, "%d parts of:", parts);
    for (size_t i = 0; i < w->words->search.count; i++)
        buffer_printf(&text, " %s", w->words->search.item[i]);
    for (size_t i = 0; i < w->words->rest.count; i++)
        buffer_printf(&text, " %s", w->words->rest.item[i]);
    buffer_printf(&text, "\n");
    return text.data;
}

/* The number of parts in the folder's description; 0: there is none. -1 after a message. */
static int parts_in_folder(const struct part_worker *w, const char *path)
{
    FILE *file = fopen(path, "re");
    uint32_t size = 0;
    char *there = file ? read_whole(fileno(file), &size) : NULL;
    int parts = there ? atoi(there) : 0;
    if (file)
        fclose(file);
    if (parts > 0) {
        char *ours = describe_search(w, parts);
        if (strcmp(ours, there) != 0) {
            complain("%s is of another search: %s", path, there);
            parts = -1;
        }
        free(ours);
    }
    free(there);
    return parts;
}

/* Notes the results that already exist. Without --resume these are removed. */
static void note_results(struct part_lead *l, bool resume)
{
    for (int part = 1; part <= l->parts; part++) {
        char *path = result_path(l, part);
        if (!resume)
            unlink(path);
        else if (access(path, R_OK) == 0) {
            l->slot[part - 1].done = true;
            l->done++;
        }
        free(path);
    }
}

static bool open_folder(struct part_worker *w, struct part_lead *l)
{
    l->own = !w->words->folder;
    l->folder =
        l->own ? temporary_make(temporary_parent(), "mazur-mpi-") : copy_text(w->words->folder);
    l->parts = PARTS_PER_RANK * w->net.ranks;
    if (!l->folder || (!l->own && mkdir(l->folder, 0777) != 0 && errno != EEXIST)) {
        complain("%s: %s", l->folder ? l->folder : temporary_parent(), strerror(errno));
        return false;
    }
    char *path = format_text("%s/parts", l->folder);
    int there = w->words->resume ? parts_in_folder(w, path) : 0;
    if (there > 0)
        l->parts = there;
    char *text = describe_search(w, l->parts);
    int error = there < 0 ? EINVAL : replace_file(path, text);
    if (error != 0 && there >= 0)
        complain("%s: %s", path, strerror(error));
    free(text);
    free(path);
    l->slot = calloc((size_t)l->parts, sizeof *l->slot);
    l->idle = calloc((size_t)w->net.ranks, sizeof *l->idle);
    must(l->slot && l->idle);
    for (int i = 0; i < w->net.ranks; i++)
        l->idle[i] = true;
    note_results(l, w->words->resume);
    return error == 0;
}

static void close_folder(struct part_lead *l)
{
    if (l->own && l->folder)
        temporary_remove(l->folder);
    free(l->folder);
    free(l->slot);
    free(l->idle);
    free(l->refusal);
}

/* --- turns --- */

static void take_message(struct part_worker *w, struct part_lead *lead, int from,
                         const uint8_t *bytes, size_t size)
{
    struct part_message m;
    must(size >= sizeof m);
    memcpy(&m, bytes, sizeof m);
    if (m.kind == PART_GIVEN) {
        start_part(w, m.part, m.of);
    } else if (m.kind == PART_NO_MORE) {
        w->over = true;
    } else {
        must(lead && m.kind == PART_DONE && size == sizeof m + m.size);
        char *text = malloc(m.size + 1);
        must(text);
        memcpy(text, bytes + sizeof m, m.size);
        text[m.size] = '\0';
        hear_done(lead, from, &m, text);
        free(text);
    }
}

static void take_turns(struct part_worker *w, struct part_lead *lead)
{
    while (!w->over) {
        const uint8_t *bytes;
        size_t size;
        int from;
        while ((bytes = w->net.receive(w->net.context, &from, &size)))
            take_message(w, lead, from, bytes, size);
        look_at_part(w, lead);
        if (lead) {
            give_parts(w, lead);
            w->over = is_at_end(w, lead);
        }
        if (!w->over)
            mpi_rest();
    }
    struct part_message m = {.kind = PART_NO_MORE};
    for (int i = 1; lead && i < w->net.ranks; i++)
        w->net.send(w->net.context, i, &m, sizeof m);
}

static int lead_search(struct part_worker *w)
{
    struct part_lead lead = {0};
    int status = EXIT_INTERNAL;
    if (!open_folder(w, &lead))
        refuse_all(&lead, "", EXIT_USAGE);
    take_turns(w, &lead);
    status = merge_parts(w, &lead);
    close_folder(&lead);
    return status;
}

int mpi_search_parts(struct mpi_transport *transport, const struct part_words *words)
{
    struct part_worker w = {.net = mpi_transport(transport), .words = words, .errors = -1};
    int status = 0;
    w.mazur = format_text("%s/mazur", toolchain_folder());
    w.folder = temporary_make(temporary_parent(), "mazur-mpi-");
    must(w.folder);
    w.result = format_text("%s/result.json", w.folder);
    if (w.net.rank == 0)
        status = lead_search(&w);
    else
        take_turns(&w, NULL);
    while (!mpi_transport_is_empty(transport))
        mpi_rest();
    temporary_remove(w.folder);
    free(w.mazur);
    free(w.folder);
    free(w.result);
    return status;
}
