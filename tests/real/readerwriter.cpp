/* moodycamel's ReaderWriterQueue, which waits with a semaphore.
 * SEED: two writers, where it takes one. */
#include <cassert>
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

int main()
{
    moodycamel::BlockingReaderWriterQueue<int> queue(1);
    std::thread writer([&] { queue.enqueue(1); });
#ifdef SEED
    queue.enqueue(2);
#endif
    int item = 0;
    queue.wait_dequeue(item);
    assert(item != 0);
    writer.join();
}
