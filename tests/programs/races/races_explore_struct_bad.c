/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --races=explore
 * A struct is copied while another thread looks at it: what it sees may be old although the
 * copy has begun, or new. (gcc tells of the write before the read, and does both after that.)
 */
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
    first = shown.first;
    second = shown.second;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == second); /* HERE */
    return 0;
}
