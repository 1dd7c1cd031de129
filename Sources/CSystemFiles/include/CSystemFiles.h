#ifndef CSYSTEMFILES_H
#define CSYSTEMFILES_H

// Calls of Linux that glibc's headers show to nobody who does not define _GNU_SOURCE, as Swift's module for them does not.

int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
int syncfs(int descriptor);

/// Renames a file, unless something has the new name already, which fails with EEXIST; with EINVAL where the file system cannot
/// do that.
static inline int csystemfiles_rename_new(int old_folder, const char *old_path, int new_folder, const char *new_path) {
    return renameat2(old_folder, old_path, new_folder, new_path, 1 /* RENAME_NOREPLACE */);
}

/// Waits until all that was written to the file system of an open file is on disk. It fails if something since the opening could
/// not be written.
static inline int csystemfiles_sync_file_system(int descriptor) { return syncfs(descriptor); }

#endif
