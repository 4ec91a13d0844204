/* EXPECT verdict=assertion exit=1 executions=3 distinct=3
 * EXPECT verdict=assertion exit=1 executions=2 distinct=2 -- --strategy optimal
 * strtok() has one position for all threads: each goes on in the other one's text. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char first[] = "a b", second[] = "c d";

static void *work(void *argument)
{
    char *text = argument;
    strtok(text, " ");
    assert(strtok(NULL, " ") == text + 2);
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, first);
    work(second);
    pthread_join(other, NULL);
    return 0;
}
