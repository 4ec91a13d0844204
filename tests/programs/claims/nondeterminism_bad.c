/* EXPECT verdict=nondeterminism exit=5
 * What a thread does depends on the processor's time stamp counter, read by code that the program
 * makes while it runs and that Mazur does not see: executions of one schedule differ. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

static atomic_int counter, other;

static const unsigned char read_counter[] = {0x0f, 0x31,             /* rdtsc */
                                             0x48, 0xc1, 0xe2, 0x20, /* shl $32,%rdx */
                                             0x48, 0x09, 0xd0,       /* or %rdx,%rax */
                                             0xc3};                  /* ret */
static unsigned long long (*counter_of_processor)(void);

static unsigned noise(void)
{
    unsigned long long stamp = counter_of_processor();
    return (unsigned)((stamp * 0x9e3779b97f4a7c15) >> 60);
}

static void *worker(void *unused)
{
    for (int i = 0; i < 16; i++) /* once would be the same twice every other time */
        if (noise() % 2)
            atomic_fetch_add(&counter, 1);
        else
            atomic_store(&other, 1);
    return unused;
}

static void *waiter(void *unused)
{
    atomic_fetch_add(&counter, 1);
    atomic_fetch_add(&other, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    void *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    memcpy(made, read_counter, sizeof read_counter);
    counter_of_processor = (unsigned long long (*)(void))made;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
