/* EXPECT verdict=data-race exit=7
 * The reads are excluded, the write that follows them is not. */
#include <pthread.h>

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);

static int hits;

static void *worker(void *unused)
{
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    int seen = hits;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    hits = seen + 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
