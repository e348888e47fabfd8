/* The values of the command line, of sweeps and of --set: texts for the settings of every task,
   read one by one (setting) and planned together (plan). */
#include "check.h"
#include "targets.h"

#include "base/number.h"
#include "job/inputs.h"

#include <stdio.h>

/* More say nothing new. */
enum { MOST_LINES = 12 };

static const spn_task *task_of(uint8_t byte)
{
    size_t count = 0;
    while (spn_tasks()[count])
        count++;
    return spn_tasks()[byte % count];
}

/* A value of any kind, to compare what two texts mean. */
typedef union value {
    uint64_t whole;
    double real;
    bool flag;
    int word;
    const char *text;
} value;

/* Whether the two texts mean the same number, flag or word; texts are not compared. */
static void require_same(const spn_setting *setting, const char *one, const char *two)
{
    value a, b;
    spn_error err = {0};
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    require(spn_setting_read(&a, setting, one, &err) == SPN_OK);
    require(spn_setting_read(&b, setting, two, &err) == SPN_OK);
    if (setting->kind == SPN_SETTING_REAL)
        require(a.real == b.real); /* -0 is written as 0 */
    else if (setting->kind <= SPN_SETTING_WORD)
        require(memcmp(&a, &b, sizeof a) == 0);
}

/* The one way to write a value means the same, and is its own. */
static void check_canonical(const spn_setting *setting, const char *text)
{
    char *canonical = spn_setting_canonical(setting, text);
    require(canonical != NULL);
    require_same(setting, text, canonical);
    char *again = spn_setting_canonical(setting, canonical);
    require(again && strcmp(canonical, again) == 0);
    free(again);
    free(canonical);
}

/* NAME=TEXT, or a name alone, into a job. */
static spn_status give(spn_job *job, char *line, spn_error *err)
{
    char *equals = strchr(line, '=');
    const char *text = equals ? equals + 1 : "";
    if (equals)
        *equals = 0;
    const spn_setting *setting = spn_setting_find(job->task->settings, line);
    const spn_status status = spn_job_set(job, line, text, err);
    char place[128];
    snprintf(place, sizeof place, "%s: ", line);
    check_error(status, err, setting ? place : "unknown setting");
    if (!status)
        check_canonical(setting, text);
    return status;
}

/* Byte 0 chooses the task; each line is NAME=TEXT. */
void spn_fuzz_setting(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    char *text = text_of(data + 1, size - 1), *rest = text;
    spn_job job = spn_job_start(task_of(data[0]));
    spn_error err = {0};
    for (int k = 0; rest && k < MOST_LINES; k++)
        give(&job, next_line(&rest), &err);
    require(spn_job_identify(&job, 3, 2, &err) == SPN_OK);
    spn_job_clear(&job);
    free(text);
}

/* ---- plans ---- */

bool spn_fuzz_is_small(const spn_setting *setting, const char *text)
{
    static const char *const sizes[] = {"sites",  "units", "hidden", "replicas", "patterns",
                                        "length", "width", "height", "shifts",   "levels",
                                        "rungs",  "reads", "steps",  "sweeps",   "scans"};
    enum { MOST = 300 };
    double number = 0;
    spn_random_text random = {0};
    if (strcmp(setting->name, "data") == 0)
        return strcmp(text, "digits") == 0;
    if (setting->kind == SPN_SETTING_FILE && !spn_setting_is_count(setting, text) &&
        !spn_setting_is_word(setting, text))
        return false;
    if (strcmp(setting->name, "random") == 0)
        return spn_random_text_parse(&random, text, NULL) != SPN_OK ||
               (random.sites <= MOST && random.count <= MOST);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (strcmp(setting->name, sizes[k]) == 0)
            return !spn_number_parse(&number, text) || number <= MOST;
    return strcmp(setting->name, "alpha") != 0 || (spn_number_parse(&number, text) && number <= 4);
}

/* What makes the smallest job of a task; the input may replace it. */
static void give_problem(spn_job *job)
{
    static const char *const texts[][2] = {
        {"data", "digits"}, {"energy", "errors"}, {"sites", "7"}, {"alpha", "0.5"}};
    spn_error err = {0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (spn_setting_find(job->task->settings, texts[k][0]))
            require(spn_job_set(job, texts[k][0], texts[k][1], &err) == SPN_OK);
}

static bool is_small_job(const spn_job *job)
{
    for (size_t k = 0; k < job->count; k++)
        if (!spn_fuzz_is_small(spn_setting_find(job->task->settings, job->given[k].name),
                               job->given[k].text))
            return false;
    return true;
}

/* A plan, or an error that starts with the name of a setting; what it resolves to plans as well. */
static void plan(const spn_job *job, spn_inputs *inputs)
{
    void *made;
    spn_error err = {0};
    spn_record resolved = {0};
    const spn_status status = spn_job_plan(&made, job, inputs, &err);
    require((status == SPN_OK) == (made != NULL));
    check_error(status, &err, NULL);
    if (status == SPN_ERROR_ARGUMENT || status == SPN_ERROR_INPUT)
        require(spn_task_fault(job->task, &err) != NULL);
    if (made) {
        require(spn_job_resolve(&resolved, job, made, &err) == SPN_OK);
        (void)job->task->cost(made, 0);
        char *identity = spn_job_identity(job, made, NULL);
        require(identity && identity[0]);
        free(identity);
        spn_record_clear(&resolved);
    }
    spn_job_plan_free(job->task, made);
}

/* Those of tasks that train or evaluate are kept: they hold the digits, and nothing else. */
static spn_inputs *inputs_of(const spn_task *task)
{
    static spn_inputs *digits;
    spn_inputs *inputs;
    spn_error err = {0};
    const bool is_data = spn_setting_find(task->settings, "data");
    if (is_data && digits)
        return digits;
    require(spn_inputs_create(&inputs, NULL, &err) == SPN_OK);
    if (is_data)
        digits = inputs;
    return inputs;
}

void spn_fuzz_plan(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    char *text = text_of(data + 1, size - 1), *rest = text;
    spn_job job = spn_job_start(task_of(data[0]));
    spn_error err = {0};
    bool good = true;
    give_problem(&job);
    for (int k = 0; rest && good && k < MOST_LINES; k++)
        good = give(&job, next_line(&rest), &err) == SPN_OK;
    if (good && is_small_job(&job)) {
        spn_inputs *inputs = inputs_of(job.task);
        plan(&job, inputs);
        if (!spn_setting_find(job.task->settings, "data"))
            spn_inputs_free(inputs);
    }
    spn_job_clear(&job);
    free(text);
}
