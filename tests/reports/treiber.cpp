// A lock-free stack of work items that puts a node into the list before the node's successor is set:
// a thread that pops in between loses all that is below. C++20.
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

template <typename T>
concept Movable = std::is_move_constructible_v<T>;

template <Movable T>
class Stack {
    struct Node {
        T item;
        std::atomic<Node *> below = nullptr;
        Node *link = nullptr;
    };

public:
    Stack() = default;
    Stack(const Stack &) = delete;
    ~Stack()
    {
        for (Node *node = chain_; node;)
            delete std::exchange(node, node->link);
    }

    void push(T item)
    {
        auto *node = new Node{std::move(item)};
        keep(node);
        node->below.store(top_.exchange(node));
    }

    std::optional<T> pop()
    {
        Node *top = top_.load();
        while (top && !top_.compare_exchange_weak(top, top->below.load()))
            ;
        if (!top)
            return std::nullopt;
        return top->item;
    }

private:
    void keep(Node *node)
    {
        node->link = chain_.load();
        while (!chain_.compare_exchange_weak(node->link, node))
            ;
    }

    std::atomic<Node *> top_ = nullptr;
    std::atomic<Node *> chain_ = nullptr;
};

using Work = std::tuple<int, char>;

int main()
{
    auto stack = std::make_shared<Stack<Work>>();
    stack->push({1, 'a'});
    int done = 0;
    {
        std::jthread taker([stack, &done] {
            if (stack->pop())
                ++done;
        });
        stack->push({2, 'b'});
    }
    while (stack->pop())
        ++done;
    if (done != 2) {
        std::cerr << done << " of 2 items were done\n";
        return EXIT_FAILURE;
    }
}
