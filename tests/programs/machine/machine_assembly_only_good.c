/* EXPECT verdict=passed exit=0 complete=true
 * The same under a lock. */
#include <pthread.h>

static long word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void add(void)
{
    __asm__ volatile("addq $1, %0" : "+m"(word) : : "memory", "cc");
}

static void *first(void *unused)
{
    pthread_mutex_lock(&mutex);
    add();
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&mutex);
    word = 7;
    pthread_mutex_unlock(&mutex);
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
