/* EXPECT verdict=passed exit=0 complete=true
 * Two threads use one locale, each in streams of its own: what its facets keep for later is theirs. */
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
    use();
    thread.join();
}
