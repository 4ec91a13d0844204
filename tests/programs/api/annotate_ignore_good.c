/* EXPECT verdict=passed exit=0 complete=false
 * Races that the program calls benign, or excludes, are not reported; but then not everything has
 * been tried. */
#include <pthread.h>

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateBenignRaceSized(const char *file, int line, const volatile void *address,
                             long size, const char *why);

static int hits, level;

static void *worker(void *unused)
{
    hits++;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    int seen = level;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    return seen < 0 ? unused : NULL;
}

int main(void)
{
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, &hits, sizeof hits, "statistics");
    pthread_create(&thread, NULL, worker, NULL);
    hits++;
    level = 1;
    pthread_join(thread, NULL);
    return 0;
}
