/* A call from the command line, for tests: what a binding does, in a few lines of C.
     call tables
     call TASK [NAME=TEXT | NAME@FILE | -NAME=TEXT]...
   NAME@FILE gives the setting the object that is read of FILE, and -NAME=TEXT is an option of the
   call. Prints the tables, or what `spinney TASK --json` prints, but "files". */
#include <spinney/lab/call.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The objects that are given; the call borrows them. */
typedef struct objects {
    spn_problem *problem;
    spn_dataset *dataset;
    spn_model *model;
} objects;

static spn_status give(spn_call *call, objects *o, const char *name, const char *path,
                       spn_error *err)
{
    spn_status status;
    if (strcmp(name, "model") == 0)
        return (status = spn_model_read(&o->model, path, err))
                   ? status
                   : spn_call_give(call, name, SPN_OBJECT_MODEL, o->model, err);
    if (strcmp(name, "data") == 0)
        return (status = spn_dataset_read(&o->dataset, path, NULL, NULL, err))
                   ? status
                   : spn_call_give(call, name, SPN_OBJECT_DATASET, o->dataset, err);
    return (status = spn_problem_read(&o->problem, SPN_PROBLEM_COUPLINGS, path, err))
               ? status
               : spn_call_give(call, name, SPN_OBJECT_PROBLEM, o->problem, err);
}

static spn_status take(spn_call *call, objects *o, char *argument, spn_error *err)
{
    const bool option = argument[0] == '-';
    char *name = argument + option, *end = name + strcspn(name, "=@");
    const char mark = *end;
    *end = 0;
    if (mark == '@')
        return give(call, o, name, end + 1, err);
    return option ? spn_call_option(call, name, end + 1, err)
                  : spn_call_set(call, name, end + 1, err);
}

/* Some of everything that can be asked for. */
static int watch(void *context, const spn_progress *now)
{
    *(double *)context += now->state ? now->state->energy[0] : 0;
    return 0;
}

static spn_status run(char **out, char **arguments, int count, spn_error *err)
{
    objects o = {0};
    spn_call *call = NULL;
    double sum = 0;
    spn_status status = spn_call_create(&call, arguments[0], err);
    for (int k = 1; k < count && !status; k++)
        status = take(call, &o, arguments[k], err);
    if (!status)
        spn_call_watch(call, watch, &sum, 100);
    if (!status)
        status = spn_call_run(call, err);
    if (!status)
        status = spn_call_json(out, call, 8, err);
    spn_call_free(call);
    spn_problem_free(o.problem);
    spn_dataset_free(o.dataset);
    spn_model_free(o.model);
    return status;
}

int main(int argc, char **argv)
{
    char *text = NULL;
    spn_error err = {0};
    if (argc < 2)
        return 2;
    const spn_status status = strcmp(argv[1], "tables") == 0 ? spn_tables_json(&text, &err)
                                                             : run(&text, argv + 1, argc - 1, &err);
    if (status)
        fprintf(stderr, "spinney call: %s\n", err.text);
    const bool written = status || (puts(text) >= 0 && fflush(stdout) == 0);
    if (!written)
        perror("spinney call: write error");
    spn_text_free(text);
    return status || !written;
}
