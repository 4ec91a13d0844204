/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2 -- --races=explore
 * One look sees one or the other. */
#include <assert.h>
#include <pthread.h>

struct pair {
    int first, second, third;
};
static struct pair shown = {1, 1, 1}, next = {2, 2, 2};
static int first, second;

static void *update(void *unused)
{
    shown = next;
    return unused;
}

static void *look(void *unused)
{
    second = first = shown.first;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first <= second); /* HERE */
    return 0;
}
