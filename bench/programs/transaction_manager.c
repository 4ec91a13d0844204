/* The shape of paper 003's transaction manager (section 4.1): transactions in a hash table with
 * a lock per bucket. One thread creates and commits a transaction; a timer thread flushes the
 * transactions that are pending and have timed out. A transaction is finished once: committed
 * by the first, or aborted by the second.
 *
 * -DBUG=1 commit looks up the transaction and finishes it under two holdings of the bucket's
 * lock, without asking again whether it is pending. -DBUG=2 the timer collects what has timed
 * out first, and aborts it under a second holding. */
#include <assert.h>
#include <pthread.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef TRANSACTIONS
#define TRANSACTIONS 2
#endif
#define BUCKETS 2

enum state { FREE, PENDING, COMMITTED, ABORTED };

static struct bucket {
    pthread_mutex_t lock;
    enum state state[TRANSACTIONS];
    int finished[TRANSACTIONS];
} table[BUCKETS];

static void finish(struct bucket *bucket, int id, enum state state)
{
    bucket->state[id] = state;
    bucket->finished[id]++;
}

static void create(int id)
{
    struct bucket *bucket = &table[id % BUCKETS];
    pthread_mutex_lock(&bucket->lock);
    bucket->state[id] = PENDING;
    pthread_mutex_unlock(&bucket->lock);
}

static void commit(int id)
{
    struct bucket *bucket = &table[id % BUCKETS];
    pthread_mutex_lock(&bucket->lock);
    int pending = bucket->state[id] == PENDING;
    if (BUG == 1) {
        pthread_mutex_unlock(&bucket->lock);
        pthread_mutex_lock(&bucket->lock);
    }
    if (pending)
        finish(bucket, id, COMMITTED);
    pthread_mutex_unlock(&bucket->lock);
}

static void *user(void *unused)
{
    for (int id = 0; id < TRANSACTIONS; id++)
        create(id);
    for (int id = 0; id < TRANSACTIONS; id++)
        commit(id);
    return unused;
}

static void *timer(void *unused)
{
    for (int id = 0; id < TRANSACTIONS; id++) {
        struct bucket *bucket = &table[id % BUCKETS];
        pthread_mutex_lock(&bucket->lock);
        int pending = bucket->state[id] == PENDING;
        if (BUG == 2) {
            pthread_mutex_unlock(&bucket->lock);
            pthread_mutex_lock(&bucket->lock);
        }
        if (pending)
            finish(bucket, id, ABORTED);
        pthread_mutex_unlock(&bucket->lock);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&table[i].lock, NULL);
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, timer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int id = 0; id < TRANSACTIONS; id++)
        assert(table[id % BUCKETS].finished[id] == 1 && "finished once");
    return 0;
}
