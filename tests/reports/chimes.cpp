// A bell tower: a thread rings what it is given until it is told to stop. It asks the stop token
// with the mutex held, but the order to stop and the broadcast come without it, between its
// question and its wait. C++20
// SAYS lost wake-up: main's broadcast tower.news_ (chimes.cpp:
// SAYS std::stop_token::stop_requested() (chimes.cpp:
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

class Tower {
public:
    Tower() : ringer_([this](std::stop_token stop) { ring(stop); }) {}

    ~Tower()
    {
        ringer_.request_stop();
        news_.notify_all();
        ringer_.join();
    }

    void order(std::string chime)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        orders_.push_back(std::move(chime));
        news_.notify_all();
    }

private:
    void ring(std::stop_token stop)
    {
        std::unique_lock<std::mutex> guard(mutex_);
        for (;;) {
            if (stop.stop_requested())
                return;
            if (orders_.empty()) {
                news_.wait(guard);
                continue;
            }
            rung_ += orders_.front().size();
            orders_.pop_front();
        }
    }

    std::mutex mutex_;
    std::condition_variable news_;
    std::deque<std::string> orders_;
    std::size_t rung_ = 0;
    std::jthread ringer_;
};

int main()
{
    Tower tower;
    for (int hour = 0; hour < 3; hour++)
        tower.order("dong");
}
