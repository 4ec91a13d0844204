/* Which pages the threads write depends on the schedule, so some are written for the first time
 * when executions already start where main creates its first thread. The search learns of the
 * race after that and begins with main again: these pages, too, must be put back from then on.
 *
 * EXPECT verdict=passed complete=true distinct=94 -- --checkpoints=always --races=explore --strategy dpor
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE  100000
#define PAGES 27

static int early[SIZE];       /* written by main before its first thread */
static int late[PAGES][1024]; /* written by threads only */
static atomic_int turn;
static volatile int racy;

static void *run(void *number)
{
    int me = *(const int *)number, code = 0;
    for (int i = 0; i < PAGES; i++)
        assert(late[i][me] == 0);
    for (int i = 0; i < 2; i++)
        code = code * 3 + atomic_fetch_add(&turn, 1) % 3;
    late[code * 3 + me][me] = 1;
    if (me == 2 && code == 1)
        racy = 1;
    if (me == 0 && code >= 7)
        early[0] = racy;
    return NULL;
}

int main(void)
{
    static const int number[] = {0, 1, 2};
    pthread_t thread[3];
    for (int i = 0; i < SIZE; i++)
        early[i] = i + 2;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, run, (void *)&number[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
