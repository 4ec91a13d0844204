/* See config.h. */
#include "cli/options/config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/options.h"
#include "host/say.h"

#define BYTES_MAX (1 << 20) /* an option file of a megabyte is none */

struct config {
    struct options *options;
    const char *path;
    bool trusted; /* ours, and only we can write it */
};

static char *trim_text(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
    return text;
}

/* `line` is one line of the file: empty, a # comment, a key, or key = value. */
static bool take_line(const struct config *config, int number, char *line)
{
    char *key = trim_text(line);
    if (!*key || *key == '#')
        return true;
    char *value = strchr(key, '=');
    if (value)
        *value++ = 0;
    key = trim_text(key);
    char where[512];
    snprintf(where, sizeof where, "%s:%d: ", config->path, number);
    bool runs = option_runs_program(key);
    if (runs && !config->trusted) {
        complain("%s%s runs another program: Mazur accepts it only from a file that belongs to "
                 "you and that nobody else can write (chmod go-w %s)",
                 where, key, config->path);
        return false;
    }
    if (!options_set(config->options, key, value ? trim_text(value) : "", where))
        return false;
    if (runs)
        list_add(&config->options->configured, key);
    return true;
}

static bool refuse_file(const char *path, const char *why)
{
    complain("%s %s; Mazur did not read it", path, why);
    return false;
}

/* A link counts as what it leads to, and must be ours, too, to be trusted. */
static bool is_private(const struct stat *file, const struct stat *link)
{
    return file->st_uid == geteuid() && link->st_uid == geteuid() && (file->st_mode & 022) == 0;
}

static bool read_lines(const struct config *config, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    ssize_t length;
    for (int number = 1; good && (length = getline(&line, &capacity, file)) >= 0; number++) {
        if (memchr(line, '\0', (size_t)length)) {
            complain("%s:%d: this line contains a zero byte", config->path, number);
            good = false;
            break;
        }
        good = take_line(config, number, line);
    }
    if (good && ferror(file)) {
        complain("cannot read %s: %s", config->path, strerror(errno));
        good = false;
    }
    free(line);
    return good;
}

bool config_read(struct options *options, const char *path)
{
    struct stat link, file;
    struct config config = {.options = options, .path = path};
    if (lstat(path, &link) != 0 && errno == ENOENT)
        return true;
    /* opening a device or a pipe may already do something */
    if (stat(path, &file) == 0 && !S_ISREG(file.st_mode))
        return refuse_file(path, "is not a regular file");
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0 || lstat(path, &link) != 0 || fstat(descriptor, &file) != 0) {
        complain("cannot read %s: %s", path, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    if (!S_ISREG(file.st_mode) || file.st_size > BYTES_MAX) {
        close(descriptor);
        return refuse_file(path, S_ISREG(file.st_mode) ? "is larger than a megabyte"
                                                       : "is not a regular file");
    }
    config.trusted = is_private(&file, &link);
    FILE *stream = fdopen(descriptor, "r");
    if (!stream) {
        complain("cannot read %s: %s", path, strerror(errno));
        close(descriptor);
        return false;
    }
    bool good = read_lines(&config, stream);
    fclose(stream);
    return good;
}
