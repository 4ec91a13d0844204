/* EXPECT verdict=passed exit=0 complete=true executions=1512 distinct=3
 * The copy is made under the mutex which the reset takes too. */
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
    std::unique_lock<std::mutex> guard(mutex);
    object *copy = global.load();
    if (copy) {
        copy->references.fetch_add(1);
        guard.unlock();
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
