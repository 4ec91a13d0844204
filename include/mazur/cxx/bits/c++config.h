/* In front of libstdc++'s header of the same name, for `mazur c++` and `mazur check` only.
 *
 * std::string, the streams and their buffers are templates that libstdc++.so holds compiled, and
 * without instrumentation: what threads do to such an object there would be seen by nobody. With
 * this they are compiled again, as part of the program. (The macro is libstdc++'s own; it sets it
 * without asking, so that -D would not do. libc++ has one for the command line.)
 *
 * No guard: the header behind it has one, and setting the macro again does no harm. */
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
