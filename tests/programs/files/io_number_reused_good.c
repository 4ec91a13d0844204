/* EXPECT verdict=passed exit=0 complete=true
 * The log file is closed after the last line was written: its number may be given to something
 * else then. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int log_file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    uint64_t number = 0;
    pthread_mutex_lock(&mutex);
    close(log_file);
    log_file = -1;
    pthread_mutex_unlock(&mutex);
    int event = eventfd(1, 0);
    if (read(event, &number, sizeof number) == sizeof number)
        assert(number == 1);
    return unused;
}

static void *logger(void *unused)
{
    uint64_t line = 5;
    pthread_mutex_lock(&mutex);
    ssize_t written = log_file < 0 ? 0 : write(log_file, &line, sizeof line);
    pthread_mutex_unlock(&mutex);
    (void)written;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    log_file = open("/dev/null", O_WRONLY);
    pthread_create(&a, NULL, logger, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
