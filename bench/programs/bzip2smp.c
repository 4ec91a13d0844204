/* Paper 004, Table 1, "bzip2smp": the core of a parallel compressor. Workers take blocks in order, compress each without a lock, and write
 * them in order: one whose turn it is not waits. Rebuilt from that structure, without data.
 *
 * BLOCKS blocks, WORKERS workers. */
#include <assert.h>
#include <pthread.h>

#ifndef BLOCKS
#define BLOCKS 3
#endif
#ifndef WORKERS
#define WORKERS 2
#endif

static pthread_mutex_t input_lock = PTHREAD_MUTEX_INITIALIZER,
                       output_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int next_block, written, output[BLOCKS];

static int read_block(void)
{
    pthread_mutex_lock(&input_lock);
    int block = next_block < BLOCKS ? next_block++ : -1;
    pthread_mutex_unlock(&input_lock);
    return block;
}

static void write_block(int block, int size)
{
    pthread_mutex_lock(&output_lock);
    while (written != block)
        pthread_cond_wait(&turn, &output_lock);
    output[written++] = size;
    pthread_cond_broadcast(&turn);
    pthread_mutex_unlock(&output_lock);
}

static void *compress(void *unused)
{
    for (int block; (block = read_block()) >= 0;)
        write_block(block, block * block);
    return unused;
}

int main(void)
{
    pthread_t worker[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&worker[i], NULL, compress, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        assert(output[i] == i * i);
    return 0;
}
