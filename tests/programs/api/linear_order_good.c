/* EXPECT verdict=passed exit=0 -- --bound 1
 * EXPECT verdict=passed exit=0 complete=true -- --strategy optimal --bound none
 * A push waits for the lock: when it has ended, its item is there for everybody. */
#include <mazur.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2], count;

static void push(int item)
{
    mazur_history_begin("push", item);
    pthread_mutex_lock(&lock);
    items[count++] = item;
    pthread_mutex_unlock(&lock);
    mazur_history_end("push", item, "ok");
}

static void get(void)
{
    int item = 0;
    mazur_history_begin("get");
    pthread_mutex_lock(&lock);
    if (count > 0)
        item = items[--count];
    pthread_mutex_unlock(&lock);
    mazur_history_end(item);
}

static void *other(void *unused)
{
    push(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    push(2);
    get();
    get();
    pthread_join(thread, NULL);
    return 0;
}
