/* EXPECT verdict=assertion exit=1 executions=6 distinct=3
 * One stream for both: the bytes come in any order. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *stream;

static void *work(void *unused)
{
    putc('a', stream);
    putc('b', stream);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    char *text;
    size_t size;
    stream = open_memstream(&text, &size);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fclose(stream);
    assert(text[0] == 'a' && text[1] == 'b');
    free(text);
    return 0;
}
