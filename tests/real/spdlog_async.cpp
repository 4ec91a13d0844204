/* spdlog's asynchronous logger: two threads log through a queue to the pool's thread.
 * SEED: a sink without a mutex is shared by two synchronous loggers. */
#include <cassert>
#include <memory>
#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <thread>

template <class Mutex> struct Counting : spdlog::sinks::base_sink<Mutex> {
    int lines = 0;
    void sink_it_(const spdlog::details::log_msg &) override { lines++; }
    void flush_() override {}
};

int main()
{
#ifdef SEED
    auto sink = std::make_shared<Counting<spdlog::details::null_mutex>>();
    auto logger = std::make_shared<spdlog::logger>("test", sink);
#else
    auto sink = std::make_shared<Counting<std::mutex>>();
    auto pool = std::make_shared<spdlog::details::thread_pool>(8, 1);
    auto logger = std::make_shared<spdlog::async_logger>("test", sink, pool);
#endif
    std::thread other([&] { logger->info("one"); });
    logger->info("two");
    other.join();
#ifndef SEED
    pool.reset(); /* joins its thread, when all has been written */
#endif
    assert(sink->lines == 2);
}
