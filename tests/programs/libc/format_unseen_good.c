/* As many arguments, and as many texts, as are looked at: the race is found, and without it the search is complete.
 * EXPECT verdict=data-race exit=7 bound=0
 * EXPECT verdict=data-race exit=7 bound=0 -- -DTEXTS
 * EXPECT verdict=passed exit=0 complete=true -- -DJOINED */
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
#if defined JOINED
    pthread_join(thread, NULL);
#endif
#if defined TEXTS
    snprintf(text, sizeof text, TEN_TEXTS TEN_TEXTS TEN_TEXTS "%1$s%2$s", "", name);
#else
    snprintf(text, sizeof text, TEN TEN TEN "%d%s", NUMBERS, NUMBERS, NUMBERS, 1, name);
#endif
#if !defined JOINED
    pthread_join(thread, NULL);
#endif
    return 0;
}
