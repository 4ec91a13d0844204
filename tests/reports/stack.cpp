// A lock-free stack that frees a node which another thread still reads. C++20.
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

template <typename T>
class LockFreeStack {
    struct Node {
        T value;
        Node *next;
    };

public:
    ~LockFreeStack()
    {
        while (pop())
            ;
    }

    void push(T value)
    {
        Node *node = new Node{std::move(value), head_.load(std::memory_order_relaxed)};
        while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release,
                                            std::memory_order_relaxed))
            ;
    }

    std::optional<T> pop()
    {
        Node *node = head_.load(std::memory_order_acquire);
        while (node && !head_.compare_exchange_weak(node, node->next, std::memory_order_acquire))
            ;
        if (!node)
            return std::nullopt;
        std::optional<T> value(std::move(node->value));
        delete node;
        return value;
    }

private:
    std::atomic<Node *> head_{nullptr};
};

struct Job {
    int id;
    double weight;
};

int main()
{
    LockFreeStack<Job> stack;
    stack.push({1, 0.5});
    stack.push({2, 1.5});
    std::jthread first([&stack] { stack.pop(); });
    std::jthread second([&stack] { stack.pop(); });
    return 0;
}
