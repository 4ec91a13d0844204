// A lock-free stack whose nodes are counted: the last one who looks at a node frees it. C++17.
// SAYS ; T2 has the pointer from load stack.top_ (tickets.cpp:
// SAYS ○ free of Node#1
#include <array>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace lockfree {

template <class T> class CountedStack {
    struct Node {
        explicit Node(T v) : value(std::move(v)) {}
        T value;
        Node *next = nullptr;
        std::atomic<int> readers{0};
        std::atomic<bool> unlinked{false};
    };

    // Counts us as a reader of a node while we look at it.
    class Pin {
    public:
        explicit Pin(Node *node) : node_(node) { node_->readers.fetch_add(1); }
        Pin(const Pin &) = delete;
        Pin &operator=(const Pin &) = delete;
        ~Pin()
        {
            const bool last = node_->readers.fetch_sub(1) == 1;
            if (last && node_->unlinked.load())
                delete node_;
        }

    private:
        Node *node_;
    };

public:
    CountedStack() = default;
    CountedStack(const CountedStack &) = delete;
    CountedStack &operator=(const CountedStack &) = delete;

    ~CountedStack()
    {
        Node *node = top_.load();
        while (node)
            delete std::exchange(node, node->next);
    }

    void push(T value)
    {
        auto node = std::make_unique<Node>(std::move(value));
        node->next = top_.load();
        while (!top_.compare_exchange_weak(node->next, node.get())) {
        }
        node.release();
    }

    std::optional<T> pop()
    {
        Node *node = top_.load();
        while (node) {
            Pin pin(node);
            if (top_.load() != node) {
                node = top_.load();
                continue;
            }
            if (top_.compare_exchange_strong(node, node->next)) {
                std::optional<T> result(std::move(node->value));
                node->unlinked.store(true);
                return result;
            }
        }
        return std::nullopt;
    }

private:
    std::atomic<Node *> top_{nullptr};
};

} // namespace lockfree

struct Ticket {
    int number = 0;
    std::string holder;
};

int main()
{
    lockfree::CountedStack<Ticket> stack;
    stack.push({1, "ada"});

    std::array<std::optional<Ticket>, 2> got;
    std::thread left([&] { got[0] = stack.pop(); });
    std::thread right([&] { got[1] = stack.pop(); });
    left.join();
    right.join();

    assert(got[0].has_value() != got[1].has_value());
    std::printf("%s\n", (got[0] ? got[0] : got[1])->holder.c_str());
    return 0;
}
