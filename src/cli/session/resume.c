/* See resume.h. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "cli/session/resume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/must.h"
#include "board/settings.h"
#include "cli/session/libraries.h"
#include "host/files.h"
#include "host/paths.h"
#include "host/say.h"
#include "host/terminal.h"

#define KEPT_MAGIC   UINT64_C(0x3268637261657a4d) /* "Mzearch2" */
#define KEPT_MOST    (UINT64_C(512) << 20)        /* bytes of one file */
#define KEPT_ALL     (UINT64_C(2) << 30)          /* and of all of them together */
#define EXTENTS_MOST (1u << 20)
#define OPTIONS_MOST 4096
#define COPY_BYTES   (1u << 20)

enum { SEGMENT_BOARD = 0, SEGMENT_POOL, SEGMENTS };

struct kept_header {
    uint64_t magic;
    uint64_t board_version;
    XXH128_hash_t program; /* the executable's bytes */
    XXH128_hash_t runtime; /* libmazur.so's */
    XXH128_hash_t digest;  /* of everything after the header */
    double seconds;
    uint64_t noptions;   /* bytes of the options' text */
    uint64_t nlibraries; /* bytes of the libraries' text */
    uint64_t nleaves;    /* bytes of the leaves */
    uint64_t nextents;
};

struct extent {
    uint64_t segment;
    uint64_t offset;
    uint64_t length;
};

static const uint64_t segment_bytes[SEGMENTS] = {BOARD_BYTES, POOL_BYTES};

/* --- Names --- */

static bool same_hash(XXH128_hash_t a, XXH128_hash_t b)
{
    return XXH128_isEqual(a, b);
}

static void hash_words(XXH3_state_t *state, const struct text_list *words, size_t from)
{
    for (size_t i = from; i < words->count; i++)
        XXH3_128bits_update(state, words->item[i], strlen(words->item[i]) + 1);
    XXH3_128bits_update(state, "", 1);
}

/* A name for what the user would type again: sources or program, arguments and directory. */
static char *search_name(const struct program *program)
{
    XXH3_state_t *state = XXH3_createState();
    char *here = getcwd(NULL, 0);
    XXH3_128bits_reset(state);
    hash_words(state, &program->build, 0);
    hash_words(state, &program->arguments, 1);
    if (!program->compiled)
        XXH3_128bits_update(state, program->path, strlen(program->path) + 1);
    XXH3_128bits_update(state, here ? here : "", here ? strlen(here) : 0);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    free(here);
    return format_text("%016llx", (unsigned long long)hash.low64);
}

/* Everything that decides which executions are run, and how; not for how long. */
static char *options_text(const struct board_config *config)
{
    char text[OPTIONS_MOST];
    bool whole = settings_describe(config, SETTING_RESUMES, text, sizeof text);
    must(whole); /* every text on the board is shorter */
    return copy_text(text);
}

void resume_open(struct kept_search *kept, const struct program *program, const char *runtime,
                 const struct board_config *config)
{
    char *cache = cache_directory();
    char *name = search_name(program);
    *kept =
        (struct kept_search){.runtime = copy_text(runtime), .options = options_text(config)};
    if (cache)
        kept->path = format_text("%s/search-%s/state", cache, name);
    free(name);
    free(cache);
}

bool search_identity(const struct kept_search *kept, const struct program *program,
                     uint64_t *program_hash, uint64_t *options_hash)
{
    XXH128_hash_t hashes[2];
    if (!file_hash(program->path, &hashes[0]) || !file_hash(kept->runtime, &hashes[1]))
        return false;
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, hashes, sizeof hashes);
    hash_words(state, &program->arguments, 1);
    *program_hash = XXH3_128bits_digest(state).low64;
    *options_hash = XXH3_64bits(kept->options, strlen(kept->options));
    XXH3_freeState(state);
    return true;
}

void resume_release(struct kept_search *kept)
{
    free(kept->path);
    free(kept->runtime);
    free(kept->options);
    buffer_release(&kept->leaves);
    *kept = (struct kept_search){0};
}

char *resume_command(const struct program *program, const struct options *options)
{
    struct text_list words = {0};
    list_add(&words, "mazur");
    list_add(&words, program->compiled ? "check" : "run");
    list_add(&words, "--resume");
    list_copy(&words, &options->given);
    if (program->compiled)
        list_copy(&words, &program->build);
    else
        list_add(&words, program->path);
    if (program->compiled && program->arguments.count > 1)
        list_add(&words, "--");
    for (size_t i = 1; i < program->arguments.count; i++)
        list_add(&words, program->arguments.item[i]);
    char *command = list_command(&words);
    list_release(&words);
    return command;
}

/* --- Keeping --- */

struct extents {
    struct buffer list; /* of struct extent */
    size_t count;
    uint64_t bytes;
};

/* The parts of a segment that were ever written to. */
static bool find_extents(struct extents *extents, uint64_t segment, int descriptor)
{
    off_t at = 0;
    while ((at = lseek(descriptor, at, SEEK_DATA)) >= 0) {
        off_t end = lseek(descriptor, at, SEEK_HOLE);
        if (end < 0 || extents->count == EXTENTS_MOST)
            return false;
        struct extent extent = {segment, (uint64_t)at, (uint64_t)(end - at)};
        buffer_add(&extents->list, &extent, sizeof extent);
        extents->count++;
        extents->bytes += (uint64_t)(end - at);
        at = end;
    }
    return errno == ENXIO; /* no more data */
}

struct sink {
    int file;
    XXH3_state_t *digest;
    bool good;
};

static void sink_add(struct sink *sink, const void *bytes, size_t length)
{
    XXH3_128bits_update(sink->digest, bytes, length);
    sink->good = sink->good && write_all(sink->file, bytes, length);
}

static void copy_extents(struct sink *sink, const struct extents *extents,
                         const struct shared *shared)
{
    char *bytes = allocate(COPY_BYTES);
    for (size_t i = 0; i < extents->count; i++) {
        struct extent extent;
        memcpy(&extent, extents->list.data + i * sizeof extent, sizeof extent);
        int from = extent.segment == SEGMENT_BOARD ? shared->board_fd : shared->pool_fd;
        for (uint64_t done = 0; sink->good && done < extent.length;) {
            uint64_t left = extent.length - done;
            ssize_t got = pread(from, bytes, left < COPY_BYTES ? left : COPY_BYTES,
                                (off_t)(extent.offset + done));
            sink->good = got > 0;
            if (got > 0)
                sink_add(sink, bytes, (size_t)got);
            done += (uint64_t)(got > 0 ? got : 0);
        }
    }
    free(bytes);
}

static bool write_kept(const struct kept_search *kept, const struct program *program,
                       const struct shared *shared, const struct extents *extents,
                       const char *path)
{
    struct buffer libraries = {0};
    bool readable = libraries_describe(shared->board, program->path, kept->runtime, &libraries);
    struct kept_header header = {.magic = KEPT_MAGIC,
                                 .board_version = BOARD_VERSION,
                                 .seconds = kept->seconds,
                                 .noptions = strlen(kept->options),
                                 .nlibraries = libraries.length,
                                 .nleaves = kept->leaves.length,
                                 .nextents = extents->count};
    struct sink sink = {.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
                        .digest = XXH3_createState(),
                        .good = true};
    XXH3_128bits_reset(sink.digest);
    sink.good = readable && sink.file >= 0 && file_hash(program->path, &header.program) &&
                file_hash(kept->runtime, &header.runtime) &&
                lseek(sink.file, sizeof header, SEEK_SET) >= 0;
    sink_add(&sink, kept->options, header.noptions);
    sink_add(&sink, libraries.data, header.nlibraries);
    sink_add(&sink, kept->leaves.data, header.nleaves);
    sink_add(&sink, extents->list.data, extents->list.length);
    copy_extents(&sink, extents, shared);
    header.digest = XXH3_128bits_digest(sink.digest);
    XXH3_freeState(sink.digest);
    sink.good = sink.good && pwrite(sink.file, &header, sizeof header, 0) == sizeof header;
    if (sink.file >= 0)
        sink.good = close(sink.file) == 0 && sink.good;
    buffer_release(&libraries);
    return sink.good;
}

static void remove_kept(const struct kept_search *kept)
{
    if (!kept->path || unlink(kept->path) != 0)
        return;
    char *directory = directory_of(kept->path);
    rmdir(directory);
    free(directory);
}

void resume_keep(struct kept_search *kept, const struct program *program,
                 const struct shared *shared)
{
    struct extents extents = {0};
    kept->kept = false;
    remove_kept(kept);
    if (shared->board->left != LEFT_MORE || !kept->path)
        return;
    bool found = find_extents(&extents, SEGMENT_BOARD, shared->board_fd) &&
                 find_extents(&extents, SEGMENT_POOL, shared->pool_fd);
    if (!found || extents.bytes + kept->leaves.length > KEPT_MOST) {
        kept->why = found ? "its memory is too large for a file" : strerror(errno);
    } else {
        char *directory = directory_of(kept->path);
        mkdir(directory, 0700);
        cache_make_room("search-", KEPT_ALL - extents.bytes);
        char *fresh = format_text("%s.new", kept->path);
        kept->kept = write_kept(kept, program, shared, &extents, fresh) &&
                     rename(fresh, kept->path) == 0;
        if (!kept->kept) {
            kept->why = strerror(errno);
            unlink(fresh);
            rmdir(directory);
        }
        free(fresh);
        free(directory);
    }
    buffer_release(&extents.list);
}

/* --- Resuming --- */

/* Open a file that belongs to us and is as private as we made it. */
static int open_kept(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                     status.st_uid == geteuid() && (status.st_mode & 077) == 0))
        return file;
    close(file);
    errno = EPERM;
    return -1;
}

struct kept_file {
    const char *bytes;
    size_t length;
    const struct kept_header *header;
    const char *options, *libraries, *leaves;
    const struct extent *extents;
    const char *data;
};

/* Do the sizes add up, and is every extent inside its segment? */
static bool is_whole(struct kept_file *file)
{
    const struct kept_header *header = (const void *)file->bytes;
    size_t left = file->length;
    if (left < sizeof *header || header->magic != KEPT_MAGIC ||
        header->noptions > OPTIONS_MOST || header->nlibraries > left ||
        header->nleaves > left || header->nextents > EXTENTS_MOST)
        return false;
    left -= sizeof *header;
    uint64_t table = header->noptions + header->nlibraries + header->nleaves +
                     header->nextents * sizeof *file->extents;
    if (table > left)
        return false;
    left -= table;
    file->header = header;
    file->options = file->bytes + sizeof *header;
    file->libraries = file->options + header->noptions;
    file->leaves = file->libraries + header->nlibraries;
    file->extents = (const void *)(file->leaves + header->nleaves);
    file->data = (const char *)file->extents + header->nextents * sizeof *file->extents;
    for (uint64_t i = 0; i < header->nextents; i++) {
        struct extent extent;
        memcpy(&extent, &file->extents[i], sizeof extent);
        if (extent.segment >= SEGMENTS || extent.length > left ||
            extent.offset > segment_bytes[extent.segment] ||
            extent.length > segment_bytes[extent.segment] - extent.offset)
            return false;
        left -= extent.length;
    }
    XXH128_hash_t digest = XXH3_128bits(file->options, file->length - sizeof *header);
    return left == 0 && same_hash(digest, header->digest);
}

static bool fill_segments(const struct kept_file *file, struct shared *shared)
{
    const char *from = file->data;
    for (uint64_t i = 0; i < file->header->nextents; i++) {
        struct extent extent;
        memcpy(&extent, &file->extents[i], sizeof extent);
        int to = extent.segment == SEGMENT_BOARD ? shared->board_fd : shared->pool_fd;
        for (uint64_t done = 0; done < extent.length;) {
            ssize_t written =
                pwrite(to, from + done, extent.length - done, (off_t)(extent.offset + done));
            if (written <= 0)
                return false;
            done += (uint64_t)written;
        }
        from += extent.length;
    }
    return true;
}

/* The lines of `before` (`length` bytes) that `now` does not have, on one line. malloc'd. */
static char *other_options(const char *before, size_t length, const char *now)
{
    struct buffer text = {0};
    const char *end = before + length;
    while (before < end) {
        const char *stop = memchr(before, '\n', (size_t)(end - before));
        size_t line = stop ? (size_t)(stop - before) : (size_t)(end - before);
        size_t here = strcspn(now, "\n");
        if (here != line || strncmp(before, now, line) != 0)
            buffer_printf(&text, " %.*s", (int)line, before);
        before += line + 1;
        now += here + (now[here] != 0);
    }
    return buffer_take(&text);
}

/* Why the file does not match what is to be run, malloc'd; NULL: it matches. */
static char *describe_mismatch(const struct kept_search *kept, const struct kept_file *file,
                               const struct program *program)
{
    XXH128_hash_t hash;
    const struct kept_header *header = file->header;
    if (header->board_version != BOARD_VERSION || !file_hash(kept->runtime, &hash) ||
        !same_hash(hash, header->runtime))
        return copy_text("it was made by a different build of Mazur");
    if (!file_hash(program->path, &hash) || !same_hash(hash, header->program))
        return copy_text("the program has changed since then");
    if (!libraries_agree(file->libraries, header->nlibraries))
        return copy_text("a library of the program has changed since then, or where libraries "
                         "are found (LD_LIBRARY_PATH, LD_PRELOAD)");
    if (header->noptions == strlen(kept->options) &&
        memcmp(file->options, kept->options, header->noptions) == 0)
        return NULL;
    char *others = other_options(file->options, header->noptions, kept->options);
    char *why = format_text("that search had other options:%s", others);
    free(others);
    return why;
}

/* The board as it was, except for what belongs to this run. */
static void restore_board(struct board *board, const struct board_config *fresh)
{
    struct board_config config = *fresh;
    board_sanitize(board);
    config_take(&config, &board->config);
    config.search.execs = fresh->search.execs;
    config.realtime_start = board->config.realtime_start;
    if (config.search.execs)
        config.search.execs += board->stats.executions;
    config.resume = true;
    board->config = config;
    board->magic = BOARD_MAGIC;
    board->version = BOARD_VERSION;
    board->state = CHILD_STARTING;
    board->stop = board->hang_check = board->start_over = 0;
}

static bool load_kept(struct kept_search *kept, struct kept_file *file,
                      const struct program *program, struct shared *shared)
{
    struct board_config fresh = shared->board->config;
    if (!is_whole(file)) {
        complain("the stopped search in %s is damaged", kept->path);
        return false;
    }
    char *why = describe_mismatch(kept, file, program);
    if (why) {
        complain("cannot resume the stopped search of %s: %s", program->name, why);
        free(why);
        return false;
    }
    if (!fill_segments(file, shared)) {
        complain("no memory for the stopped search: %s", strerror(errno));
        return false;
    }
    kept->seconds = file->header->seconds >= 0 ? file->header->seconds : 0;
    buffer_add(&kept->leaves, file->leaves, file->header->nleaves);
    restore_board(shared->board, &fresh);
    return true;
}

bool resume_load(struct kept_search *kept, const struct program *program, struct shared *shared)
{
    struct stat status;
    int descriptor = kept->path ? open_kept(kept->path) : -1;
    if (descriptor < 0) {
        complain(errno == EPERM ? "the stopped search of %s is not in a private file of yours"
                                : "there is no stopped search of %s to resume: the sources, "
                                  "compiler options and arguments must be the same, and "
                                  "searches that compare states are not kept",
                 program->name);
        return false;
    }
    bool good = false;
    struct kept_file file = {.bytes = MAP_FAILED};
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
        file.length = (size_t)status.st_size;
        file.bytes = mmap(NULL, file.length, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    if (file.bytes != MAP_FAILED) {
        good = load_kept(kept, &file, program, shared);
        munmap((void *)file.bytes, file.length);
    } else {
        complain("cannot read %s: %s", kept->path, strerror(errno));
    }
    close(descriptor);
    return good;
}
