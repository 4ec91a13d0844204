/* A GoogleTest binary, linked with the packaged library and main: one test without threads, one
 * with two. SEED: the counter loses its mutex. */
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

TEST(Counter, StartsAtZero)
{
    int counter = 0;
    EXPECT_EQ(counter, 0);
}

TEST(Counter, CountsBothThreads)
{
    int counter = 0;
    std::mutex lock;
    auto add = [&] {
#ifndef SEED
        std::lock_guard<std::mutex> guard(lock);
#endif
        int old = counter;
#ifdef SEED
        std::lock_guard<std::mutex> guard(lock);
#endif
        counter = old + 1;
    };
    std::thread a(add), b(add);
    a.join();
    b.join();
    EXPECT_EQ(counter, 2);
}
