#define _GNU_SOURCE
#include "store.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

// What the threads share.
typedef struct {
    const cs_mixed_work *work;
    pthread_barrier_t start;
    atomic_bool is_over;
    atomic_bool has_failed;
} shared;

typedef struct {
    shared *shared;
    cs_store *store;
    size_t first;
    size_t reads;
} reader;

static void *read_until_over(void *context) {
    reader *reader = context;
    const cs_mixed_work *work = reader->shared->work;
    size_t next = reader->first;
    pthread_barrier_wait(&reader->shared->start);
    while (!atomic_load_explicit(&reader->shared->is_over, memory_order_relaxed)) {
        uint64_t sum = 0;
        // An account that is not found adds nothing.
        if (!cs_read_points(reader->store, &work->uids[next], 1, false, &sum) || sum == 0) {
            atomic_store(&reader->shared->has_failed, true);
            break;
        }
        reader->reads++;
        if (++next == work->uid_count) next = 0;
    }
    return NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool write_batches(cs_store *store, const cs_mixed_work *work) {
    for (size_t start = 0; start < work->row_count; start += work->batch) {
        size_t rest = work->row_count - start;
        cs_counts counts;
        if (!cs_upsert_all(store, work->rows + start, rest < work->batch ? rest : work->batch, &counts)) return false;
    }
    return true;
}

bool cs_read_under_write(cs_store *writer, cs_store *const *stores, size_t count, const cs_mixed_work *work,
                         double *seconds, size_t *reads) {
    shared shared = {.work = work};
    reader *readers = calloc(count, sizeof *readers);
    pthread_t *threads = calloc(count, sizeof *threads);
    if (!readers || !threads || pthread_barrier_init(&shared.start, NULL, (unsigned)count + 1) != 0) abort();
    for (size_t index = 0; index < count; index++) {
        readers[index] = (reader){&shared, stores[index], index * work->uid_count / count, 0};
        // With a thread less the others would wait for it for ever.
        if (pthread_create(&threads[index], NULL, read_until_over, &readers[index]) != 0) abort();
    }
    pthread_barrier_wait(&shared.start);
    double start = now();
    bool is_written = write_batches(writer, work);
    *seconds = now() - start;
    atomic_store(&shared.is_over, true);
    *reads = 0;
    for (size_t index = 0; index < count; index++) {
        pthread_join(threads[index], NULL);
        *reads += readers[index].reads;
    }
    pthread_barrier_destroy(&shared.start);
    free(readers);
    free(threads);
    return is_written && !atomic_load(&shared.has_failed);
}
