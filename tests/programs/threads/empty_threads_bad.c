/* EXPECT verdict=assertion exit=1 bound=0
 * EXPECT verdict=assertion exit=1 -- --strategy dfs --checkpoints always
 * Threads that do nothing use no stack but Mazur's own, also while they pick who runs after
 * their end: a checkpoint there must have it. */
#include <assert.h>
#include <pthread.h>

static void *pass_on(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, pass_on, &thread[i]);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(thread[i], &result);
        assert(result == &thread[0]);
    }
    return 0;
}
