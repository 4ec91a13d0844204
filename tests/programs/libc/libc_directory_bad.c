/* EXPECT verdict=assertion exit=1 bound=1 -- -DGETCWD
 * EXPECT verdict=assertion exit=1 bound=1 -- -DREALPATH
 * EXPECT verdict=assertion exit=1 bound=1 -- -DOPEN
 * EXPECT verdict=assertion exit=1 bound=1 -- -DSTAT
 * EXPECT verdict=assertion exit=1 bound=1 -- -DACCESS
 * The working directory is one for all threads: relative paths and getcwd() look at it. */
#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_root(void)
{
#if defined GETCWD
    char path[PATH_MAX];
    return getcwd(path, sizeof path) != NULL && strcmp(path, "/") == 0;
#elif defined REALPATH
    char path[PATH_MAX];
    return realpath(".", path) != NULL && strcmp(path, "/") == 0;
#elif defined OPEN
    int fd = open("proc", O_RDONLY | O_DIRECTORY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
#elif defined STAT
    struct stat status;
    return stat("proc", &status) == 0;
#else
    return access("proc", F_OK) == 0;
#endif
}

static void *mover(void *unused)
{
    assert(chdir("/proc") == 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(chdir("/") == 0);
    pthread_create(&thread, NULL, mover, NULL);
#ifdef IN_ORDER
    pthread_join(thread, NULL);
    assert(!is_root());
#else
    assert(is_root());
    pthread_join(thread, NULL);
#endif
    return 0;
}
