/* EXPECT verdict=data-race exit=7 bound=0
 * rep movsb copies the byte that another thread writes. */
#include <pthread.h>

static char from[16], to[16];
static volatile long count = 8;

__attribute__((noinline)) static void copy(void)
{
    void *source = from, *target = to;
    long bytes = count;
    __asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(bytes) : : "memory");
}

static void *first(void *unused)
{
    copy();
    return unused;
}

static void *second(void *unused)
{
    from[7] = 1;
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
