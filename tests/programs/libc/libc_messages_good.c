/* EXPECT verdict=passed exit=0 complete=true executions=8 distinct=2
 * The program of libc_messages_bad: each execution prints one message, whatever others printed. */
#include <assert.h>
#include <error.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static char file[2][8] = {"file", "file"};

static void *complain(void *text)
{
    pthread_mutex_lock(&lock);
    error_at_line(0, 0, file[text != NULL], 1, "%s", text ? "first" : "second");
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    error_one_per_line = 1;
    pthread_create(&thread, NULL, complain, NULL);
    complain("first");
    pthread_join(thread, NULL);
    assert(error_message_count == 1);
    return 0;
}
