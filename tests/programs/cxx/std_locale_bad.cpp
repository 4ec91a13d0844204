/* EXPECT verdict=data-race exit=7 bound=0
 * A locale that one thread uses and another one replaces. */
#include <iomanip>
#include <locale>
#include <sstream>
#include <thread>

static std::locale shared(std::locale::classic(), new std::numpunct<char>);

static void use()
{
    std::ostringstream out;
    std::istringstream in("77 false");
    int number;
    bool truth;
    out.imbue(shared);
    in.imbue(shared);
    out << std::boolalpha << true << 1234567 << 2.5 << std::endl;
    in >> number >> std::boolalpha >> truth;
    std::use_facet<std::ctype<char>>(shared).narrow('a', 'b');
}

int main()
{
    std::thread thread(use);
    shared = std::locale::classic();
    thread.join();
}
