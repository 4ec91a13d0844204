/* Arena, messages and the preprocessor call. Spin hands its input to the C preprocessor; so
 * does Mazur, except when the text holds no '#', which saves a process for small models. */
#include "promela/source.h"
#include "report/buffer.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

void *source_alloc(struct source *source, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    struct arena_block *block = source->blocks;
    if (block == NULL || block->used + size > block->size) {
        size_t capacity = size > 65536 ? size : 65536;
        block = calloc(1, sizeof *block + capacity);
        if (block == NULL) {
            fprintf(stderr, "mazur: out of memory while reading the model\n");
            longjmp(source->escape, 1);
        }
        block->size = capacity;
        block->next = source->blocks;
        source->blocks = block;
    }
    void *result = block->bytes + block->used;
    block->used += size;
    return result;
}

char *source_copy(struct source *source, const char *text, size_t length)
{
    char *copy = source_alloc(source, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *source_format(struct source *source, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *text = source_alloc(source, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    return text;
}

void *source_grow(struct source *source, void *array, int count, size_t element)
{
    if (count != 0 && (count < 8 || (count & (count - 1)) != 0))
        return array;
    void *larger = source_alloc(source, (size_t)(count == 0 ? 8 : 2 * count) * element);
    if (count != 0)
        memcpy(larger, array, (size_t)count * element);
    return larger;
}

/* The line of the user's file, with a caret under the column. */
static void show_line(struct place place)
{
    FILE *file = place.file != NULL ? fopen(place.file, "r") : NULL;
    if (file == NULL)
        return;
    char line[400];
    int number = 1;
    while (fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(line);
        bool whole = length > 0 && line[length - 1] == '\n';
        if (number == place.line) {
            line[strcspn(line, "\r\n")] = '\0';
            fprintf(stderr, "    %s\n    ", line);
            int before = 0;
            while (before + 1 < place.column && line[before] != '\0')
                before++;
            for (int i = 0; i < before; i++) { /* a tab for a tab, columns for the rest */
                size_t rest = strcspn(line + i, "\t");
                if (rest > (size_t)(before - i))
                    rest = (size_t)(before - i);
                fprintf(stderr, "%*s%s", (int)display_width(line + i, rest), "",
                        i + (int)rest < before ? "\t" : "");
                i += (int)rest;
            }
            fputs("^\n", stderr);
            break;
        }
        number += whole;
    }
    fclose(file);
}

static void say(struct place place, const char *kind, const char *text)
{
    if (place.file != NULL)
        fprintf(stderr, "%s:%d:%d: %s: %s\n", place.file, place.line, place.column, kind, text);
    else
        fprintf(stderr, "mazur: %s: %s\n", kind, text);
    show_line(place);
}

void source_fail(struct source *source, struct place place, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(source->message, sizeof source->message, format, list);
    va_end(list);
    if (!source->quiet)
        say(place, "error", source->message);
    longjmp(source->escape, 1);
}

void source_warn(struct source *source, struct place place, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    source->warnings++;
    if (!source->quiet)
        say(place, "warning", text);
}

static char *read_stream(struct source *source, FILE *stream, size_t *length)
{
    size_t used = 0, size = 1 << 16;
    char *text = malloc(size);
    for (;;) {
        if (text == NULL)
            source_fail(source, (struct place){0}, "out of memory");
        size_t got = fread(text + used, 1, size - used - 1, stream);
        if (got == 0)
            break;
        used += got;
        if (used + 1 == size) {
            char *larger = realloc(text, size *= 2);
            if (larger == NULL)
                free(text);
            text = larger;
        }
    }
    char *copy = source_copy(source, text, used);
    free(text);
    *length = used;
    return copy;
}

/* What was read, as a file of its own: a pipe can't be read twice. */
static FILE *as_file(const struct source *source, const char *name)
{
    FILE *file = tmpfile();
    if (file != NULL && strpbrk(name, "\"\\\n") == NULL)
        fprintf(file, "# 1 \"%s\"\n", name);
    if (file != NULL && (fwrite(source->text, 1, source->length, file) != source->length ||
                         fflush(file) != 0)) {
        fclose(file);
        file = NULL;
    }
    if (file != NULL)
        rewind(file);
    return file;
}

/* `input`: read that instead of the file, or NULL. */
static void preprocess(struct source *source, const char *file, FILE *input,
                       const char *const *defines, int define_count)
{
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0)
        source_fail(source, (struct place){0}, "pipe: %s", strerror(errno));
    char **arguments = source_alloc(source, (size_t)(define_count + 8) * sizeof *arguments);
    int count = 0;
    const char *compiler = getenv("CC");
    arguments[count++] = (char *)(compiler != NULL && *compiler != '\0' ? compiler : "cc");
    arguments[count++] = "-E";
    arguments[count++] = "-w";
    arguments[count++] = "-std=gnu99";
    arguments[count++] = "-xc";
    for (int i = 0; i < define_count; i++)
        arguments[count++] = source_format(source, "-D%s", defines[i]);
    arguments[count++] = input == NULL ? (char *)file : "-";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (input != NULL)
        posix_spawn_file_actions_adddup2(&actions, fileno(input), 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
    pid_t child;
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    if (error != 0) {
        close(pipe_ends[0]);
        source_fail(source, (struct place){0}, "can't run the preprocessor '%s -E': %s",
                    arguments[0], strerror(error));
    }
    FILE *stream = fdopen(pipe_ends[0], "r");
    source->text = read_stream(source, stream, &source->length);
    fclose(stream);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        source_fail(source, (struct place){0}, "the preprocessor refused %s", file);
}

/* Text that editors put before the text: the preprocessor leaves it out, too. */
static void skip_mark(struct source *source)
{
    if (source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) {
        source->text += 3;
        source->length -= 3;
    }
}

void source_read(struct source *source, const char *file, const char *const *defines,
                 int define_count)
{
    FILE *stream = fopen(file, "r");
    if (stream == NULL)
        source_fail(source, (struct place){0}, "%s: %s", file, strerror(errno));
    struct stat status;
    bool regular = fstat(fileno(stream), &status) != 0 || S_ISREG(status.st_mode);
    errno = 0;
    source->text = read_stream(source, stream, &source->length);
    int error = errno;
    bool failed = ferror(stream) != 0;
    fclose(stream);
    if (failed)
        source_fail(source, (struct place){0}, "%s: %s", file, strerror(error));
    skip_mark(source);
    if (memchr(source->text, '#', source->length) != NULL || define_count > 0) {
        FILE *input = regular ? NULL : as_file(source, file);
        preprocess(source, file, input, defines, define_count);
        if (input != NULL)
            fclose(input);
    }
    if (memchr(source->text, '\0', source->length) != NULL)
        source_fail(source, (struct place){0}, "%s: not a text file", file);
}

void source_free(struct source *source)
{
    while (source->blocks != NULL) {
        struct arena_block *next = source->blocks->next;
        free(source->blocks);
        source->blocks = next;
    }
    source->text = NULL;
}
