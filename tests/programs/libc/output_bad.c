/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=3 distinct=2
 * Prints, and fails when the second thread printed first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int lines;

static void *first(void *unused)
{
    printf("line %d of %s\n", atomic_fetch_add(&lines, 1), "first");
    return unused;
}

static void *second(void *unused)
{
    int line = atomic_fetch_add(&lines, 1);
    fprintf(stderr, "line %d of %s\n", line, "second");
    puts("and one more");
    assert(line == 1); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (write(STDOUT_FILENO, "done\n", 5) != 5)
        return 1;
    return fflush(stdout);
}
