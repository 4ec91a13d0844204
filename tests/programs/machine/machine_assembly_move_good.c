/* EXPECT verdict=passed exit=0 complete=true
 * The function is kept from instrumentation by the source: the programmer's word that it does
 * not matter. */
#include <pthread.h>

#define UNSEEN __attribute__((no_sanitize_thread))
static long word, copy;

UNSEEN __attribute__((noinline)) void set(void);
void set(void)
{
    word = 1;
}

static void *first(void *unused)
{
    set();
    return unused;
}

static void *second(void *unused)
{
    copy = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
