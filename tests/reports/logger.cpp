// A logger that reads its sink and its count without the lock that protects them. C++17.
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

enum class Severity { Debug = 1, Warning, Error };

struct Sink {
    std::vector<std::string> lines;
    Severity worst = Severity::Debug;
    double seconds = 0;
};

class Logger {
public:
    Logger() : sinks_{{"main", std::make_shared<Sink>()}} {}

    void log(Severity severity, const std::string &text)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        std::shared_ptr<Sink> sink = sinks_.at("main");
        sink->lines.push_back(text);
        if (severity > sink->worst)
            sink->worst = severity;
        sink->seconds += 0.5;
    }

    Severity worst() const
    {
        return sinks_.at("main")->worst; // the lock is missing
    }

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Sink>> sinks_;
};

static bool is_number(const std::string &text)
{
    static const std::regex number("[0-9]+");
    return std::regex_match(text, number);
}

int main()
{
    auto logger = std::make_unique<Logger>();
    std::thread writer([&] {
        logger->log(Severity::Warning, "disk nearly full");
        logger->log(Severity::Error, "disk full");
    });
    std::ostringstream out;
    out << static_cast<int>(logger->worst());
    writer.join();
    return is_number(out.str()) ? 0 : 1;
}
