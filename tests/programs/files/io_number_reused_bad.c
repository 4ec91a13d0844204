/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy dpor
 * A log file is closed and its number given to something else, while another thread still
 * writes to the number. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int log_file;

static void *worker(void *unused)
{
    uint64_t number = 0;
    close(log_file);
    int event = eventfd(1, 0);
    if (read(event, &number, sizeof number) == sizeof number)
        assert(number == 1); /* HERE */
    return unused;
}

static void *logger(void *unused)
{
    uint64_t line = 5;
    ssize_t written = write(log_file, &line, sizeof line);
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
