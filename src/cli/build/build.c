/* See build.h. */
#include "cli/build/build.h"

#include <stdlib.h>
#include <string.h>

#include "host/exit_codes.h"
#include "host/say.h"
#include "host/terminal.h"

/* The words that the compile half needs. */
static void compile_words(const struct text_list *words, struct text_list *command)
{
    for (size_t i = 0; i < words->count; i++)
        switch (toolchain_classify(words->item[i])) {
        case WORD_FLAG:
            list_add(command, words->item[i]);
            break;
        case WORD_FLAG_ARGUMENT:
            list_add(command, words->item[i]);
            if (i + 1 < words->count)
                list_add(command, words->item[++i]);
            break;
        case WORD_LINK:
            if (strcmp(words->item[i], "-shared") == 0)
                list_add(command, words->item[i]);
            break;
        case WORD_LINK_ARGUMENT:
        case WORD_OUTPUT:
        case WORD_LANGUAGE:
            i++;
            break;
        default:
            break;
        }
}

static const struct toolchain *compiler_for(const struct build *build, const char *source)
{
    return build->for_c && !toolchain_is_cplusplus(source) ? build->for_c : build->toolchain;
}

void build_compile_command(const struct build *build, const char *source, const char *language,
                           const char *stage, struct text_list *command)
{
    const struct toolchain *toolchain = compiler_for(build, source);
    list_add(command, toolchain->compiler);
    toolchain_compile_flags(toolchain, command);
    compile_words(build->words, command);
    list_add(command, stage);
    if (language) {
        list_add(command, "-x");
        list_add(command, language);
    }
    list_add(command, source);
}

static int run_command(const struct build *build, const struct text_list *command)
{
    if (build->verbose) {
        char *text = list_command(command);
        complain("%s", text);
        free(text);
    }
    int status = toolchain_run(command, build->directory, NULL, false);
    return status < 0 ? EXIT_USAGE : status;
}

static int compile_one(const struct build *build, const char *source, const char *language,
                       const char *object)
{
    struct text_list command = {0};
    build_compile_command(build, source, language, "-c", &command);
    list_add(&command, "-o");
    list_add(&command, object);
    int status = run_command(build, &command);
    list_release(&command);
    return status;
}

int build_split(const struct build *build, bool *linked)
{
    struct text_list link = {0};
    const struct text_list *words = build->words;
    const char *language = NULL;
    int status = 0;
    list_add(&link, build->toolchain->compiler);
    toolchain_link_flags(build->toolchain, &link);
    /* Looking for what known libraries lack would be a third of the linker's time. */
    if (build->links_nothing_else)
        list_add(&link, "-Wl,--allow-shlib-undefined");
    for (size_t i = 0; i < words->count && status == 0; i++) {
        const char *word = words->item[i];
        switch (toolchain_classify(word)) {
        case WORD_SOURCE: {
            char *object = format_text("%s/%zu.o", build->directory, i);
            status = compile_one(build, word, language, object);
            list_take(&link, object);
            break;
        }
        case WORD_LANGUAGE:
            language = i + 1 < words->count ? words->item[++i] : NULL;
            break;
        case WORD_LANGUAGE_JOINED:
            language = word + 2;
            break;
        case WORD_DROPPED:
            break;
        case WORD_FLAG_ARGUMENT:
        case WORD_LINK_ARGUMENT:
        case WORD_OUTPUT:
            list_add(&link, word);
            if (i + 1 < words->count)
                list_add(&link, words->item[++i]);
            break;
        default:
            list_add(&link, word);
        }
    }
    if (linked)
        *linked = status == 0;
    if (status == 0)
        status = run_command(build, &link);
    list_release(&link);
    return status;
}
