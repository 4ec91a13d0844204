/* A header-only thread pool (libthread-pool-dev): two tasks and their futures.
 * SEED: the tasks share a counter without a lock. */
#include <cassert>
#include <thread_pool/thread_pool.hpp>

static int count;

int main()
{
    thread_pool::ThreadPool pool(2);
#ifdef SEED
    auto first = pool.Submit([] { return ++count; }),
         second = pool.Submit([] { return ++count; });
#else
    auto first = pool.Submit([] { return 1; }), second = pool.Submit([] { return 2; });
#endif
    assert(first.get() + second.get() == 3);
    (void)count;
}
