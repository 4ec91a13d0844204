/* libmicrohttpd: a server thread answers a request that main makes over the loopback.
 * SEED: the handler counts requests, and main reads the count, without a lock. */
#include <assert.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int requests;

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    (void)context, (void)url, (void)method, (void)version, (void)data, (void)size, (void)state;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(2, "ok", MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
#ifndef SEED
    pthread_mutex_lock(&mutex);
#endif
    requests++;
#ifndef SEED
    pthread_mutex_unlock(&mutex);
#endif
    return result;
}

int main(void)
{
    static const char request[] = "GET / HTTP/1.0\r\n\r\n";
    char reply[1000];
    struct MHD_Daemon *server = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL,
                                                 answer, NULL, MHD_OPTION_END);
    assert(server);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    address.sin_port = htons(MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT)->port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    assert(send(fd, request, strlen(request), 0) == (ssize_t)strlen(request));
    pthread_mutex_lock(&mutex);
    int soon = requests;
    pthread_mutex_unlock(&mutex);
    assert(recv(fd, reply, sizeof reply, 0) > 0 && memcmp(reply, "HTTP/1.", 7) == 0);
    pthread_mutex_lock(&mutex);
    assert(requests == 1 && soon <= 1);
    pthread_mutex_unlock(&mutex);
    close(fd);
    MHD_stop_daemon(server);
    return 0;
}
