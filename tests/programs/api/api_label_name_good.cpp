/* EXPECT verdict=passed exit=0 complete=true executions=540 distinct=2
 * Labels and names do not change what is explored: two orders of the critical sections. */
#include <mazur.h>
#include <mutex>
#include <thread>

static std::mutex accounts[2];

static void worker(int first, int second)
{
    mazur_label("transfer");
    accounts[first].lock();
    accounts[second].lock();
    accounts[second].unlock();
    accounts[first].unlock();
    mazur_label(nullptr);
}

int main()
{
    mazur_name(&accounts[0], sizeof accounts[0], "savings");
    mazur_name(&accounts[1], sizeof accounts[1], "checking");
    std::thread a(worker, 0, 1), b(worker, 0, 1);
    a.join();
    b.join();
    return 0;
}
