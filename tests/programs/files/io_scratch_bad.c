/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --scratch .
 * Two threads look for a file and then make it, in two critical sections: both may find that it
 * is
 * not there. The fresh directory of --scratch keeps executions apart, so the bug is found where
 * it is. Without it the file of the first execution hides the bug from all others: that is noted,
 * and not called complete. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *make_file(void *unused)
{
    pthread_mutex_lock(&lock);
    bool missing = access("file", F_OK) != 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (missing) {
        int file = open("file", O_CREAT | O_EXCL | O_WRONLY, 0600);
        assert(file >= 0 && "the file is new"); /* HERE */
        close(file);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, make_file, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
