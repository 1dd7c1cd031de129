#include "CFaultyMemory.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>

static sqlite3_mem_methods real;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_armed;
static bool fault_stays;
static long fault_nth;
static long calls;
static long failures;

static bool fails(void) {
    pthread_mutex_lock(&mutex);
    bool result = false;
    if (is_armed) {
        calls++;
        result = calls == fault_nth || (fault_stays && calls > fault_nth);
        if (result) failures++;
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

static void *memory_malloc(int count) { return fails() ? NULL : real.xMalloc(count); }

static void *memory_realloc(void *memory, int count) { return fails() ? NULL : real.xRealloc(memory, count); }

bool faulty_memory_install(void) {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK) return false;
    sqlite3_mem_methods methods = real;
    methods.xMalloc = memory_malloc;
    methods.xRealloc = memory_realloc;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
}

void faulty_memory_arm(long nth, bool stays) {
    pthread_mutex_lock(&mutex);
    is_armed = true;
    fault_stays = stays;
    fault_nth = nth;
    calls = 0;
    failures = 0;
    pthread_mutex_unlock(&mutex);
}

long faulty_memory_disarm(void) {
    pthread_mutex_lock(&mutex);
    is_armed = false;
    long result = failures;
    pthread_mutex_unlock(&mutex);
    return result;
}
