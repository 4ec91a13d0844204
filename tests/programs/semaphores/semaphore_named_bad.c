/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * A named semaphore starts with 0 and is only posted by the thread that waits for it first. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t *named;
static int data;

static void *poster(void *unused)
{
    sem_wait(named);
    data = 1;
    sem_post(named);
    return unused;
}

static void *waiter(void *unused)
{
    sem_wait(named);
    assert(data == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    named = sem_open("/mazur-corpus", O_CREAT, 0600, 0);
    assert(named != SEM_FAILED);
    sem_unlink("/mazur-corpus");
    pthread_create(&a, NULL, poster, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_close(named);
    return 0;
}
