/* EXPECT verdict=data-race exit=7 bound=0
 * A function whose only access is in assembly announces nothing: it is looked into. */
#include <pthread.h>

static long word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void add(void)
{
    __asm__ volatile("addq $1, %0" : "+m"(word) : : "memory", "cc");
}

static void *first(void *unused)
{
    add();
    return unused;
}

static void *second(void *unused)
{
    word = 7;
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
