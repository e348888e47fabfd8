/* Calls: texts and objects in any order, planned, run with the stop asked for, and asked for all
   that they have. */
#include "check.h"
#include "targets.h"

#include <spinney/lab/call.h>
#include <spinney/lab/task.h>
#include <stdio.h>

enum { SITES = 4, MOST_LINES = 12 };

/* What can be given, made once. */
typedef struct objects {
    spn_problem *couplings, *states;
    spn_dataset *dataset;
    spn_energy *energy;
} objects;

static double sum_of(const void *problem, const int8_t *spins)
{
    (void)problem;
    return spins[0] + spins[1] - spins[2] * spins[3];
}

static const objects *all_objects(void)
{
    static objects all;
    static const spn_edge edges[] = {{0, 1, 1}, {1, 2, -1}, {2, 3, 2}, {0, 3, 1}};
    static const int8_t rows[] = {1, -1, 1, -1, -1, -1, 1, 1};
    static const double values[] = {0, 1, 1, 0, 2, 1, 1, 2};
    static const uint32_t labels[] = {0, 1, 0, 1};
    spn_error err = {0};
    if (all.couplings)
        return &all;
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = 4;
    arrays.features = 2;
    arrays.values = values;
    arrays.labels = labels;
    arrays.classes = 2;
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "mine";
    ops.energy = sum_of;
    require(spn_problem_couplings_create(&all.couplings, SITES, 4, edges, &err) == SPN_OK);
    require(spn_problem_states_create(&all.states, SITES, 2, rows, &err) == SPN_OK);
    require(spn_dataset_create(&all.dataset, &arrays, &err) == SPN_OK);
    require(spn_energy_define(&all.energy, &ops, NULL, SITES, 0, true, &err) == SPN_OK);
    return &all;
}

/* NAME@KIND: an object for a setting, right or not. */
static void give(spn_call *call, const char *name, char kind)
{
    const objects *o = all_objects();
    spn_error err = {0};
    const spn_status status =
        kind == 's'   ? spn_call_give(call, name, SPN_OBJECT_PROBLEM, o->states, &err)
        : kind == 'd' ? spn_call_give(call, name, SPN_OBJECT_DATASET, o->dataset, &err)
        : kind == 'e' ? spn_call_give(call, name, SPN_OBJECT_ENERGY, o->energy, &err)
        : kind == 'm' ? spn_call_give(call, name, SPN_OBJECT_MODEL, NULL, &err)
                      : spn_call_give(call, name, SPN_OBJECT_PROBLEM, o->couplings, &err);
    check_error(status, &err, NULL);
}

/* NAME=TEXT, but nothing that reads a file or takes long. */
static void set(spn_call *call, const spn_task *task, const char *name, const char *text)
{
    const spn_setting *setting = spn_setting_find(task->settings, name);
    spn_error err = {0};
    if (!setting || spn_setting_read(NULL, setting, text, NULL) || spn_fuzz_is_small(setting, text))
        check_error(spn_call_set(call, name, text, &err), &err, NULL);
}

static void take(spn_call *call, const spn_task *task, char *line)
{
    const bool option = line[0] == '-';
    char *name = line + option, *end = name + strcspn(name, "=@");
    const char mark = *end;
    *end = 0;
    const bool is_rhythm = mark && strstr(name, "every");
    spn_error err = {0};
    if (mark == '@')
        give(call, name, end[1]);
    else if (option) /* without a text a file that cannot be written */
        check_error(spn_call_option(call, name, is_rhythm ? end + 1 : "/dev/null/file", &err), &err,
                    NULL);
    else
        set(call, task, name, mark ? end + 1 : "");
}

/* All that it has can be asked for, before and after a run. */
static void ask(spn_call *call)
{
    double energies[1024];
    int8_t spins[SITES];
    char *text = NULL;
    spn_error err = {0};
    spn_states found = {0};
    spn_call_states(&found, call);
    for (size_t k = 0; spn_call_curve(call, k); k++)
        for (size_t c = 0; c < spn_call_curve(call, k)->columns; c++)
            require(spn_call_curve(call, k)->names[c] && spn_call_curve(call, k)->values[c]);
    require(!spn_call_note(call, SIZE_MAX));
    if (found.count > 0 && found.count < 1024 && found.sites == SITES) {
        found.energies = energies;
        spn_call_states(&found, call);
        require(spn_call_spins(call, found.count - 1, 1, spins) == 1);
        require(spins[0] == 1 || spins[0] == -1);
    }
    check_error(spn_call_json(&text, call, 3, &err), &err, NULL);
    spn_text_free(text);
}

/* Byte 0 chooses the task; lines are NAME=TEXT, NAME@KIND or -NAME. */
void spn_fuzz_call(const uint8_t *data, size_t size)
{
    static const char *const tasks[] = {"anneal", "temper", "exact", "entropy"};
    if (size < 1)
        return;
    char *text = text_of(data + 1, size - 1), *rest = text;
    const char *name = tasks[data[0] % (sizeof tasks / sizeof *tasks)];
    const spn_task *task = spn_task_find(name);
    spn_call *call;
    spn_error err = {0};
    require(spn_call_create(&call, name, &err) == SPN_OK);
    for (int k = 0; rest && k < MOST_LINES; k++)
        take(call, task, next_line(&rest));
    ask(call);
    check_error(spn_call_plan(call, &err), &err, NULL);
    spn_call_stop(call);
    const spn_status status = spn_call_run(call, &err);
    check_error(status, &err, NULL);
    require(!spn_call_complete(call) || status == SPN_OK);
    ask(call);
    spn_call_free(call);
    free(text);
}
