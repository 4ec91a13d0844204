/* EXPECT verdict=data-race exit=7
 * EXPECT verdict=data-race exit=7 -- -O2
 * EXPECT verdict=data-race exit=7 -- -O0
 * EXPECT verdict=data-race exit=7 -- -O0 -DTEXT
 * putc_unlocked() is a macro that looks into the stream: two threads race, and the execution that is run
 * again for the report does the same. At -O0 it is a function, which races as well. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static void *print(void *argument)
{
#ifdef TEXT
    fputs_unlocked("a", stdout);
#else
    putchar_unlocked('a');
#endif
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, print, NULL);
    putchar_unlocked('b');
    pthread_join(thread, NULL);
    return 0;
}
