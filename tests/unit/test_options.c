/* The option table's readers, and the small parsers of the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/parent.h"
#include "board/settings.h"
#include "cli/options/config.h"
#include "cli/options/option_table.h"
#include "cli/options/options.h"
#include "cli/build/toolchain.h"
#include "host/terminal.h"

/* Messages are part of other tests; here they would only be noise. */
static int quiet(void **state)
{
    (void)state;
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDERR_FILENO);
    close(nothing);
    return 0;
}

static void durations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"0", 0},    {"60", 60},     {"60s", 60},   {"500ms", 0.5},
                {"2m", 120}, {"1.5h", 5400}, {"3min", 180}, {".5", 0.5}};
    static const char *const bad[] = {"",    "s",     "-1", "1d",  "1 s", "nan",
                                      "inf", "1e300", "0x", "1s2", "--"};
    double seconds;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(parse_duration(good[i].text, &seconds));
        assert_true(seconds == good[i].seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse_duration(bad[i], &seconds));
}

static void numbers(void **state)
{
    (void)state;
    int64_t number = 7;
    assert_true(parse_number("-3", -3, 5, &number));
    assert_int_equal(number, -3);
    static const char *const bad[] = {
        "", "-4", "6", "1x", " 1", "+1", "1e3", "0x1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse_number(bad[i], -3, 5, &number));
    assert_int_equal(number, -3);
}

static void values(void **state)
{
    (void)state;
    struct options options;
    assert_true(options_defaults(&options));
    assert_int_equal(options.settings.search.bound, BOUND_AUTO);
    assert_true(options.time == 60);
    assert_true(options_set(&options, "bound", "none", ""));
    assert_int_equal(options.settings.search.bound, BOUND_NONE);
    assert_true(options_set(&options, "races", "explore", ""));
    assert_int_equal(options.settings.races, RACES_EXPLORE);
    assert_true(options_set(&options, "keep-going", "", ""));
    assert_true(options.settings.search.keep_going);
    assert_true(options_set(&options, "keep-going", "off", ""));
    assert_false(options.settings.search.keep_going);
    assert_false(options_set(&options, "races", "", ""));
    assert_false(options_set(&options, "races", "report|explore", ""));
    assert_false(options_set(&options, "bound", "", ""));
    assert_false(options_set(&options, "no-such-key", "1", ""));
    assert_false(options_set(&options, "", "", ""));
    assert_true(options_set(&options, "no-preempt", "f", ""));
    options_release(&options);
}

static void command_lines(void **state)
{
    (void)state;
    char *argv[] = {"check", "a.c", "--bound=3", "-I", "dir", "--keep-going", "--time", "5m",
                    "b.c",   "--",  "--bound",   "x",  NULL};
    struct options options;
    struct text_list words = {0}, rest = {0};
    assert_true(options_defaults(&options));
    assert_true(options_scan(&options, COMMAND_CHECK, SCAN_MIXED, 12, argv, &words, &rest));
    assert_int_equal(options.settings.search.bound, 3);
    assert_true(options.time == 300);
    assert_true(options.settings.search.keep_going);
    assert_int_equal(words.count, 4);
    assert_string_equal(words.item[1], "-I");
    assert_int_equal(rest.count, 2);
    assert_string_equal(rest.item[0], "--bound");
    list_release(&words);
    list_release(&rest);
    char *program[] = {"run", "--quiet", "./x", "--bound", "--", "-y", NULL};
    assert_true(
        options_scan(&options, COMMAND_RUN, SCAN_TO_PROGRAM, 6, program, &words, &rest));
    assert_true(options.quiet);
    assert_int_equal(rest.count, 4);
    assert_string_equal(rest.item[0], "./x");
    list_release(&words);
    list_release(&rest);
    options_release(&options);
}

static void config_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"", true},
        {"# nothing\n\n   \n", true},
        {"bound=2\n\tquiet  \n seed = 9 # no comment here", false},
        {"bound = 2\nseed = 9", true},
        {"bound", false},
        {"=3", false},
        {"\xff\xfe", false},
        {"time = 5s = 6", false},
    };
    char path[] = "/tmp/mazur-config-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        assert_int_equal(ftruncate(descriptor, 0), 0);
        assert_true(pwrite(descriptor, cases[i].text, strlen(cases[i].text), 0) >= 0);
        assert_true(options_defaults(&options));
        assert_int_equal(config_read(&options, path), cases[i].good);
        options_release(&options);
    }
    close(descriptor);
    unlink(path);
}

static void nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"bound", "strategy", "keep-going", "races", NULL};
    assert_string_equal(nearest_text("bonud", names), "bound");
    assert_string_equal(nearest_text("strtegy", names), "strategy");
    assert_string_equal(nearest_text("keep", names), "keep-going");
    assert_null(nearest_text("zzzzzzzz", names));
    char *endless = malloc(5001);
    memset(endless, 'b', 5000);
    endless[5000] = 0;
    assert_null(nearest_text(endless, names));
    free(endless);
}

static void quoting(void **state)
{
    (void)state;
    struct text_list list = {0};
    list_add(&list, "plain-1.c");
    list_add(&list, "");
    list_add(&list, "it's");
    list_add(&list, "a\033b");
    char *command = list_command(&list);
    assert_string_equal(command, "plain-1.c '' 'it'\\''s' $'a\\x1bb'");
    free(command);
    list_release(&list);
}

static void compiler_words(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum word_kind kind;
    } cases[] = {
        {"a.c", WORD_SOURCE},
        {"a.cpp", WORD_SOURCE},
        {"a.o", WORD_OBJECT},
        {"lib.so.1", WORD_OBJECT},
        {"@list", WORD_OBJECT},
        {"-", WORD_SOURCE},
        {"-c", WORD_STAGE},
        {"-E", WORD_STAGE},
        {"-I", WORD_FLAG_ARGUMENT},
        {"-Idir", WORD_FLAG},
        {"-o", WORD_OUTPUT},
        {"-ox", WORD_OUTPUT_JOINED},
        {"-lm", WORD_LINK},
        {"-Wl,-z,now", WORD_LINK},
        {"-Wall", WORD_FLAG},
        {"-static", WORD_STATIC},
        {"-fsanitize=thread", WORD_DROPPED},
        {"-flto", WORD_DROPPED},
        {"-flto=auto", WORD_DROPPED},
        {"-x", WORD_LANGUAGE},
        {"-xc++", WORD_LANGUAGE_JOINED},
        {".c", WORD_OBJECT},
        {"dir.c/file", WORD_OBJECT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(toolchain_classify(cases[i].word), cases[i].kind);
    assert_true(toolchain_is_cplusplus("x.C"));
    assert_false(toolchain_is_cplusplus("x.c"));
}

/* An option of check and run decides executions, and is a row of settings.def, or it is one of
 * these: how long to search, what to show, how to build. A new one must be put into one of the
 * two places, or --resume and trace files would not know it. */
static void every_option_is_a_setting_or_decides_nothing(void **state)
{
    (void)state;
    static const char *const others[] = {
        "time",
        "execs",
        "simplify",
        "resume",
        "require-complete",
        "hang",
        "jobs",
        "shard",
        "cache",
        "compiler",
#define FORMAT(kind, name, title, trace, commands) #name,
#define APPENDED(name, variable)
#include "report/files/formats.def"
#undef FORMAT
#undef APPENDED
        "trace-dir",
        "no-trace",
        "full",
        "color",
        "quiet",
        "verbose",
        "help",
        "volatile" /* another name of volatile-atomic */,
    };
    for (size_t i = 0; i < option_count; i++) {
        bool other = false;
        if (!(option_table[i].commands & COMMAND_SEARCHES))
            continue;
        for (size_t j = 0; j < sizeof others / sizeof *others; j++)
            other |= strcmp(others[j], option_table[i].name) == 0;
        if (other == (setting_find(option_table[i].name) != NULL))
            fail_msg("--%s is %s", option_table[i].name, other ? "both" : "neither");
    }
}

/* The two tables agree on what holds when nobody asks for anything. */
static void defaults_are_those_of_the_options(void **state)
{
    (void)state;
    struct options options;
    struct board_config from_options, from_settings;
    assert_true(options_defaults(&options));
    options_configure(&options, &from_options);
    assert_int_equal(from_options.search.depth, 0); /* the search begins with … */
    from_options.search.depth = DEPTH_LEAST;
    settings_reset(&from_settings);
    for (size_t i = 0; i < settings_count; i++)
        if (!setting_is_text(&settings[i]) && setting_number(&settings[i], &from_options) !=
                                                  setting_number(&settings[i], &from_settings))
            fail_msg("%s", settings[i].name);
    assert_string_equal(setting_text(setting_find("strategy"), &from_options), "auto");
    options_release(&options);
}

static void settings_are_described_and_kept_in_range(void **state)
{
    (void)state;
    struct board_config config;
    char text[4096];
    settings_reset(&config);
    setting_set_number(setting_find("depth"), &config, INT64_MAX);
    assert_int_equal(config.search.depth, BOARD_SCHEDULE);
    setting_set_number(setting_find("depth"), &config, -5);
    assert_int_equal(config.search.depth, 0);
    setting_set_number(setting_find("depth"), &config, 1);
    assert_true(setting_set_text(setting_find("no-preempt"), &config, "f\ng\n"));
    assert_true(settings_describe(&config, SETTING_RESUMES, text, sizeof text));
    assert_non_null(strstr(text, "\ndepth=1\nraces=report\n"));
    assert_non_null(strstr(text, "\nno-preempt=f,g;\n"));
    assert_null(strstr(text, "realtime-start"));
    assert_false(settings_describe(&config, SETTING_RESUMES, text, 100));
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_false(setting_set_text(setting_find("visible"), &config, text));
}

/* A child that writes anything over the settings of its search; config_take() is what the
 * parent does with them. */
static void settings_of_a_child_are_forced_into_their_ranges(void **state)
{
    (void)state;
    static struct board_config config, left;
    settings_reset(&config);
    settings_reset(&left);
    memset(&left.search, 0xff, sizeof left.search);
    strcpy(left.search.strategy, "icb");
    config_take(&config, &left);
    assert_string_equal(config.search.strategy, "icb"); /* it has been taken */
    for (size_t i = 0; i < settings_count; i++) {
        const struct setting *setting = &settings[i];
        if (setting->type == SETTING_FLAG)
            assert_in_range(((unsigned char *)&config)[setting->offset], 0, 1);
        if (!setting_is_text(setting) && (setting_number(setting, &config) < setting->least ||
                                          setting_number(setting, &config) > setting->most))
            fail_msg("%s", setting->name);
    }
    const bool *const others[] = {&config.search.count_traces, &config.search.automatic,
                                  &config.search.was_cut,      &config.search.states,
                                  &config.search.scouts,       &config.search.states_prove};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_in_range(*(const unsigned char *)others[i], 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(numbers),
        cmocka_unit_test(values),
        cmocka_unit_test(command_lines),
        cmocka_unit_test(config_text),
        cmocka_unit_test(nearest),
        cmocka_unit_test(quoting),
        cmocka_unit_test(compiler_words),
        cmocka_unit_test(every_option_is_a_setting_or_decides_nothing),
        cmocka_unit_test(defaults_are_those_of_the_options),
        cmocka_unit_test(settings_are_described_and_kept_in_range),
        cmocka_unit_test(settings_of_a_child_are_forced_into_their_ranges),
    };
    return cmocka_run_group_tests(tests, quiet, NULL);
}
