/* EXPECT verdict=passed exit=0 complete=true
 * A server and a client on the loopback: connect, request, answer, end. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener;

static void *server(void *unused)
{
    char byte;
    int connection = accept(listener, NULL, NULL);
    assert(connection >= 0);
    assert(recv(connection, &byte, 1, 0) == 1);
    byte++;
    assert(send(connection, &byte, 1, 0) == 1);
    close(connection);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&address, length) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    assert(listen(listener, 4) == 0);
    pthread_create(&thread, NULL, server, NULL);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(client, (struct sockaddr *)&address, length) == 0);
    char byte = 'm';
    assert(send(client, &byte, 1, 0) == 1);
    assert(recv(client, &byte, 1, 0) == 1 && byte == 'n');
    assert(recv(client, &byte, 1, 0) == 0);
    pthread_join(thread, NULL);
    close(client);
    close(listener);
    return 0;
}
