/* EXPECT verdict=passed exit=0 complete=true distinct=2
 * The kernel writes into static data that the program has not written yet. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Each in a page of its own that nothing has written before; and too many of them to be
 * writable from the start. */
#define APART static __attribute__((aligned(4096)))
APART struct stat by_path, by_descriptor;
APART char directory[4096];
APART char pieces[65536];
APART char at_a_place[65536];
APART char in_one_read[65536];
APART char stream_buffer[65536];
APART struct utsname names;
APART struct rlimit limit;
APART struct rusage usage;
APART struct sockaddr_storage address;
APART socklen_t length;
APART int option;
APART unsigned processor;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int asked;

static void ask(void)
{
    assert(stat("/proc/self/exe", &by_path) == 0);
    int fd = open("/proc/self/exe", O_RDONLY);
    assert(fstat(fd, &by_descriptor) == 0 && by_descriptor.st_ino == by_path.st_ino);
    assert(read(fd, in_one_read, 4096) == 4096);
    assert(pread(fd, at_a_place, 4096, 0) == 4096);
    assert(memcmp(in_one_read, at_a_place, 4096) == 0);
    FILE *file = fdopen(fd, "r");
    assert(setvbuf(file, stream_buffer, _IOFBF, sizeof stream_buffer) == 0);
    rewind(file);
    assert(fread(pieces, 1, 8192, file) == 8192 && memcmp(pieces, at_a_place, 4096) == 0);
    fclose(file);
    assert(getcwd(directory, sizeof directory) != NULL);
    assert(uname(&names) == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0);
    assert(getrusage(RUSAGE_SELF, &usage) == 0);
    int end[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, end) == 0);
    length = sizeof address;
    assert(getsockname(end[0], (struct sockaddr *)&address, &length) == 0);
    assert(ioctl(end[0], FIONREAD, &option) == 0 && option == 0);
    assert(syscall(SYS_getcpu, &processor, NULL, NULL) == 0);
    close(end[0]);
    close(end[1]);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    ask();
    asked++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(asked == 2);
    return 0;
}
