// Double-checked initialisation of a table of codecs: the flag is stored with relaxed order, so that a
// reader on the fast path is not ordered after the insertions. C++17.
#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

enum class Quality { Draft, Standard, Best };

class Codec {
public:
    Codec(std::string name, Quality quality) : name_(std::move(name)), quality_(quality) {}
    virtual ~Codec() = default;
    virtual std::size_t encode(std::string_view text) = 0;
    Quality quality() const { return quality_; }
    const std::string &name() const { return name_; }

protected:
    std::string name_;
    Quality quality_;
};

class Identity final : public Codec {
public:
    Identity() : Codec("identity", Quality::Draft) {}
    std::size_t encode(std::string_view text) override { return text.size(); }
};

class RunLength final : public Codec {
public:
    explicit RunLength(unsigned window) : Codec("run-length", Quality::Best), window_(window) {}

    std::size_t encode(std::string_view text) override
    {
        std::size_t runs = 0;
        for (std::size_t i = 0; i < text.size(); i++)
            runs += i == 0 || text[i] != text[i - 1] || i % window_ == 0;
        return 2 * runs;
    }

private:
    unsigned window_;
};

class CodecTable {
public:
    Codec *find(int id)
    {
        ensure_filled();
        auto found = codecs_.find(id);
        return found == codecs_.end() ? nullptr : found->second.get();
    }

    std::size_t size() const { return codecs_.size(); }

private:
    void ensure_filled()
    {
        if (filled_.load(std::memory_order_acquire))
            return;
        std::lock_guard<std::mutex> guard(mutex_);
        if (filled_.load(std::memory_order_relaxed))
            return;
        codecs_.emplace(1, std::make_unique<Identity>());
        codecs_.emplace(2, std::make_unique<RunLength>(16));
        filled_.store(true, std::memory_order_relaxed);
    }

    std::mutex mutex_;
    std::atomic<bool> filled_{false};
    std::map<int, std::unique_ptr<Codec>> codecs_;
};

struct Request {
    int codec;
    std::string text;
    std::optional<std::size_t> size;
};

static void serve(CodecTable &table, Request &request)
{
    if (Codec *codec = table.find(request.codec))
        request.size = codec->encode(request.text);
}

int main()
{
    CodecTable table;
    std::vector<Request> requests{{1, "aaaa", {}}, {2, "aabb", {}}};
    std::vector<std::thread> threads;
    for (Request &request : requests)
        threads.emplace_back(serve, std::ref(table), std::ref(request));
    for (std::thread &thread : threads)
        thread.join();
    return requests[0].size && requests[1].size ? 0 : 1;
}
