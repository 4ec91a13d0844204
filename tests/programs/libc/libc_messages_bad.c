/* EXPECT verdict=assertion exit=1 bound=0
 * With error_one_per_line, the message of the thread that comes second is not printed. */
#include <assert.h>
#include <error.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *complain(void *text)
{
    pthread_mutex_lock(&lock);
    error_at_line(0, 0, "file", 1, "%s", (char *)text);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    error_one_per_line = 1;
    pthread_create(&thread, NULL, complain, "second");
    complain("first");
    pthread_join(thread, NULL);
    assert(error_message_count == 2);
    return 0;
}
