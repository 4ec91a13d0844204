/* Money transfers that stop for ever.
 *
 *     mazur check examples/bank.c           finds the deadlock
 *     mazur check examples/bank_fixed.c     none left, and no money is lost
 *
 * Each account has a lock, and a transfer takes both. Two transfers in opposite directions at
 * the same time each hold what the other one needs. */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t mutex;
    long balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, long amount)
{
    pthread_mutex_lock(&from->mutex);
    pthread_mutex_lock(&to->mutex);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->mutex);
    pthread_mutex_unlock(&from->mutex);
}

static void *alice_pays(void *unused)
{
    transfer(&alice, &bob, 30);
    return unused;
}

static void *bob_pays(void *unused)
{
    transfer(&bob, &alice, 20);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, alice_pays, NULL);
    pthread_create(&second, NULL, bob_pays, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(alice.balance == 90 && bob.balance == 110);
    return 0;
}
