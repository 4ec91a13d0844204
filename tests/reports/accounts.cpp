// A pool of database sessions, one per account: a transfer takes the two sessions by the order of its
// arguments; three transfers in a ring each hold one and wait for the next. C++17.
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Session {
    std::mutex m;
    long balance = 0;
    bool open = true;
    std::string user;
};

class Bank {
public:
    void enroll(int id, std::string user, long balance)
    {
        std::unique_lock<std::shared_mutex> lock(directory_);
        auto session = std::make_unique<Session>();
        session->user = std::move(user);
        session->balance = balance;
        accounts.emplace(id, std::move(session));
    }

    Session &session(int id)
    {
        std::shared_lock<std::shared_mutex> lock(directory_);
        auto found = accounts.find(id);
        if (found == accounts.end())
            throw std::out_of_range("no account " + std::to_string(id));
        return *found->second;
    }

    bool transfer(int from, int to, long amount)
    {
        Session &payer = session(from);
        Session &payee = session(to);
        std::lock_guard<std::mutex> first(payer.m);
        if (!payer.open || payer.balance < amount)
            return false;
        std::lock_guard<std::mutex> second(payee.m);
        payer.balance -= amount;
        payee.balance += amount;
        return true;
    }

private:
    std::shared_mutex directory_;
    std::map<int, std::unique_ptr<Session>> accounts;
};

struct Order {
    int from, to;
    long amount;
};

class Clerk {
public:
    Clerk(Bank *bank, Order order) : bank_(bank), order_(order) {}

    void operator()()
    {
        if (bank_->transfer(order_.from, order_.to, order_.amount))
            done_++;
    }

private:
    Bank *bank_;
    Order order_;
    int done_ = 0;
};

int main()
{
    Bank *bank = new Bank;
    bank->enroll(1, "anna", 100);
    bank->enroll(2, "boris", 100);
    bank->enroll(3, "clara", 100);
    std::vector<std::thread> clerks;
    for (Order order : {Order{1, 2, 10}, Order{2, 3, 20}, Order{3, 1, 30}})
        clerks.emplace_back(Clerk(bank, order));
    for (auto &clerk : clerks)
        clerk.join();
    delete bank;
}
