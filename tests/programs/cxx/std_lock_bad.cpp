/* EXPECT verdict=deadlock exit=2 bound=1 executions=6 distinct=3 -- -std=c++17
 * A transfer locks its two accounts in the order of its arguments: two transfers in opposite
 * directions deadlock after one preemption between the locks. */
#include <mutex>
#include <thread>

struct account {
    std::mutex mutex;
    int balance = 10;
};

static account a, b;

static void transfer(account &from, account &to)
{
    std::lock_guard<std::mutex> first(from.mutex);
    std::lock_guard<std::mutex> second(to.mutex);
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
