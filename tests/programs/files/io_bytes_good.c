/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * Streams of their own: what a thread writes there byte by byte is nobody else's business, and
 * no operation. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *unused)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (int i = 0; i < 30000; i++)
        putc('a' + i % 26, stream);
    fclose(stream);
    assert(size == 30000 && text[29999] == 'a' + 29999 % 26);
    free(text);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
