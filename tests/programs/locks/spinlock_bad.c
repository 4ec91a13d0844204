/* EXPECT verdict=deadlock exit=2 bound=1 executions=6 distinct=3
 * Two spin locks in opposite orders: both threads spin for ever after one preemption. */
#include <pthread.h>

static pthread_spinlock_t left, right;
static int shared;

static void *one(void *unused)
{
    pthread_spin_lock(&left);
    pthread_spin_lock(&right);
    shared++;
    pthread_spin_unlock(&right);
    pthread_spin_unlock(&left);
    return unused;
}

static void *two(void *unused)
{
    pthread_spin_lock(&right);
    pthread_spin_lock(&left);
    shared++;
    pthread_spin_unlock(&left);
    pthread_spin_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&left, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&right, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_spin_destroy(&left);
    pthread_spin_destroy(&right);
    return 0;
}
