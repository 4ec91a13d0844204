/* EXPECT verdict=passed exit=0 complete=false -- -Wno-deprecated -Wno-cpp
 * A stream whose functions are in the C++ library alone, used by two threads: it is named. */
#include <strstream>
#include <thread>

static std::strstream stream;

int main()
{
    std::thread thread([] { stream << 3; });
    stream.freeze();
    thread.join();
}
