/* EXPECT verdict=passed exit=0 complete=true
 * The same with a stream that becomes part of the program, after the other thread has ended. */
#include <sstream>
#include <thread>

static std::stringstream stream;

int main()
{
    std::thread thread([] { stream << 3; });
    thread.join();
    stream.str();
}
