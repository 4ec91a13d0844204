/* See files.h. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "host/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/buffer.h"
#include "host/say.h"
#include "host/temporary.h"

#define HASH_BYTES (1u << 20) /* read at once */

bool write_all(int descriptor, const void *bytes, size_t length)
{
    const char *from = bytes;
    while (length) {
        ssize_t written = write(descriptor, from, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written == 0 ? ENOSPC : errno;
            return false;
        }
        from += written;
        length -= (size_t)written;
    }
    return true;
}

static int write_and_close(int descriptor, const char *text)
{
    int error = write_all(descriptor, text, strlen(text)) ? 0 : errno;
    if (close(descriptor) != 0 && !error)
        error = errno;
    return error;
}

static int overwrite_file(const char *path, const char *text)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return descriptor < 0 ? errno : write_and_close(descriptor, text);
}

int replace_file(const char *path, const char *text)
{
    char *temporary = format_text("%s.XXXXXX", path);
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    int error = descriptor < 0 ? errno : 0;
    if (!error) {
        mode_t mask = umask(0);
        umask(mask);
        fchmod(descriptor, 0666 & ~mask);
        error = write_and_close(descriptor, text);
        if (!error && rename(temporary, path) != 0)
            error = errno;
        if (error)
            unlink(temporary);
    }
    free(temporary);
    return error;
}

bool write_file(const char *path, const char *text)
{
    if (strcmp(path, "-") == 0) {
        if (fputs(text, stdout) >= 0 && fputc('\n', stdout) != EOF && fflush(stdout) == 0)
            return true;
        complain("cannot write to stdout: %s", strerror(errno));
        clearerr(stdout); /* main would report it a second time */
        return false;
    }
    struct stat status;
    /* this is a device, a pipe or a link that the user wants to write to: do not rename a file
     * over it */
    bool special = lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
    int error = special ? overwrite_file(path, text) : replace_file(path, text);
    if (error)
        complain("cannot write %s: %s", path, strerror(error));
    return error == 0;
}

/* 0, or why no file can be made beside `path`. */
static int try_temporary(const char *path)
{
    char *temporary = format_text("%s.XXXXXX", path);
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    int error = descriptor < 0 ? errno : 0;
    if (!error) {
        close(descriptor);
        unlink(temporary);
    }
    free(temporary);
    return error;
}

/* A full disk may have room again when the file is written. */
static bool is_writable(const char *what, const char *path, int error)
{
    if (!error || error == ENOSPC || error == EDQUOT)
        return true;
    complain("cannot write %s%s: %s", what, path, strerror(error));
    return false;
}

bool try_file(const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0)
        return true;
    if (lstat(path, &status) != 0 || S_ISREG(status.st_mode))
        return is_writable("", path, try_temporary(path));
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return is_writable("", path, EISDIR);
    /* a pipe is not opened: its reader would see the end of it */
    return is_writable("", path, access(path, W_OK) == 0 || errno == ENOENT ? 0 : errno);
}

bool try_directory(const char *what, const char *path)
{
    int error = 0;
    if (mkdir(path, 0777) == 0) {
        rmdir(path);
    } else if (errno == EEXIST) {
        char *file = format_text("%s/mazur", path);
        error = try_temporary(file);
        free(file);
    } else {
        error = errno;
    }
    return is_writable(what, path, error);
}

bool append_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "ae");
    bool good = file && fputs(text, file) >= 0;
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        complain("cannot write %s: %s", path, strerror(errno));
    return good;
}

/* Remove a directory and the files in it. */
static void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(path);
}

/* Make `path`; true when it is a directory that only we can write to. */
static bool private_directory(const char *path)
{
    struct stat status;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 022) == 0 && access(path, W_OK | X_OK) == 0;
}

static char *cache_under(const char *variable, const char *between)
{
    const char *base = getenv(variable);
    if (!base || base[0] != '/')
        return NULL;
    char *parent = format_text("%s%s", base, between);
    mkdir(parent, 0700);
    char *path = format_text("%s/mazur", parent);
    free(parent);
    if (private_directory(path))
        return path;
    free(path);
    return NULL;
}

char *cache_directory(void)
{
    char *path = cache_under("XDG_CACHE_HOME", "");
    if (!path)
        path = cache_under("HOME", "/.cache");
    if (path)
        return path;
    path = format_text("%s/mazur-%u", temporary_parent(), geteuid());
    if (private_directory(path))
        return path;
    complain("no directory for compiled programs: neither %s nor ~/.cache can be used; set "
             "XDG_CACHE_HOME or TMPDIR",
             path);
    free(path);
    return NULL;
}

#define MONTH_SECONDS (30 * 24 * 3600)

void cache_prune(const char *cache)
{
    DIR *directory = opendir(cache);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        struct stat status;
        if (entry->d_name[0] == '.' ||
            fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISDIR(status.st_mode) || time(NULL) - status.st_mtime < MONTH_SECONDS)
            continue;
        char *path = format_text("%s/%s", cache, entry->d_name);
        remove_directory(path);
        free(path);
    }
    closedir(directory);
}

static uint64_t directory_bytes(const char *path)
{
    uint64_t bytes = 0;
    struct stat status;
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode))
            bytes += (uint64_t)status.st_size;
    if (directory)
        closedir(directory);
    return bytes;
}

/* The number of bytes in all directories with the prefix; *oldest is the one that was unused
 * for longest, malloc'd. */
static uint64_t prefix_bytes(const char *cache, const char *prefix, char **oldest)
{
    uint64_t bytes = 0;
    time_t age = 0;
    *oldest = NULL;
    DIR *directory = opendir(cache);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        struct stat status;
        if (!begins_with(entry->d_name, prefix) ||
            fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISDIR(status.st_mode))
            continue;
        char *path = format_text("%s/%s", cache, entry->d_name);
        bytes += directory_bytes(path);
        if (*oldest && status.st_mtime >= age) {
            free(path);
            continue;
        }
        free(*oldest);
        *oldest = path;
        age = status.st_mtime;
    }
    if (directory)
        closedir(directory);
    return bytes;
}

void cache_make_room(const char *prefix, uint64_t bytes)
{
    char *cache = cache_directory();
    char *oldest = NULL;
    while (cache && prefix_bytes(cache, prefix, &oldest) > bytes && oldest) {
        remove_directory(oldest);
        bool stuck = access(oldest, F_OK) == 0;
        free(oldest);
        oldest = NULL;
        if (stuck)
            break;
    }
    free(oldest);
    free(cache);
}

bool file_hash(const char *path, XXH128_hash_t *hash)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    XXH3_state_t *state = XXH3_createState();
    char *bytes = allocate(HASH_BYTES);
    ssize_t got = -1;
    XXH3_128bits_reset(state);
    if (file >= 0)
        while ((got = read(file, bytes, HASH_BYTES)) > 0)
            XXH3_128bits_update(state, bytes, (size_t)got);
    *hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    free(bytes);
    if (file >= 0)
        close(file);
    return got == 0;
}
