#include "support/runs.h"

#include "old/task.h"
#include "support/scratch.h"
#include "support/sweeps.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static spn_record run_job(const spn_sweep *sweep, size_t index, const xpn_task_run *how,
                          bool *complete)
{
    spn_error err = {0};
    xpn_job job;
    spn_record record;
    assert_ok(xpn_job_make(&job, sweep, index, &err), err);
    assert_ok(xpn_task_do(&record, complete, &job, how, &err), err);
    assert_true(!*complete || (record.key == job.key && record.seed == job.seed));
    xpn_job_clear(&job);
    return record;
}

spn_record spn_test_do(const spn_sweep *sweep, size_t index, const char *folder,
                       const char *checkpoint)
{
    spn_error err = {0};
    bool complete;
    xpn_task_run run = {.folder = folder, .checkpoint = checkpoint};
    assert_ok(xpn_task_store_create(&run.store, NULL, &err), err);
    spn_record record = run_job(sweep, index, &run, &complete);
    assert_true(complete);
    assert_ok(xpn_task_finish(&run, &err), err);
    xpn_task_store_free(run.store);
    return record;
}

/* ---- stops ---- */

/* Asks for a stop once a share is done. */
typedef struct stopper {
    double at;
    volatile sig_atomic_t stop;
} stopper;

static void stop_at(void *context, double done)
{
    stopper *s = context;
    if (done >= s->at)
        s->stop = 1;
}

/* A file's bytes, to be freed; NULL where there is none. */
static char *read_bytes(const char *path, size_t *size)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *bytes = malloc(MOST);
    assert_non_null(bytes);
    *size = fread(bytes, 1, MOST, file);
    assert_true(*size > 0 && *size < MOST);
    fclose(file);
    return bytes;
}

/* Compare the file of a job in the two folders, if it has one, and remove it and its subfolder. */
static void compare_files(char *const folders[2], const char *subfolder, const char *extension,
                          uint64_t key)
{
    char path[256], *bytes[2];
    size_t size[2] = {0};
    for (size_t k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s/%016llx.%s", folders[k], subfolder,
                 (unsigned long long)key, extension);
        bytes[k] = read_bytes(path, &size[k]);
        unlink(path);
        *strrchr(path, '/') = 0;
        rmdir(path);
    }
    assert_int_equal(size[0], size[1]);
    if (size[0])
        assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

void spn_test_stop_and_resume(void **scratch, const spn_sweep *sweep, size_t index)
{
    spn_error err = {0};
    char *folders[2];
    for (size_t k = 0; k < 2; k++) {
        folders[k] = (char *)spn_scratch_path(scratch, k ? "broken" : "whole");
        assert_int_equal(mkdir(folders[k], 0777), 0);
    }
    const char *checkpoint = spn_scratch_path(scratch, "checkpoint");
    spn_record whole = spn_test_do(sweep, index, folders[0], NULL), broken = {0};
    xpn_task_store *store;
    assert_ok(xpn_task_store_create(&store, NULL, &err), err);
    bool complete = false;
    size_t stops = 0, resumed = 0;
    for (double at = 0.1; !complete; at += 0.1, stops++) {
        stopper s = {.at = at};
        const xpn_task_run run = {.store = store,
                                  .folder = folders[1],
                                  .checkpoint = checkpoint,
                                  .stop = &s.stop,
                                  .look = stop_at,
                                  .look_context = &s};
        broken = run_job(sweep, index, &run, &complete);
        resumed += access(checkpoint, F_OK) == 0; /* it stays until the record is written */
        if (complete)
            assert_ok(xpn_task_finish(&run, &err), err);
    }
    assert_true(stops > 5 && resumed > 3);
    assert_int_not_equal(access(checkpoint, F_OK), 0);
    spn_record *both[] = {&whole, &broken};
    for (size_t k = 0; k < 2; k++) {
        both[k]->machine = strdup("here");
        both[k]->finished = strdup("now");
    }
    spn_assert_records_equal(&whole, &broken);
    compare_files(folders, "models", "spn", whole.key);
    compare_files(folders, "traces", "csv", whole.key);
    xpn_task_store_free(store);
    spn_record_clear(&whole);
    spn_record_clear(&broken);
}
