/* EXPECT verdict=passed exit=0 complete=false
 * A function in assembly between the functions of a file: its load may be meant as atomic.
 * Nobody sees it, and the result says so. */
#include <pthread.h>
#include <stdatomic.h>

atomic_long word;
static volatile long copy;

long get(void);
__asm__(".text\n"
        ".globl get\n"
        ".type get, @function\n"
        "get: movq word(%rip), %rax\n"
        "ret\n"
        ".size get, . - get\n");

static void *first(void *unused)
{
    copy = get();
    return unused;
}

static void *second(void *unused)
{
    word = 1;
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
