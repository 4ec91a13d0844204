/* EXPECT verdict=passed exit=0 complete=true -- --visible get
 * A vector store in a function of --visible, to other elements than those that are read. */
#include <pthread.h>

float cells[8] __attribute__((aligned(16)));
static volatile float got;

void get(void);
__asm__(".text\n"
        ".globl get\n"
        ".type get, @function\n"
        "get: lea cells(%rip), %rax\n"
        "movups %xmm1, (%rax)\n"
        "ret\n"
        ".size get, . - get\n");

static void *first(void *unused)
{
    get();
    return unused;
}

static void *second(void *unused)
{
    got = cells[4];
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
