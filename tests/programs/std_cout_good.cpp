/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=2
 * The standard streams are for all threads at any time; so is std::regex, which keeps notes in
 * the classic locale. */
#include <iostream>
#include <regex>
#include <string>
#include <thread>

static void print(std::wostream &wide)
{
    std::string line;
    int number = 0;
    std::cin >> number;
    std::getline(std::cin, line);
    std::cout << number << ' ' << "x" << line << 2.5 << std::endl;
    std::cerr << std::regex_match("abc", std::regex("[a-c]+"));
    std::clog << true << std::flush;
    wide << L"w" << 1;
}

int main()
{
    std::thread first([] { print(std::wcout); }), second([] { print(std::wcerr); });
    first.join();
    second.join();
}
