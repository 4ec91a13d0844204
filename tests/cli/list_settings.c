/* Prints the table of settings for test_settings.sh, a line each: name, type, uses, initial
 * value, then the other values of a choice. */
#include <stdio.h>

#include "board/settings.h"

int main(void)
{
    static const char *const types[] = {"flag",   "choice", "set",  "number",
                                        "number", "number", "name", "lines"};
    for (size_t i = 0; i < settings_count; i++) {
        const struct setting *setting = &settings[i];
        printf("%s %s %s%s%s %lld", setting->name, types[setting->type],
               setting->uses & SETTING_RESUMES ? "resumes" : "",
               setting->uses & SETTING_REPLAYS ? "replays" : "", setting->uses ? "" : "nothing",
               (long long)setting->initial);
        for (int j = 0; setting->choices && setting->choices[j]; j++)
            if (j != setting->initial || setting->type == SETTING_SET)
                printf(" %s", setting->choices[j]);
        putchar('\n');
    }
    return 0;
}
