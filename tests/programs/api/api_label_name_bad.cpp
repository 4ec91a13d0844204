/* EXPECT verdict=deadlock exit=2 bound=1 executions=6 distinct=3
 * Labels and names, for the report, in a program that deadlocks; C++ includes the header too.
 */
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
    std::thread a(worker, 0, 1), b(worker, 1, 0);
    a.join();
    b.join();
    return 0;
}
