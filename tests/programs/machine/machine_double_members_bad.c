/* EXPECT verdict=data-race exit=7 bound=0
 * One thread reads a double that the other one writes, as an operand of an addition. */
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
    pair.x = 2.0;
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
