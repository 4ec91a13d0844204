/* EXPECT verdict=passed exit=0 executions=104 distinct=8 -- -std=c++17 --bound 2
 * std::scoped_lock takes several mutexes without deadlock. */
#include <mutex>
#include <thread>

struct account {
    std::mutex mutex;
    int balance = 10;
};

static account a, b;

static void transfer(account &from, account &to)
{
    std::scoped_lock both(from.mutex, to.mutex);
    from.balance--;
    to.balance++;
}

int main()
{
    std::thread one([] { transfer(a, b); }), two([] { transfer(b, a); });
    one.join();
    two.join();
    return a.balance != 10 || b.balance != 10;
}
