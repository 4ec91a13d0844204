// An audit log: channels are looked up without the lock, while another thread opens a channel, which
// inserts into the same std::map. C++17.
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

enum class Grade : char { Info = 'i', Alarm = 'a' };

struct Record {
    Grade grade;
    std::string text;
    long when;
};

class Channel {
public:
    explicit Channel(std::string name) : name_(std::move(name)) {}

    void append(Grade grade, std::string text)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        records_.push_back(Record{grade, std::move(text), next_++});
        if (grade == Grade::Alarm)
            alarms_++;
    }

    std::string summary() const
    {
        std::lock_guard<std::mutex> guard(mutex_);
        std::ostringstream out;
        out << name_ << ": " << records_.size() << " records, " << alarms_ << " alarms";
        return out.str();
    }

private:
    std::string name_;
    mutable std::mutex mutex_;
    std::list<Record> records_;
    long next_ = 0;
    int alarms_ = 0;
};

class AuditLog {
public:
    Channel &open(const std::string &name)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        auto &channel = channels_[name];
        if (!channel)
            channel = std::make_shared<Channel>(name);
        return *channel;
    }

    bool log(const std::string &name, Grade grade, std::string text)
    {
        auto found = channels_.find(name);
        if (found == channels_.end())
            return false;
        found->second->append(grade, std::move(text));
        return true;
    }

    std::vector<std::string> summaries() const
    {
        std::lock_guard<std::mutex> guard(mutex_);
        std::vector<std::string> lines;
        for (const auto &[name, channel] : channels_)
            lines.push_back(channel->summary());
        return lines;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Channel>> channels_;
};

class Door {
public:
    Door(AuditLog &log, std::string place) : log_(log), place_(std::move(place)) {}
    void enter(const std::string &who) { log_.log(place_, Grade::Info, who + " enters"); }
    void force() { log_.log(place_, Grade::Alarm, "forced"); }

private:
    AuditLog &log_;
    std::string place_;
};

int main()
{
    auto log = std::make_unique<AuditLog>();
    log->open("north");
    Door north(*log, "north");
    std::thread visitor([&] {
        north.enter("somebody with a name that is long");
        north.force();
    });
    std::thread admin([&] { log->open("south"); });
    visitor.join();
    admin.join();
    return log->summaries().size() == 2 ? 0 : 1;
}
