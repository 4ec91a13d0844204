/* EXPECT verdict=not-linearizable exit=9 bound=1 -- -std=c++20
 * A stack whose push reads the top and stores the new one without looking again: a push in
 * between
 * is lost. */
#include <atomic>
#include <mazur.h>
#include <thread>

struct Node {
    int value;
    Node *next;
};

static Node nodes[3] = {{1, nullptr}, {2, nullptr}, {3, nullptr}};
static std::atomic<Node *> top;

static void push(int number)
{
    Node *node = &nodes[number - 1];
    mazur_history_begin("push", number);
    node->next = top.load();
    top.store(node);
    mazur_history_end("push", number, true);
}

static void pop()
{
    mazur_history_begin("pop");
    Node *node = top.load();
    while (node != nullptr && !top.compare_exchange_weak(node, node->next)) {
    }
    if (node != nullptr)
        mazur_history_end(node->value);
    else
        mazur_history_end("empty");
}

int main()
{
    std::thread first([] {
        push(1);
        pop();
    });
    std::thread second([] { push(2); });
    first.join();
    second.join();
    pop();
}
