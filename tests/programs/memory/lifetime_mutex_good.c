/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --strategy dpor --bound none
 * The last owner of a mutex frees it: the other's unlock comes before its own lock. POSIX allows
 * to destroy a mutex as soon as it is unlocked. */
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t mutex;
    int users;
};

static void *leave(void *argument)
{
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->mutex);
    int left = --shared->users;
    pthread_mutex_unlock(&shared->mutex);
    if (left == 0) {
        pthread_mutex_destroy(&shared->mutex);
        free(shared);
    }
    return NULL;
}

int main(void)
{
    struct shared *shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->mutex, NULL);
    shared->users = 2;
    pthread_t thread;
    pthread_create(&thread, NULL, leave, shared);
    leave(shared);
    pthread_join(thread, NULL);
    return 0;
}
