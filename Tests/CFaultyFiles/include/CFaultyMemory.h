#ifndef CFAULTYMEMORY_H
#define CFAULTYMEMORY_H

#include <stdbool.h>

// Memory for SQLite that runs out. It is that of the whole process, and has to be there before SQLite is used.

/// Puts it in the place of SQLite's own; false if it is too late for that.
bool faulty_memory_install(void);

/// Makes the n-th allocation fail that comes from now on, counted from 1, and if the fault stays, each that follows.
void faulty_memory_arm(long nth, bool stays);

/// Lets every allocation succeed again, and returns how many have failed since.
long faulty_memory_disarm(void);

#endif
