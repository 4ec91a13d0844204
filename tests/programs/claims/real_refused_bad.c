/* EXPECT verdict=invalid-test exit=6 says=execv_is_not_supported location=HERE
 * A program with threads that replaces itself would take the search with it: refused by name. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *worker(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    char *arguments[] = {"true", NULL};
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    execv("/bin/true", arguments); /* HERE */
    return 1;
}
