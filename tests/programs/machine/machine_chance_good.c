/* EXPECT verdict=passed exit=0 complete=true
 * A random number that follows from a seed: it is the program's own, and the same always. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>

static atomic_long word;

#define VALUE_OF_(name) value_of_##name
#define VALUE_OF(name)  VALUE_OF_(name)
#ifndef INSTRUCTION
#define INSTRUCTION seed
#endif

__attribute__((unused)) static inline long value_of_rdrand(void)
{
    long value;
    __asm__ volatile("rdrand %0" : "=r"(value) : : "cc");
    return value;
}

__attribute__((unused)) static inline long value_of_cpuid(void)
{
    int a = 1, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return b >> 24;
}

__attribute__((unused)) static inline long value_of_call(void)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(39) : "rcx", "r11", "memory");
    return result;
}

__attribute__((unused)) static inline long value_of_libc(void)
{
    long value = 0;
    return getrandom(&value, sizeof value, 0) == sizeof value ? value : 0;
}

__attribute__((unused)) static inline long value_of_seed(void)
{
    return rand();
}

static void *first(void *unused)
{
    if (VALUE_OF(INSTRUCTION)() & 8) {
        word = 1;
        word = 2;
    } else {
        word = 3;
    }
    return unused;
}

static void *second(void *unused)
{
    word++;
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
