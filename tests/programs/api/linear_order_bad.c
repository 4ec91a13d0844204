/* EXPECT verdict=not-linearizable exit=9 bound=2
 * EXPECT verdict=not-linearizable exit=9 -- --strategy optimal --bound none
 * EXPECT verdict=not-linearizable exit=9 -- --strategy dpor --bound none
 * The other thread's push keeps its item to itself when it finds one at work. That is wrong
 * only for a get() that begins when the push has ended: an order which nothing but the history
 * shows, since the two have no memory in common. */
#include <mazur.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t pushing = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2], count;
static _Thread_local int kept;
static sem_t later;

static void push(int item, int waits)
{
    mazur_history_begin("push", item);
    if (waits ? pthread_mutex_lock(&pushing) == 0 : pthread_mutex_trylock(&pushing) == 0) {
        pthread_mutex_lock(&lock);
        items[count++] = item;
        pthread_mutex_unlock(&lock);
        pthread_mutex_unlock(&pushing);
    } else {
        kept = item;
        sem_wait(&later);
    }
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
    push(1, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&later, 0, 0);
    pthread_create(&thread, NULL, other, NULL);
    push(2, 1);
    sem_post(&later);
    get();
    get();
    pthread_join(thread, NULL);
    return kept > 100;
}
