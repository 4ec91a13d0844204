/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * Two threads take lines and words from one stream under one lock. */
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::istringstream input("a b\nc d\n7 8 9\n");
static std::mutex lock;
static std::string taken[2];

static void take(std::string &line)
{
    std::string word, rest;
    char end[4];
    std::lock_guard<std::mutex> guard(lock);
    input >> word;
    std::getline(input, rest);
    line = word + rest;
    if (input.peek() == '7') {
        input.ignore(2);
        input.getline(end, sizeof end);
        assert(end[2] == '9');
    }
}

int main()
{
    std::thread first([] { take(taken[0]); }), second([] { take(taken[1]); });
    first.join();
    second.join();
    assert(taken[0] + taken[1] == "a bc d" || taken[0] + taken[1] == "c da b");
}
