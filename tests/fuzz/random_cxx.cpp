/* A random multithreaded program of what C++ has for threads: random_cxx SEED SIZE KINDS
 * [print]. KINDS is "sync" (latch, barrier, semaphores, waiting on atomics, shared_mutex,
 * condition variables, call_once), "futures" (promises, async, packaged tasks, exceptions,
 * jthread and stop tokens), "memory" (shared and weak pointers, atomic shared pointers,
 * atomic_ref, thread-local objects, static locals), "all", or the name of one operation.
 *
 * Like random_outcomes.c, each thread keeps a hash of everything it was told, and each
 * execution that ends tells them all: a reduction must give the same set as every interleaving
 * does (outcomes.sh). */
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <exception>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "outcome.h"

namespace
{

constexpr int THREADS = 3, OPERATIONS = 8;

#define BASICS(X) X(load) X(store) X(add)
#define SYNC(X)                                                                                \
    X(latch_down)                                                                              \
    X(latch_wait)                                                                              \
    X(latch_try) X(barrier_arrive) X(barrier_drop) X(sem_acquire) X(sem_release) X(sem_try)    \
        X(sem_for) X(atomic_wait) X(atomic_one) X(atomic_all) X(flag_wait) X(flag_set)         \
            X(shared_read) X(shared_write) X(shared_try) X(shared_for) X(recursive) X(both)    \
                X(timed) X(cond_wait) X(cond_for) X(cond_any) X(cond_notify) X(cond_all)       \
                    X(once) X(once_throws)
#define FUTURES(X)                                                                             \
    X(promise_set)                                                                             \
    X(promise_throw)                                                                           \
    X(future_get) X(future_for) X(future_ready) X(async_now) X(async_later) X(task_run)        \
        X(jthread) X(stop_ask) X(stop_look) X(stop_call) X(stop_wait) X(exception_keep)        \
            X(exception_raise) X(exception_drop)
#define MEMORY(X)                                                                              \
    X(pointer_copy)                                                                            \
    X(pointer_drop)                                                                            \
    X(pointer_lock) X(pointer_count) X(atomic_pointer_set) X(atomic_pointer_get)               \
        X(atomic_pointer_swap) X(reference_add) X(reference_wait) X(local_object)              \
            X(static_object) X(detached)

#define ENUMERATOR(name) K_##name,
#define NAME(name)       #name,
enum kind { BASICS(ENUMERATOR) SYNC(ENUMERATOR) FUTURES(ENUMERATOR) MEMORY(ENUMERATOR) KINDS };
const char *const names[KINDS] = {BASICS(NAME) SYNC(NAME) FUTURES(NAME) MEMORY(NAME)};
constexpr int FIRST_SYNC = K_latch_down, FIRST_FUTURE = K_promise_set,
              FIRST_MEMORY = K_pointer_copy;

struct operation {
    int kind;
    int at; /* which of two objects */
    int value;
};
operation program[THREADS][OPERATIONS];
int length[THREADS], threads, lowest, highest;

struct runner {
    uint64_t seen = 0;
    void see(long value) { seen = outcome_mix(seen, static_cast<uint64_t>(value)); }
};

struct completion {
    void operator()() noexcept;
};

/* An object whose end can be seen. */
struct witness {
    int value;
    explicit witness(int v) : value(v) {}
    ~witness();
};

struct shared_state {
    std::atomic<unsigned> cell[2] = {};
    std::latch latch{2};
    std::atomic<int> counted_down{0};
    std::atomic<bool> dropped{false};
    std::barrier<completion> barrier{2};
    std::counting_semaphore<4> semaphore{1};
    std::binary_semaphore binary{0};
    std::atomic_flag flag;
    std::shared_timed_mutex shared;
    std::recursive_mutex recursive;
    std::timed_mutex timed;
    std::mutex mutex[2];
    std::condition_variable condition;
    std::condition_variable_any any;
    std::once_flag once;
    int guarded = 0;
    std::promise<int> promise;
    std::shared_future<int> future = promise.get_future().share();
    std::packaged_task<int(int)> task{[this](int by) {
        return static_cast<int>(cell[0].fetch_add(static_cast<unsigned>(by)));
    }};
    std::stop_source stop;
    std::exception_ptr kept;
    std::shared_ptr<witness> pointer[2] = {std::make_shared<witness>(1),
                                           std::make_shared<witness>(2)};
    std::weak_ptr<witness> weak = pointer[0];
    std::atomic<std::shared_ptr<witness>> atomic_pointer{std::make_shared<witness>(3)};
    alignas(8) unsigned plain = 0;
};
shared_state *all;

void completion::operator()() noexcept
{
    all->cell[0].fetch_add(5);
}

witness::~witness()
{
    all->cell[1].fetch_add(static_cast<unsigned>(value));
}

struct counted {
    int rounds = 0;
    ~counted() { all->cell[0].fetch_add(static_cast<unsigned>(rounds)); }
};
thread_local counted local;

int initial()
{
    return static_cast<int>(all->cell[0].fetch_add(3));
}

auto soon(const operation &op)
{
    return std::chrono::seconds(1 + op.value);
}

void with_latch(runner &self, const operation &op)
{
    switch (op.kind) {
    case K_latch_down:
        if (all->counted_down.fetch_add(1) < 2) /* more is undefined */
            all->latch.count_down();
        break;
    case K_latch_wait:
        all->latch.wait();
        break;
    case K_latch_try:
        self.see(all->latch.try_wait());
        break;
    case K_barrier_arrive:
        all->barrier.arrive_and_wait();
        break;
    case K_barrier_drop:
        if (!all->dropped.exchange(true))
            all->barrier.arrive_and_drop();
        break;
    case K_sem_acquire:
        op.at ? all->semaphore.acquire() : all->binary.acquire();
        break;
    case K_sem_release:
        if (op.at)
            all->semaphore.release();
        else if (!all->flag.test_and_set())
            all->binary.release();
        break;
    case K_sem_try:
        self.see(op.at ? all->semaphore.try_acquire() : all->binary.try_acquire());
        break;
    default:
        self.see(op.at ? all->semaphore.try_acquire_for(soon(op))
                       : all->binary.try_acquire_for(soon(op)));
    }
}

void with_atomics(runner &self, const operation &op)
{
    switch (op.kind) {
    case K_load:
        self.see(all->cell[op.at].load());
        break;
    case K_store:
        all->cell[op.at].store(static_cast<unsigned>(op.value));
        break;
    case K_add:
        self.see(all->cell[op.at].fetch_add(1));
        break;
    case K_atomic_wait:
        all->cell[op.at].wait(0);
        self.see(all->cell[op.at].load());
        break;
    case K_atomic_one:
        all->cell[op.at].fetch_add(1);
        all->cell[op.at].notify_one();
        break;
    case K_atomic_all:
        all->cell[op.at].store(static_cast<unsigned>(op.value));
        all->cell[op.at].notify_all();
        break;
    case K_flag_wait:
        all->flag.wait(false);
        break;
    default:
        self.see(all->flag.test_and_set());
        all->flag.notify_all();
    }
}

void with_mutexes(runner &self, const operation &op)
{
    switch (op.kind) {
    case K_shared_read: {
        std::shared_lock lock(all->shared);
        self.see(all->guarded);
        break;
    }
    case K_shared_write: {
        std::unique_lock lock(all->shared);
        self.see(all->guarded++);
        break;
    }
    case K_shared_try:
        if (all->shared.try_lock_shared()) {
            self.see(all->guarded);
            all->shared.unlock_shared();
        }
        break;
    case K_shared_for:
        if (all->shared.try_lock_for(soon(op))) {
            self.see(all->guarded++);
            all->shared.unlock();
        }
        break;
    case K_recursive: {
        std::scoped_lock outer(all->recursive);
        std::scoped_lock inner(all->recursive);
        self.see(all->cell[op.at].fetch_add(1));
        break;
    }
    case K_both: {
        std::scoped_lock lock(all->mutex[op.at], all->mutex[!op.at]);
        self.see(all->cell[op.at].fetch_add(1));
        break;
    }
    default:
        if (all->timed.try_lock_for(soon(op))) {
            self.see(all->cell[0].fetch_add(1));
            all->timed.unlock();
        } else {
            self.see(-1);
        }
    }
}

void with_conditions(runner &self, const operation &op)
{
    std::unique_lock lock(all->mutex[0]);
    switch (op.kind) {
    case K_cond_wait:
        all->condition.wait(lock, [] { return all->guarded > 0; });
        break;
    case K_cond_for:
        self.see(static_cast<long>(all->condition.wait_for(lock, soon(op))));
        break;
    case K_cond_any:
        self.see(all->any.wait_for(lock, soon(op), [] { return all->guarded > 0; }));
        break;
    case K_cond_notify:
        self.see(all->guarded++);
        all->condition.notify_one();
        break;
    default:
        all->guarded++;
        lock.unlock();
        all->condition.notify_all();
        all->any.notify_all();
        lock.lock();
    }
    self.see(all->guarded);
}

void with_once(runner &self, const operation &op)
{
    try {
        std::call_once(all->once, [&] {
            unsigned before = all->cell[1].fetch_add(2);
            if (op.kind == K_once_throws && before < 4)
                throw std::runtime_error("not yet");
        });
    } catch (const std::runtime_error &) {
        self.see(-2);
    }
}

void with_promise(runner &self, const operation &op)
{
    try {
        switch (op.kind) {
        case K_promise_set:
            all->promise.set_value(op.value);
            break;
        case K_promise_throw:
            all->promise.set_exception(
                std::make_exception_ptr(std::runtime_error("broken on purpose")));
            break;
        case K_future_get: {
            std::shared_future<int> own = all->future;
            self.see(own.get());
            break;
        }
        case K_future_for:
            self.see(static_cast<long>(all->future.wait_for(soon(op))));
            break;
        case K_future_ready:
            self.see(static_cast<long>(all->future.wait_for(std::chrono::seconds(0))));
            break;
        default:
            all->task(op.value);
            self.see(all->task.get_future().get());
        }
    } catch (const std::future_error &error) {
        self.see(error.code().value());
    } catch (const std::runtime_error &) {
        self.see(-3);
    }
}

void with_threads(runner &self, const operation &op)
{
    auto bump = [&op] { return static_cast<long>(all->cell[op.at].fetch_add(1)); };
    switch (op.kind) {
    case K_async_now:
        self.see(std::async(std::launch::async, bump).get());
        break;
    case K_async_later:
        self.see(std::async(std::launch::deferred, bump).get());
        break;
    case K_jthread: {
        std::jthread made([](const std::stop_token &stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            all->cell[1].fetch_add(1);
        });
        self.see(bump());
        break;
    }
    default:
        std::thread([at = op.at] { all->cell[at].fetch_add(1); }).detach();
    }
}

void with_stop(runner &self, const operation &op)
{
    switch (op.kind) {
    case K_stop_ask:
        self.see(all->stop.request_stop());
        break;
    case K_stop_look:
        self.see(all->stop.get_token().stop_requested());
        break;
    case K_stop_call: {
        std::stop_callback call(all->stop.get_token(), [] { all->cell[0].fetch_add(11); });
        self.see(all->cell[1].load());
        break;
    }
    default: {
        std::unique_lock lock(all->mutex[0]);
        self.see(all->any.wait(lock, all->stop.get_token(), [] { return all->guarded > 1; }));
    }
    }
}

void with_exceptions(runner &self, const operation &op)
{
    std::exception_ptr taken;
    switch (op.kind) {
    case K_exception_keep:
        try {
            throw witness(op.value + 1);
        } catch (...) {
            std::scoped_lock lock(all->mutex[1]);
            all->kept = std::current_exception();
        }
        break;
    case K_exception_raise:
        try {
            {
                std::scoped_lock lock(all->mutex[1]);
                taken = all->kept;
            }
            if (taken)
                std::rethrow_exception(taken);
        } catch (const witness &caught) {
            self.see(caught.value);
        }
        break;
    default: {
        std::scoped_lock lock(all->mutex[1]);
        std::swap(all->kept, taken);
    }
    }
    taken = nullptr;
    self.see(all->cell[1].load());
}

void with_pointers(runner &self, const operation &op)
{
    std::shared_ptr<witness> mine;
    switch (op.kind) {
    case K_pointer_copy: {
        std::scoped_lock lock(all->mutex[1]);
        mine = all->pointer[op.at];
        break;
    }
    case K_pointer_drop: {
        std::scoped_lock lock(all->mutex[1]);
        std::swap(mine, all->pointer[op.at]);
        break;
    }
    case K_pointer_lock:
        mine = all->weak.lock();
        break;
    case K_pointer_count:
        self.see(all->weak.use_count());
        break;
    case K_atomic_pointer_set:
        all->atomic_pointer.store(std::make_shared<witness>(op.value));
        break;
    case K_atomic_pointer_get:
        mine = all->atomic_pointer.load();
        break;
    default:
        mine = all->atomic_pointer.exchange(nullptr);
    }
    self.see(mine ? mine->value : -4);
    mine.reset();
    self.see(all->cell[1].load());
}

void with_places(runner &self, const operation &op)
{
    std::atomic_ref<unsigned> reference(all->plain);
    switch (op.kind) {
    case K_reference_add:
        self.see(reference.fetch_add(1));
        reference.notify_all();
        break;
    case K_reference_wait:
        reference.wait(0);
        break;
    case K_local_object:
        local.rounds += op.value + 1;
        break;
    default: {
        static int once = initial();
        self.see(once);
    }
    }
}

void run(runner &self, int t)
{
    for (int i = 0; i < length[t]; i++) {
        const operation &op = program[t][i];
        if (op.kind >= K_latch_down && op.kind <= K_sem_for)
            with_latch(self, op);
        else if (op.kind <= K_add || (op.kind >= K_atomic_wait && op.kind <= K_flag_set))
            with_atomics(self, op);
        else if (op.kind >= K_shared_read && op.kind <= K_timed)
            with_mutexes(self, op);
        else if (op.kind >= K_cond_wait && op.kind <= K_cond_all)
            with_conditions(self, op);
        else if (op.kind <= K_once_throws)
            with_once(self, op);
        else if (op.kind <= K_future_ready || op.kind == K_task_run)
            with_promise(self, op);
        else if (op.kind <= K_jthread || op.kind == K_detached)
            with_threads(self, op);
        else if (op.kind <= K_stop_wait)
            with_stop(self, op);
        else if (op.kind <= K_exception_drop)
            with_exceptions(self, op);
        else if (op.kind <= K_atomic_pointer_swap)
            with_pointers(self, op);
        else
            with_places(self, op);
    }
}

void make_program(unsigned size)
{
    threads = 2 + static_cast<int>(draw(THREADS - 1));
    for (int t = 0; t < threads; t++) {
        length[t] = 1 + static_cast<int>(draw(size));
        for (int i = 0; i < length[t]; i++) {
            operation &op = program[t][i];
            op.kind = draw(4) ? lowest + static_cast<int>(draw(unsigned(highest - lowest)))
                              : static_cast<int>(draw(FIRST_SYNC));
            op.at = static_cast<int>(draw(2));
            op.value = static_cast<int>(draw(3));
        }
    }
}

void print_program()
{
    for (int t = 0; t < threads; t++) {
        printf("thread %d:", t);
        for (int i = 0; i < length[t]; i++)
            printf(" %s(%d,%d)", names[program[t][i].kind], program[t][i].at,
                   program[t][i].value);
        printf("\n");
    }
}

void choose_kinds(const char *kinds)
{
    lowest = FIRST_SYNC;
    highest = KINDS;
    if (strcmp(kinds, "sync") == 0)
        highest = FIRST_FUTURE;
    else if (strcmp(kinds, "futures") == 0)
        lowest = FIRST_FUTURE, highest = FIRST_MEMORY;
    else if (strcmp(kinds, "memory") == 0)
        lowest = FIRST_MEMORY;
    for (int kind = 0; kind < KINDS; kind++)
        if (strcmp(kinds, names[kind]) == 0)
            lowest = kind, highest = kind + 1;
}

} // namespace

int main(int argc, char **argv)
{
    if (!outcome_program(argc, argv, OPERATIONS, choose_kinds, make_program, print_program))
        return 0;
    static shared_state state;
    all = &state;
    runner runners[THREADS], whole;
    std::thread thread[THREADS];
    for (int t = 0; t < threads; t++)
        thread[t] = std::thread(run, std::ref(runners[t]), t);
    for (int t = 0; t < threads; t++) {
        thread[t].join();
        whole.see(static_cast<long>(runners[t].seen));
    }
    whole.see(state.cell[0].load());
    whole.see(state.cell[1].load());
    whole.see(state.guarded);
    report('e', whole.seen);
    return 0;
}
