/* EXPECT verdict=nothing-found exit=0 complete=false -- --depth 300
 * A handler that interrupts a wait, in a loop that counts its rounds, and makes more operations than Mazur keeps
 * of a round. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define COUNT(i) atomic_store(&cell[i], atomic_load(&cell[i]) + 1)

static atomic_int flag, ready, cell[20];
static int rounds;

static void handle(int number)
{
    (void)number;
    COUNT(0), COUNT(1), COUNT(2), COUNT(3), COUNT(4), COUNT(5), COUNT(6), COUNT(7), COUNT(8), COUNT(9);
    COUNT(10), COUNT(11), COUNT(12), COUNT(13), COUNT(14), COUNT(15), COUNT(16), COUNT(17), COUNT(18);
}

static void *wait_for_flag(void *unused)
{
    atomic_store(&ready, 1);
    while (!atomic_load(&flag))
        rounds++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, wait_for_flag, NULL);
    while (!atomic_load(&ready)) {
    }
    pthread_kill(thread, SIGUSR1);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    assert(cell[18] == 1);
    return 0;
}
