/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --races=explore
 * strcmp() reads a text that another thread writes: it reads when it is picked. What it
 * compares is what was there then, not what was there when its thread came to the call. */
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
    int before = went_on;
    int idle = strcmp(state, "idle") == 0;
    assert(before || idle); /* HERE */
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
