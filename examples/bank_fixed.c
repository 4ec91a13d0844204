/* The transfers of bank.c without the deadlock.
 *
 *     mazur check examples/bank_fixed.c
 *
 * Whatever the direction, the lock at the lower address is taken first, so that nobody waits
 * for a lower lock while holding a higher one. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct account {
    pthread_mutex_t mutex;
    long balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, long amount)
{
    struct account *first = (uintptr_t)from < (uintptr_t)to ? from : to;
    struct account *second = first == from ? to : from;
    pthread_mutex_lock(&first->mutex);
    pthread_mutex_lock(&second->mutex);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->mutex);
    pthread_mutex_unlock(&first->mutex);
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
