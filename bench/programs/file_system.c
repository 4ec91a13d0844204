/* Model of a file system that creates files (paper 003, section 4.1): each of THREADS threads
 * makes sure that its inode has a block, the first one that is free. Inodes and blocks have a
 * lock each. With fewer inodes than threads some share an inode. No two inodes may get the same
 * block. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef INODES
#define INODES 3
#endif
#define BLOCKS INODES
#define NONE   (-1)

static pthread_mutex_t inode_mutex[INODES], block_mutex[BLOCKS];
static int block_of[INODES];
static bool busy[BLOCKS];

static bool claim(int block)
{
    pthread_mutex_lock(&block_mutex[block]);
    bool was_free = !busy[block];
    busy[block] = true;
    pthread_mutex_unlock(&block_mutex[block]);
    return was_free;
}

static void *create(void *number)
{
    int inode = (int)(intptr_t)number % INODES;
    pthread_mutex_lock(&inode_mutex[inode]);
    if (block_of[inode] == NONE) {
        int block = 0;
        while (!claim(block))
            block++;
        block_of[inode] = block;
    }
    pthread_mutex_unlock(&inode_mutex[inode]);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < INODES; i++) {
        pthread_mutex_init(&inode_mutex[i], NULL);
        block_of[i] = NONE;
    }
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_mutex[i], NULL);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, create, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < INODES; i++)
        for (int j = 0; j < i; j++)
            assert(block_of[i] != block_of[j]);
    return 0;
}
