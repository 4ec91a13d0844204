/* EXPECT verdict=data-race exit=7
 * EXPECT verdict=data-race exit=7 -- -O2
 * putc_unlocked() is a macro that looks into the stream: two threads race, and the execution that is run
 * again for the report does the same. */
#include <pthread.h>
#include <stdio.h>

static void *print(void *argument)
{
    putchar_unlocked('a');
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
