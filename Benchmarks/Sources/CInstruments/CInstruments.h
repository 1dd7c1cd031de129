// What Swift cannot see of what there is to measure with.
#ifndef C_INSTRUMENTS_H
#define C_INSTRUMENTS_H

#include <malloc.h>
#include <stdbool.h>

// Tells callgrind which instructions to count. Without callgrind the process goes on as if nothing had been said.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

static inline bool cinstruments_has_callgrind(void) { return true; }
static inline void cinstruments_start_counting(void) { CALLGRIND_START_INSTRUMENTATION; }
static inline void cinstruments_stop_counting(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
static inline bool cinstruments_has_callgrind(void) { return false; }
static inline void cinstruments_start_counting(void) {}
static inline void cinstruments_stop_counting(void) {}
#endif

#endif
