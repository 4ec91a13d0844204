// A bank whose accounts are in containers of nodes: two threads lock two of them in opposite order. The names of
// the locks are paths through std::map, std::unordered_map and std::list. C++17.
// SAYS bank.by_id[4]->m
// SAYS holds bank.hashed[30].m
// SAYS holds bank.spare[2].m
// SAYS holds bank.by_id[3]->m
// SAYS holds bank.tagged["n3"].m
#include <cassert>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
struct Account {
    explicit Account(int number) : id(number) {}
    std::mutex m;
    int balance = 0;
    int id;
};

struct Bank {
    std::map<int, std::shared_ptr<Account>> by_id;
    std::map<std::string, Account *> by_name;
    std::unordered_map<int, Account> hashed;
    std::unordered_map<std::string, Account> tagged;
    std::list<Account> spare;
};
int main()
{
    Bank bank;
    for (int i = 3; i < 6; i++) {
        bank.by_id[i] = std::make_shared<Account>(i);
        bank.by_name["n" + std::to_string(i)] = bank.by_id[i].get();
        bank.hashed.emplace(i * 10, i);
        bank.tagged.emplace("n" + std::to_string(i), i);
        bank.spare.emplace_back(i);
    }
    auto f = [&bank](int a, int b) {
        std::lock_guard<std::mutex> h(bank.hashed.at(a * 10).m);
        std::lock_guard<std::mutex> g(bank.tagged.at("n3").m);
        std::lock_guard<std::mutex> l(bank.spare.back().m);
        std::lock_guard<std::mutex> x(bank.by_id[a]->m);
        std::lock_guard<std::mutex> y(bank.by_id[b]->m);
    };
    std::thread t(f, 3, 4), u([&bank] {
        std::lock_guard<std::mutex> x(bank.by_name["n4"]->m);
        std::lock_guard<std::mutex> y(bank.by_name["n3"]->m);
    });
    t.join();
    u.join();
}
