// Treiber's stack whose pop deletes the node at once: another pop may still read its next.
// FAILS memory
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
        while (node && !head_.compare_exchange_weak(node, node->next, std::memory_order_acquire,
                                                    std::memory_order_acquire))
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
    int priority;
};

static std::atomic<int> handled;

static void handle_jobs(LockFreeStack<Job> &jobs)
{
    while (std::optional<Job> job = jobs.pop())
        handled.fetch_add(job->priority);
}

int main()
{
    LockFreeStack<Job> jobs;
    jobs.push(Job{1, 5});
    jobs.push(Job{2, 7});
    std::thread one(handle_jobs, std::ref(jobs));
    std::thread two(handle_jobs, std::ref(jobs));
    one.join();
    two.join();
    return handled.load() == 12 ? 0 : 1;
}
