/* C++ runtime support and the program's annotations (annotate.c, api.c, cxx.c, facets.c,
 * libstdcxx.c). */
#ifndef MAZUR_RUNTIME_LANGUAGE_H
#define MAZUR_RUNTIME_LANGUAGE_H

#include <stdbool.h>
#include <stdint.h>

struct failure_details;

/* --- annotate.c --- */
void annotations_begin(void);
/* Should a plain access of the running thread not be checked? */
bool annotations_ignore(bool write);
/* Are races in this memory benign? */
bool annotations_allow_race(uint64_t address, uint64_t size);

/* --- api.c --- */
void invariants_begin(void);
void invariants_check(void);

/* --- libstdcxx.c --- */
void libstdcxx_take_over(void); /* before the snapshot */
/* How to treat a race at this address, which may be part of std::cout or another standard
 * stream, or belong to the library. */
enum race_standing { RACE_IS_FAILURE, RACE_IS_ALLOWED, RACE_IS_OPERATION };
enum race_standing libstdcxx_race(uint64_t address);
/* facets.c: does one of the library's facets cache results there? */
bool facets_keep(uint64_t address);
void facets_begin(void); /* of an execution */
/* Effects in libstdcxx.def: argument 2 is a std::string; arguments 2 and 3 are the ends of a
 * text. */
void cxx_reads_string(const uint64_t *argument, uint64_t pc);
void cxx_reads_range(const uint64_t *argument, uint64_t pc);

/* --- cxx.c --- */
void holders_begin(void); /* of an execution */
/* The program ends: if a C++ exception was not caught, that is the failure. Returns if there is
 * none. */
void raise_exception_in_flight(const struct failure_details *details);

#endif
