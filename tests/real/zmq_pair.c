/* ZeroMQ: a message between two threads over inproc, with the library's own threads beside
 * them. */
#include <assert.h>
#include <pthread.h>
#include <zmq.h>

static void *context;

static void *sender(void *unused)
{
    void *socket = zmq_socket(context, ZMQ_PAIR);
    assert(zmq_connect(socket, "inproc://pair") == 0);
    assert(zmq_send(socket, "hi", 2, 0) == 2);
    zmq_close(socket);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char text[4];
    context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_PAIR);
    assert(zmq_bind(socket, "inproc://pair") == 0);
    pthread_create(&thread, NULL, sender, NULL);
    assert(zmq_recv(socket, text, sizeof text, 0) == 2);
    pthread_join(thread, NULL);
    zmq_close(socket);
    zmq_ctx_term(context);
    return 0;
}
