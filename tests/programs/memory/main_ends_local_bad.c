/* EXPECT verdict=memory-error exit=11 bound=0
 * Main gives a local variable to a thread and ends by pthread_exit(): the variable's life ends
 * with main's function, not with the process. */
#include <pthread.h>
#include <stdatomic.h>

static void *count(void *counter)
{
    atomic_fetch_add((atomic_int *)counter, 1);
    return NULL;
}

int main(void)
{
    atomic_int counter = 0;
    pthread_t a;
    pthread_create(&a, NULL, count, &counter);
    pthread_exit(NULL);
}
