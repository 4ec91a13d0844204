/* Arena, messages and the preprocessor call. Spin hands its input to the C preprocessor; so
 * does Mazur, except when the text holds no '#', which saves a process for small models. */
#define _GNU_SOURCE /* memfd_create */
#include "promela/language/source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/buffer.h"
#include "host/terminal.h"
#include "host/tool.h"

extern char **environ;

void *source_alloc(struct source *source, size_t size)
{
    return arena_alloc(&source->arena, size);
}

char *source_copy(struct source *source, const char *text, size_t length)
{
    return arena_bytes(&source->arena, text, length);
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

/* --- messages --- */

#define SHOWN 60 /* bytes of a line that are shown on either side of the caret */

/* A model may come from anywhere: nothing in it moves the cursor. */
static char *make_printable(char *line)
{
    for (char *c = line; c && *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
            *c = '?';
    return line;
}

/* A line of a file, from the heap; NULL: there is none. */
static char *line_of_file(struct place place)
{
    FILE *file = place.file ? fopen(place.file, "r") : NULL;
    if (!file)
        return NULL;
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    for (int number = 1; !found && getline(&line, &room, file) >= 0; number++)
        found = number == place.line;
    fclose(file);
    if (!found) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return make_printable(line);
}

/* Is this a line marker, `# 12 "file"`? Then it says where the next line is from. */
static bool is_marker(const char *at, struct place *next, char name[4096])
{
    int used = 0;
    if (sscanf(at, "# %d \"%n", &next->line, &used) != 1 || used == 0)
        return false;
    size_t length = strcspn(at + used, "\"\n");
    if (length >= 4096)
        return false;
    memcpy(name, at + used, length);
    name[length] = '\0';
    next->file = name;
    return true;
}

/* What the preprocessor made of that line, from the heap; NULL where it is not known. */
static char *preprocessed_line(const struct source *source, struct place place)
{
    char name[4096];
    struct place here = {.file = place.file, .line = 1};
    for (const char *at = source->text; at && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        if (!is_marker(at, &here, name)) {
            if (here.line == place.line && strcmp(here.file, place.file) == 0 &&
                length + 1 >= (size_t)place.column)
                return make_printable(strndup(at, length));
            here.line++;
        }
        at += length + (at[length] == '\n');
    }
    return NULL;
}

/* Where macros or comments stand in a line, a column of what the preprocessor made of it is
 * moved to that of the file: true if it lies in the text of a macro, and then it is the
 * macro's. */
static bool move_column(const char *written, const char *made, int *column)
{
    int before = 0, behind = 0, old = (int)strlen(written), now = (int)strlen(made);
    while (before < old && before < now && written[before] == made[before])
        before++;
    if (*column <= before || (before == old && before == now))
        return false;
    while (behind < old - before && behind < now - before &&
           written[old - 1 - behind] == made[now - 1 - behind])
        behind++;
    if (*column > now - behind && *column <= now) {
        *column += old - now;
        return false;
    }
    while (before > 0 &&
           (isalnum((unsigned char)written[before - 1]) || written[before - 1] == '_'))
        before--;
    while (strncmp(written + before, "/*", 2) == 0 || written[before] == ' ') {
        const char *end = written[before] == ' ' ? NULL : strstr(written + before + 2, "*/");
        before = end ? (int)(end + 2 - written) : before + 1;
    }
    *column = before + 1;
    return true;
}

/* A part of the model's text; tabs stay, so that the caret's line can have the same. */
static void add_part(struct buffer *out, const char *text, int length)
{
    char *part = copy_bytes(text, (size_t)length);
    char *rest = part;
    for (char *tab; (tab = strchr(rest, '\t')); rest = tab + 1) {
        *tab = '\0';
        add_clean(out, rest);
        buffer_text(out, "\t");
    }
    add_clean(out, rest);
    free(part);
}

/* A line with a caret under the column, as much of it as fits. */
static void add_line(struct buffer *out, const char *line, int column)
{
    int length = (int)strlen(line), at = column - 1 < length ? column - 1 : length;
    int from = at > SHOWN ? at - SHOWN : 0, to = length - at > SHOWN ? at + SHOWN : length;
    while (from > 0 && (line[from] & 0xc0) == 0x80) /* characters as a whole */
        from++;
    while (to < length && (line[to] & 0xc0) == 0x80)
        to--;
    buffer_text(out, from > 0 ? "    …" : "    ");
    size_t start = out->length;
    add_part(out, line + from, at - from);
    size_t caret = out->length;
    add_part(out, line + at, to - at);
    buffer_text(out, to < length ? "…\n    " : "\n    ");
    buffer_text(out, from > 0 ? " " : "");
    for (size_t i = start; i < caret; i++) /* a tab for a tab, columns for the rest */
        if (out->data[i] == '\t')
            buffer_text(out, "\t");
        else if ((out->data[i] & 0xc0) != 0x80)
            buffer_text(out, " ");
    buffer_text(out, "^\n");
}

/* A line of the file, and what the preprocessor made of it. */
static void say_one(const struct source *source, struct place place, const char *kind,
                    const char *text)
{
    char *line = line_of_file(place);
    char *made = line ? preprocessed_line(source, place) : NULL;
    int column = place.column;
    bool inside = made && move_column(line, made, &column);
    struct buffer lines = {0};
    if (place.file)
        write_line(stderr, "%s:%d:%d: %s%s", place.file, place.line, column, kind, text);
    else
        write_line(stderr, "mazur: %s%s", kind, text);
    if (line)
        add_line(&lines, line, column);
    if (inside) {
        buffer_text(&lines, "  which the preprocessor makes into\n");
        add_line(&lines, made, place.column);
    }
    if (lines.length > 0)
        fputs(lines.data, stderr);
    buffer_release(&lines);
    free(line);
    free(made);
}

struct place place_in_body(struct place place)
{
    while (place.inlined && place.inlined->argument)
        place = place.inlined->place;
    return place;
}

/* … and, inside of an inline, from where it is called. */
static void print_message(const struct source *source, struct place place, const char *kind,
                          const char *text)
{
    say_one(source, place, kind, text);
    for (const struct inlined *in = place.inlined; in; in = in->place.inlined) {
        char note[256];
        snprintf(note, sizeof note,
                 in->argument ? "substituted here in inline %s" : "in inline %s, called here",
                 in->name);
        say_one(source, in->place, "", note);
    }
}

void source_fail(struct source *source, struct place place, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(source->message, sizeof source->message, format, list);
    va_end(list);
    if (!source->quiet)
        print_message(source, place, "error: ", source->message);
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
        print_message(source, place, "warning: ", text);
}

/* A file that includes /dev/zero has no end, nor have macros that expand to ten of each other.
 */
#define TEXT_LIMIT   (64 << 20) /* bytes */
#define TEXT_SECONDS 10         /* of the preprocessor's processor time */
#define TEXT_MEMORY  ((size_t)1 << 30)

static char *read_stream(struct source *source, FILE *stream, size_t *length)
{
    size_t used = 0, size = 1 << 16;
    char *text = malloc(size);
    for (;;) {
        if (!text)
            source_fail(source, (struct place){0}, "out of memory");
        size_t got = fread(text + used, 1, size - used - 1, stream);
        if (got == 0)
            break;
        used += got;
        if (used > TEXT_LIMIT) {
            free(text);
            source_fail(source, (struct place){0},
                        "more than %d MB of text come from the preprocessor", TEXT_LIMIT >> 20);
        }
        if (used + 1 == size) {
            char *larger = realloc(text, size *= 2);
            if (!larger)
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
    if (file && !strpbrk(name, "\"\\\n"))
        fprintf(file, "# 1 \"%s\"\n", name);
    if (file && (fwrite(source->text, 1, source->length, file) != source->length ||
                 fflush(file) != 0)) {
        fclose(file);
        file = NULL;
    }
    if (file)
        rewind(file);
    return file;
}

/* What the preprocessor said holds lines of the model: for a terminal as all its text is. */
static void pass_messages(int file)
{
    struct buffer text = {0};
    char part[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t got; (got = read(file, part, sizeof part)) > 0;)
        buffer_add(&text, part, (size_t)got);
    write_report(stderr, &text);
    buffer_release(&text);
    close(file);
}

/* `input`: read that instead of the file, or NULL. */
static void run_preprocessor(struct source *source, const char *file, FILE *input,
                             const char *const *defines, int define_count)
{
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        source_fail(source, (struct place){0}, "pipe: %s", strerror(errno));
    char **arguments = source_alloc(source, (size_t)(define_count + 8) * sizeof *arguments);
    unsigned seconds = TEXT_SECONDS;
    if (source->seconds > 0 && source->seconds < TEXT_SECONDS)
        seconds = (unsigned)source->seconds + 1;
    int count = 0;
    const char *compiler = getenv("CC");
    arguments[count++] = (char *)(compiler && *compiler != '\0' ? compiler : "cc");
    arguments[count++] = "-E";
    arguments[count++] = "-w";
    arguments[count++] = "-std=gnu99";
    arguments[count++] = "-xc";
    for (int i = 0; i < define_count; i++)
        arguments[count++] = source_format(source, "-D%s", defines[i]);
    arguments[count++] = !input ? (char *)file : "-";
    int said = memfd_create("mazur-preprocessor", MFD_CLOEXEC);
    struct tool tool = {.arguments = arguments,
                        .input = input ? fileno(input) : TOOL_SAME,
                        .output = pipe_ends[1],
                        .errors = said >= 0 ? said : TOOL_SAME,
                        .seconds = seconds,
                        .bytes = TEXT_MEMORY};
    pid_t child = tool_start(&tool);
    int error = errno;
    close(pipe_ends[1]);
    if (child == 0) {
        close(pipe_ends[0]);
        close(said);
        source_fail(source, (struct place){0}, "can't run the preprocessor '%s -E': %s",
                    arguments[0], strerror(error));
    }
    FILE *stream = fdopen(pipe_ends[0], "r");
    source->text = read_stream(source, stream, &source->length);
    fclose(stream);
    int status = 0;
    bool ended = tool_wait(child, &status);
    if (said >= 0)
        pass_messages(said);
    if (!ended || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        source_fail(
            source, (struct place){0},
            "the preprocessor refused %s (it has %u seconds of the processor and %zu MB)", file,
            seconds, TEXT_MEMORY >> 20);
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
    if (!stream)
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
    if (memchr(source->text, '#', source->length) || define_count > 0) {
        FILE *input = regular ? NULL : as_file(source, file);
        run_preprocessor(source, file, input, defines, define_count);
        if (input)
            fclose(input);
    }
    if (memchr(source->text, '\0', source->length))
        source_fail(source, (struct place){0}, "%s: not a text file", file);
}

void source_free(struct source *source)
{
    arena_free(&source->arena);
    source->text = NULL;
}
