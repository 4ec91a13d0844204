/* EXPECT verdict=deadlock exit=2 bound=0 location=HERE
 * Client and server wait for each other's first byte. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener;
static struct sockaddr_in address = {.sin_family = AF_INET};

static void *client(void *unused)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    char reply = 0;
    assert(recv(fd, &reply, 1, 0) == 1);
    assert(send(fd, &reply, 1, 0) == 1);
    close(fd);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char request;
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    assert(listen(listener, 1) == 0);
    pthread_create(&thread, NULL, client, NULL);
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    assert(fd >= 0);
    assert(recv(fd, &request, 1, 0) == 1); /* HERE */
    assert(send(fd, &request, 1, 0) == 1);
    pthread_join(thread, NULL);
    close(fd);
    close(listener);
    return 0;
}
