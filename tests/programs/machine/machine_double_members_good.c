/* EXPECT verdict=passed exit=0 complete=true
 * The threads use different members of a structure. An addition of doubles reads eight bytes,
 * not the whole vector register. */
#include <pthread.h>
#include <stdio.h>

static struct {
    double x, y;
} pair = {1.0, 0.0};
static double out;

__attribute__((noinline)) static double half(int n)
{
    return n / 2.0;
}

static void *first(void *unused)
{
    pair.y = 2.0;
    return unused;
}

static void *second(void *unused)
{
    out = half(3) + pair.x;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%f\n", out + pair.y);
    return 0;
}
