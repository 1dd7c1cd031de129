#ifndef CFAULTYFILES_H
#define CFAULTYFILES_H

#include "CFaultyMemory.h"

#include <stdbool.h>

// A VFS of SQLite's (https://www.sqlite.org/vfs.html) that does what the default one does, until it is told to fail.

/// Kinds of calls, to be combined.
enum {
    FAULTY_OPEN = 1 << 0,
    FAULTY_DELETE = 1 << 1,
    FAULTY_ACCESS = 1 << 2,
    FAULTY_READ = 1 << 3,
    /// Half of what was to be written arrives.
    FAULTY_WRITE = 1 << 4,
    FAULTY_TRUNCATE = 1 << 5,
    FAULTY_SYNC = 1 << 6,
    FAULTY_SIZE = 1 << 7,
    FAULTY_LOCK = 1 << 8,
    FAULTY_SHM_MAP = 1 << 9,
    FAULTY_SHM_LOCK = 1 << 10,
};

/// Why calls fail, which decides what they report and which of them can fail for it.
typedef enum {
    /// The device does not do what it should.
    FAULTY_DEVICE,
    /// There is no room for more: what makes a file, or makes one longer, fails.
    FAULTY_FULL_DISK,
    /// There is no memory.
    FAULTY_MEMORY,
} faulty_cause;

/// The files of one test.
typedef struct faulty_files faulty_files;

/// Registers a VFS. It stays for as long as the process.
///
/// Returns null if there is no memory, or no default VFS.
faulty_files *faulty_files_register(const char *name);

/// Makes the n-th call of some kinds fail that comes from now on, counted from 1, and if the fault stays, each that follows.
void faulty_files_arm(faulty_files *files, unsigned kinds, faulty_cause cause, long nth, bool stays);

/// Lets every call do its work again, and returns how many have failed since the files were armed.
long faulty_files_disarm(faulty_files *files);

/// How many calls there have been that could have failed since the files were armed.
long faulty_files_calls(faulty_files *files);

#endif
