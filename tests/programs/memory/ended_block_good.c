/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -O1
 * EXPECT verdict=passed exit=0 complete=true -- -O2
 * The variables live as long as they are used: in a block that waits, in a block that is entered again, in an
 * inlined function, in a function that calls others, in an array that is used in no order. */
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void *work(void *argument)
{
    int *numbers = argument;
    sem_wait(&go);
    for (int i = 0; i < 600; i++)
        numbers[i * 37 % 600] = i;
    return NULL;
}

static inline __attribute__((always_inline)) void run_inside(void)
{
    int local[600];
    pthread_t thread;
    pthread_create(&thread, NULL, work, local);
    sem_post(&go);
    pthread_join(thread, NULL);
}

__attribute__((noinline)) static void run_deeper(int *numbers, int depth)
{
    volatile int number = depth;
    if (number > 0) {
        run_deeper(numbers, depth - 1);
        return;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, work, numbers);
    sem_post(&go);
    pthread_join(thread, NULL);
}

int main(void)
{
    sem_init(&go, 0, 0);
    for (int i = 0; i < 2; i++) {
        int numbers[600];
        pthread_t thread;
        pthread_create(&thread, NULL, work, numbers);
        sem_post(&go);
        pthread_join(thread, NULL);
    }
    {
        int others[600];
        run_deeper(others, 2);
    }
    run_inside();
    return 0;
}
