#ifndef MAZUR_FUZZ_OUTCOME_CALL_H
#define MAZUR_FUZZ_OUTCOME_CALL_H

#ifdef __cplusplus
extern "C"
#endif
    long
    outcome_call(long number, long a, long b, long c);

#endif
