/* EXPECT verdict=passed exit=0 complete=true executions=234 distinct=4 -- --races=explore
 * The same looks in the order that is safe: idle was true, or it had not gone on. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char state[8] = "idle";
static int went_on;

static void *start(void *unused)
{
    strcpy(state, "busy");
    went_on = 1;
    return unused;
}

static void *look(void *unused)
{
    int idle = strcmp(state, "idle") == 0;
    int after = went_on;
    assert(after || idle || strcmp(state, "busy") == 0); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&b, NULL, look, NULL);
    pthread_create(&a, NULL, start, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
