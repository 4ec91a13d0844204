/* EXPECT verdict=passed exit=0 -- -std=c++20 --bound 1
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++20 --strategy optimal --bound none
 * Treiber's stack: push exchanges the top only if it is still the one that it read. (Nodes are not
 * used again, so there is no ABA.) */
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
    while (!top.compare_exchange_weak(node->next, node)) {
    }
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
