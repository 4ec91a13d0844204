// A letter box is deleted by the poster, who does not wait until the reader has left its wait. C++17.
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

struct LetterBox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::string letter;

    std::string take()
    {
        std::unique_lock lock(mutex);
        arrived.wait(lock, [this] { return !letter.empty(); });
        return std::move(letter);
    }

    void post(std::string text)
    {
        std::lock_guard lock(mutex);
        letter = std::move(text);
        arrived.notify_one();
    }
};

int main()
{
    auto *box = new LetterBox;
    std::thread reader([box] { box->take(); });
    std::thread poster([box] {
        box->post("dear reader");
        delete box;
    });
    reader.join();
    poster.join();
}
