/* EXPECT verdict=memory-error exit=11 bound=1 executions=6 distinct=3
 * A hand-made shared pointer whose copy constructor reads the pointer first and counts later:
 * one preemption in between, and the object is gone when the copy is used. */
#include <atomic>
#include <mutex>
#include <thread>

struct object {
    std::atomic<int> references{1};
    int value = 42;
};

static std::mutex mutex;
static std::atomic<object *> global;

static void drop(object *o)
{
    if (o && o->references.fetch_sub(1) == 1)
        delete o;
}

static void reader()
{
    object *copy = global.load();
    if (copy) {
        copy->references.fetch_add(1);
        if (copy->value != 42)
            throw 1;
        drop(copy);
    }
}

static void resetter()
{
    std::unique_lock<std::mutex> guard(mutex);
    object *old = global.exchange(nullptr);
    guard.unlock();
    drop(old);
}

int main()
{
    global = new object;
    std::thread a(reader), b(resetter);
    a.join();
    b.join();
    return 0;
}
