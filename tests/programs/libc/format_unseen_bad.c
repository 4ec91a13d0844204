/* The text that another thread changes is the 33rd argument of printf, or a conversion that Mazur does not know
 * comes before it: it is not looked at. That must be said.
 * EXPECT verdict=passed exit=0 complete=false uncontrolled=printf_with_more_than_32_arguments
 * EXPECT verdict=passed exit=0 complete=false uncontrolled=printf_with_more_than_32_texts -- -DTEXTS
 * EXPECT verdict=passed exit=0 complete=false uncontrolled=printf_with_a_conversion_that_Mazur_does_not_know -- -DUNKNOWN */
#include <pthread.h>
#include <stdio.h>

static char name[8] = "abc";

#define TEN "%d%d%d%d%d%d%d%d%d%d"
#define NUMBERS 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
#define TEN_TEXTS "%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s"

static void *work(void *unused)
{
    name[1] = 'x';
    return unused;
}

int main(void)
{
    char text[200];
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#if defined TEXTS
    snprintf(text, sizeof text, TEN_TEXTS TEN_TEXTS TEN_TEXTS "%1$s%1$s%2$s", "", name);
#elif defined UNKNOWN
    const char *format = "%! %s"; /* glibc prints the first as it is */
    snprintf(text, sizeof text, format, name);
#else
    snprintf(text, sizeof text, TEN TEN TEN "%d%d%s", NUMBERS, NUMBERS, NUMBERS, 1, 2, name);
#endif
    pthread_join(thread, NULL);
    return 0;
}
