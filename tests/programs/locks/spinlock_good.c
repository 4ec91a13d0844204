/* EXPECT verdict=passed exit=0 complete=true executions=686 distinct=3
 * Two spin locks in one order; trylock may fail while the other is inside. */
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
    if (pthread_spin_trylock(&left) == 0) {
        pthread_spin_lock(&right);
        shared++;
        pthread_spin_unlock(&right);
        pthread_spin_unlock(&left);
    }
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
