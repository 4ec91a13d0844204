/* EXPECT verdict=exit exit=1 bound=0
 * main ends with pthread_exit; what the thread of a thread stores comes before the exit handler,
 * also where its parent ended long before it. */
#include <pthread.h>
#include <stdlib.h>

static int value;

static void look(void)
{
    if (value == 1)
        _Exit(3);
}

static void *grandchild(void *unused)
{
    value = 1;
    return unused;
}

static void *child(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, NULL, grandchild, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    atexit(look);
    pthread_create(&thread, NULL, child, NULL);
    pthread_exit(NULL);
}
