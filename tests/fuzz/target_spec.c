/* Specifications of sweeps, and the texts that replace values in them. */
#include "check.h"
#include "sweep/folder.h"
#include "targets.h"

#include "sweep/jobs.h"
#include "sweep/spec/spec.h"

#include <spinney/lab/sweep.h>

static void check_specification(const spn_sweep *s)
{
    const spn_task *task = spn_task_find(s->task);
    require(s->name && s->name[0] && task && s->runs > 0);
    require(spn_sweep_jobs(s) > 0 && spn_sweep_jobs(s) <= SPN_SWEEP_MOST_JOBS);
    for (size_t k = 0; k < s->fixed_count; k++)
        require(spn_setting_find(task->settings, s->fixed[k].name) && s->fixed[k].text);
    for (size_t k = 0; k < s->axis_count; k++)
        for (size_t j = 0; j < s->axes[k].count; j++)
            require(s->axes[k].values[j] != NULL);
    for (size_t k = 0; k < s->figure_count; k++)
        require(s->figures[k].name && s->figures[k].value && s->figures[k].x);
    spn_job job;
    require(spn_sweep_job(&job, s, spn_sweep_jobs(s) - 1, NULL) == SPN_OK);
    spn_job_clear(&job);
}

/* What is shown of a specification is one, of the same sweep. */
static void check_shown(const spn_sweep *sweep)
{
    spn_spec spec = {.file = "shown"};
    spn_error err = {0};
    spn_sweep *again;
    char *text = spn_sweep_show(sweep), *same;
    require(text != NULL);
    require(spn_spec_read(&again, &spec, text, strlen(text), NULL, 0, &err) == SPN_OK);
    require((same = spn_sweep_show(again)) && strcmp(text, same) == 0);
    spn_sweep_free(again);
    spn_spec_clear(&spec);
    free(same);
    free(text);
}

static void read_spec(const uint8_t *data, size_t size, const char *const *set, size_t count,
                      const char *place)
{
    spn_source file = copy_of(data, size);
    spn_spec spec = {.file = INPUT};
    spn_sweep *sweep;
    spn_error err = {0};
    const spn_status status =
        spn_spec_read(&sweep, &spec, (const char *)file.data, file.size, set, count, &err);
    require((status == SPN_OK) == (sweep != NULL));
    check_error(status, &err, place);
    if (sweep) {
        check_specification(sweep);
        check_shown(sweep);
    }
    spn_sweep_free(sweep);
    spn_spec_clear(&spec);
    spn_source_unload(&file);
}

/* What starts as an object does is read as JSON, too. */
static void read_json(const uint8_t *data, size_t size, const char *const *set, size_t count)
{
    char *text = text_of(data, size);
    spn_spec spec = {.file = INPUT};
    spn_sweep *sweep;
    spn_error err = {0};
    const spn_status status = spn_spec_read_json(&sweep, &spec, text, set, count, &err);
    require((status == SPN_OK) == (sweep != NULL));
    check_error(status, &err, NULL);
    if (sweep) {
        check_specification(sweep);
        check_shown(sweep);
    }
    spn_sweep_free(sweep);
    spn_spec_clear(&spec);
    free(text);
}

void spn_fuzz_spec(const uint8_t *data, size_t size)
{
    const char *const set[] = {"runs=2", "seed=3", "gamma=0.5"};
    read_spec(data, size, set, size % 2 ? 3 : 0, NULL);
    if (size > 0 && data[0] == '{')
        read_json(data, size, set, size % 2 ? 3 : 0);
}

void spn_fuzz_set(const uint8_t *data, size_t size)
{
    enum { MOST = 8 };
    static const char *const specs[] = {
        "name: s\ntask: anneal\nruns: 2\nsettings: {energy: errors, sites: 11, alpha: 0.4}\n"
        "grid:\n- {setting: gamma, values: [0, 0.5]}\n- {setting: replicas, values: [1, 3]}\n"
        "figures:\n- {name: f, x: gamma, value: energy}\n",
        "name: s\ntask: train\nsettings: {data: digits}\n"
        "grid:\n- {setting: gamma, from: 0.1, to: 1, count: 4}\n"};
    char *text = text_of(data, size), *rest = text;
    const char *set[MOST];
    size_t count = 0;
    while (rest && count < MOST)
        set[count++] = next_line(&rest);
    const char *spec = specs[size % 2];
    read_spec((const uint8_t *)spec, strlen(spec), set, count, NULL);
    free(text);
}

/* Texts of --grid: axes around a job. */
void spn_fuzz_axis(const uint8_t *data, size_t size)
{
    enum { MOST = 4 };
    char *text = text_of(data, size), *rest = text;
    const char *axes[MOST];
    size_t count = 0;
    spn_job job = spn_job_start(spn_task_find(size % 2 ? "anneal" : "train"));
    spn_sweep *sweep;
    spn_error err = {0};
    while (rest && count < MOST)
        axes[count++] = next_line(&rest);
    require(spn_job_set(&job, "gamma", "0.5", &err) == SPN_OK);
    const spn_status status = spn_sweep_around(&sweep, &job, axes, count, 2, &err);
    require((status == SPN_OK) == (sweep != NULL));
    check_error(status, &err, NULL);
    if (sweep)
        check_specification(sweep);
    spn_sweep_free(sweep);
    spn_job_clear(&job);
    free(text);
}
