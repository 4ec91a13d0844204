/* Two threads that allocate, in a program linked with another malloc: Mazur's own takes its
 * place. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(void *unused)
{
    char *block = malloc(100);
    memset(block, 1, 100);
    block = realloc(block, 1000);
    free(block);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
