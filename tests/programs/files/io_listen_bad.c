/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy dpor
 * A client does not wait until the server listens: its connection may be refused. */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX}; /* the kernel gives a free one */
static socklen_t length = sizeof address.sun_family;
static int server_socket;

static void *server(void *unused)
{
    listen(server_socket, 1);
    return unused;
}

static void *client(void *unused)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(fd, (const struct sockaddr *)&address, length) == 0); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    server_socket = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(server_socket, (const struct sockaddr *)&address, length))
        return 6;
    length = sizeof address;
    getsockname(server_socket, (struct sockaddr *)&address, &length);
    pthread_create(&a, NULL, server, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
