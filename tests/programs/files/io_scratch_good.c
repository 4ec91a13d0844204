/* EXPECT verdict=passed exit=0 complete=true -- --scratch .
 * EXPECT verdict=passed exit=0 complete=true -- --scratch=. --isolate=fork --strategy icb
 * Only the first of two threads makes the file; looking and making are one critical section. The
 * file must be gone in the next execution: with --scratch the working directory is fresh. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *make_file(void *unused)
{
    pthread_mutex_lock(&lock);
    if (access("deep/er/file", F_OK) != 0) {
        mkdir("deep", 0700);
        mkdir("deep/er", 0700);
        int file = open("deep/er/file", O_CREAT | O_EXCL | O_WRONLY, 0600);
        assert(file >= 0 && "the file is new");
        close(file);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    assert(access("deep", F_OK) != 0 && "the directory is fresh");
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, make_file, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    chmod("deep/er", 0);
    return 0;
}
