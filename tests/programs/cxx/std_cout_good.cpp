/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=1
 * The standard streams are for all threads at any time; so is std::regex, which keeps notes in
 * the classic locale. */
#include <iostream>
#include <regex>
#include <string>
#include <thread>

static void print(const char *word)
{
    std::cout << 1 << ' ' << word << std::string("x") << 2.5 << std::endl;
    std::cerr << std::regex_match(word, std::regex("[a-c]+"));
    std::clog << true << std::flush;
    std::wcout << L"w" << 1;
}

int main()
{
    std::thread first(print, "abc"), second(print, "xyz");
    first.join();
    second.join();
}
