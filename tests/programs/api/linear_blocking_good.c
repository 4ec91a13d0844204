/* EXPECT verdict=passed exit=0 -- --bound 1
 * EXPECT verdict=passed exit=0 complete=true -- --strategy optimal --bound none
 * A blocking pop, two of them and one push: one waits for ever, as in every serial execution. That
 * is what the container promises, and no deadlock. */
#include <mazur.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int count;

static void *push(void *unused)
{
    mazur_history_begin("push");
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    mazur_history_end("ok");
    return unused;
}

static void *pop(void *unused)
{
    mazur_history_begin("pop");
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    count--;
    pthread_mutex_unlock(&lock);
    mazur_history_end("ok");
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, pop, NULL);
    pthread_create(&thread[1], NULL, pop, NULL);
    pthread_create(&thread[2], NULL, push, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
