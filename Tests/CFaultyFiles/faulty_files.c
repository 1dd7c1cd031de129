#include "CFaultyFiles.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct faulty_files {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    pthread_mutex_t mutex;
    unsigned kinds;
    faulty_cause cause;
    long nth;
    bool stays;
    long calls;
    long failures;
};

typedef struct {
    sqlite3_file base;
    faulty_files *files;
    // The real file follows in the same piece of memory.
} faulty_file;

static sqlite3_file *real_file(sqlite3_file *file) { return (sqlite3_file *)((faulty_file *)file + 1); }

static faulty_files *files_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

static sqlite3_vfs *real_vfs(sqlite3_vfs *vfs) { return files_of(vfs)->real; }

// What a call reports when the device fails.
static int device_code(unsigned kind) {
    switch (kind) {
    case FAULTY_OPEN: return SQLITE_CANTOPEN;
    case FAULTY_DELETE: return SQLITE_IOERR_DELETE;
    case FAULTY_ACCESS: return SQLITE_IOERR_ACCESS;
    case FAULTY_READ: return SQLITE_IOERR_READ;
    case FAULTY_WRITE: return SQLITE_IOERR_WRITE;
    case FAULTY_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
    case FAULTY_SYNC: return SQLITE_IOERR_FSYNC;
    case FAULTY_SIZE: return SQLITE_IOERR_FSTAT;
    case FAULTY_LOCK: return SQLITE_IOERR_LOCK;
    case FAULTY_SHM_MAP: return SQLITE_IOERR_SHMMAP;
    case FAULTY_SHM_LOCK: return SQLITE_IOERR_SHMLOCK;
    default: return SQLITE_IOERR;
    }
}

// What it reports for a cause, as the default VFS would.
static int code_for(faulty_cause cause, unsigned kind) {
    switch (cause) {
    case FAULTY_MEMORY:
        errno = ENOMEM;
        return kind == FAULTY_OPEN || kind == FAULTY_SHM_MAP ? SQLITE_NOMEM : SQLITE_IOERR_NOMEM;
    case FAULTY_FULL_DISK:
        errno = ENOSPC;
        return kind == FAULTY_WRITE ? SQLITE_FULL : kind == FAULTY_SHM_MAP ? SQLITE_IOERR_SHMSIZE : device_code(kind);
    case FAULTY_DEVICE: break;
    }
    errno = EIO;
    return device_code(kind);
}

// The code that a call has to fail with, or SQLITE_OK.
//
// `takes_room` says whether it makes a file or makes one longer.
static int fault(faulty_files *files, unsigned kind, bool takes_room) {
    pthread_mutex_lock(&files->mutex);
    bool counts = (files->kinds & kind) && (takes_room || files->cause != FAULTY_FULL_DISK);
    bool fails = false;
    faulty_cause cause = files->cause;
    if (counts) {
        files->calls++;
        fails = files->calls == files->nth || (files->stays && files->calls > files->nth);
        if (fails) files->failures++;
    }
    pthread_mutex_unlock(&files->mutex);
    return fails ? code_for(cause, kind) : SQLITE_OK;
}

static int file_fault(sqlite3_file *file, unsigned kind, bool takes_room) {
    return fault(((faulty_file *)file)->files, kind, takes_room);
}

// MARK: - Files

static int file_close(sqlite3_file *file) { return real_file(file)->pMethods->xClose(real_file(file)); }

static int file_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    int code = file_fault(file, FAULTY_READ, false);
    return code ? code : real_file(file)->pMethods->xRead(real_file(file), buffer, count, offset);
}

static int file_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    int code = file_fault(file, FAULTY_WRITE, true);
    if (!code) return real_file(file)->pMethods->xWrite(real_file(file), buffer, count, offset);
    int reason = errno;
    (void)real_file(file)->pMethods->xWrite(real_file(file), buffer, count / 2, offset);
    errno = reason;
    return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = file_fault(file, FAULTY_TRUNCATE, false);
    return code ? code : real_file(file)->pMethods->xTruncate(real_file(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    int code = file_fault(file, FAULTY_SYNC, false);
    return code ? code : real_file(file)->pMethods->xSync(real_file(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = file_fault(file, FAULTY_SIZE, false);
    return code ? code : real_file(file)->pMethods->xFileSize(real_file(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    int code = file_fault(file, FAULTY_LOCK, false);
    return code ? code : real_file(file)->pMethods->xLock(real_file(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return real_file(file)->pMethods->xUnlock(real_file(file), level);
}

static int file_check_reserved_lock(sqlite3_file *file, int *result) {
    return real_file(file)->pMethods->xCheckReservedLock(real_file(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real_file(file)->pMethods->xFileControl(real_file(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return real_file(file)->pMethods->xSectorSize(real_file(file)); }

static int file_device_characteristics(sqlite3_file *file) {
    return real_file(file)->pMethods->xDeviceCharacteristics(real_file(file));
}

static int file_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **result) {
    int code = file_fault(file, FAULTY_SHM_MAP, extends != 0);
    if (code) {
        *result = NULL;
        return code;
    }
    return real_file(file)->pMethods->xShmMap(real_file(file), region, size, extends, result);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    // That a lock cannot be given back is nothing that happens, or that SQLite looks at.
    int code = flags & SQLITE_SHM_LOCK ? file_fault(file, FAULTY_SHM_LOCK, false) : SQLITE_OK;
    return code ? code : real_file(file)->pMethods->xShmLock(real_file(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) { real_file(file)->pMethods->xShmBarrier(real_file(file)); }

static int file_shm_unmap(sqlite3_file *file, int deletes) {
    return real_file(file)->pMethods->xShmUnmap(real_file(file), deletes);
}

// No memory maps: with version 2 SQLite reads and writes all pages by calls that can fail.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_device_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// MARK: - The VFS

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    sqlite3_vfs *real = real_vfs(vfs);
    int exists = 1;
    if (name && (flags & SQLITE_OPEN_CREATE)) (void)real->xAccess(real, name, SQLITE_ACCESS_EXISTS, &exists);
    file->pMethods = NULL;
    int code = fault(files_of(vfs), FAULTY_OPEN, !exists);
    if (code) return code;
    ((faulty_file *)file)->files = files_of(vfs);
    code = real->xOpen(real, name, real_file(file), flags, result);
    if (real_file(file)->pMethods) file->pMethods = &methods;
    return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
    int code = fault(files_of(vfs), FAULTY_DELETE, false);
    return code ? code : real_vfs(vfs)->xDelete(real_vfs(vfs), name, syncs_folder);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    int code = fault(files_of(vfs), FAULTY_ACCESS, false);
    return code ? code : real_vfs(vfs)->xAccess(real_vfs(vfs), name, flags, result);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *result) {
    return real_vfs(vfs)->xFullPathname(real_vfs(vfs), name, count, result);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *result) {
    return real_vfs(vfs)->xRandomness(real_vfs(vfs), count, result);
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
    return real_vfs(vfs)->xSleep(real_vfs(vfs), microseconds);
}

static int vfs_current_time(sqlite3_vfs *vfs, double *result) {
    return real_vfs(vfs)->xCurrentTime(real_vfs(vfs), result);
}

static int vfs_current_time64(sqlite3_vfs *vfs, sqlite3_int64 *result) {
    return real_vfs(vfs)->xCurrentTimeInt64(real_vfs(vfs), result);
}

static int vfs_last_error(sqlite3_vfs *vfs, int count, char *text) {
    return real_vfs(vfs)->xGetLastError(real_vfs(vfs), count, text);
}

faulty_files *faulty_files_register(const char *name) {
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    faulty_files *files = calloc(1, sizeof *files);
    char *copy = strdup(name);
    if (!real || real->iVersion < 2 || !files || !copy) {
        free(files);
        free(copy);
        return NULL;
    }
    pthread_mutex_init(&files->mutex, NULL);
    files->real = real;
    files->vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = (int)sizeof(faulty_file) + real->szOsFile,
        .mxPathname = real->mxPathname,
        .zName = copy,
        .pAppData = files,
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full_path,
        .xRandomness = vfs_randomness,
        .xSleep = vfs_sleep,
        .xCurrentTime = vfs_current_time,
        .xGetLastError = vfs_last_error,
        .xCurrentTimeInt64 = vfs_current_time64,
    };
    if (sqlite3_vfs_register(&files->vfs, 0) != SQLITE_OK) {
        free(copy);
        free(files);
        return NULL;
    }
    return files;
}

void faulty_files_arm(faulty_files *files, unsigned kinds, faulty_cause cause, long nth, bool stays) {
    pthread_mutex_lock(&files->mutex);
    files->kinds = kinds;
    files->cause = cause;
    files->nth = nth;
    files->stays = stays;
    files->calls = 0;
    files->failures = 0;
    pthread_mutex_unlock(&files->mutex);
}

long faulty_files_disarm(faulty_files *files) {
    pthread_mutex_lock(&files->mutex);
    files->kinds = 0;
    long failures = files->failures;
    pthread_mutex_unlock(&files->mutex);
    return failures;
}

long faulty_files_calls(faulty_files *files) {
    pthread_mutex_lock(&files->mutex);
    long calls = files->calls;
    pthread_mutex_unlock(&files->mutex);
    return calls;
}
