/* A program outside the tree that uses libspinney-lab, and libspinney through it, as a binding for
   another language would: it looks a task up, sets texts, runs the job and reads a result, all by
   name.
 */
#include <spinney/lab/lab.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_status set_texts(spn_job *job, spn_error *err)
{
    static const char *const texts[][2] = {
        {"energy", "bits"}, {"random", "51,10,1"}, {"steps", "1e4"}, {"replicas", "2"}};
    spn_status status = SPN_OK;
    for (size_t i = 0; !status && i < sizeof texts / sizeof texts[0]; i++)
        status = spn_job_set(job, texts[i][0], texts[i][1], err);
    return status;
}

/* The energy that an annealing found, and that the error of a wrong word names the right one. */
static spn_status anneal(double *out, spn_error *err)
{
    const spn_task *task = spn_task_find("anneal");
    spn_inputs *inputs = NULL;
    spn_job job = spn_job_start(task);
    spn_record record = {0};
    spn_outcome outcome;
    spn_error expected = {0};
    spn_status status = spn_inputs_create(&inputs, NULL, err);
    spn_run run = {.inputs = inputs};
    if (!status && (!spn_job_set(&job, "step", "5", &expected) || !strstr(expected.text, "steps")))
        status = spn_fail(err, SPN_ERROR_ARGUMENT, "no word about steps: %s", expected.text);
    if (!status)
        status = set_texts(&job, err);
    if (!status)
        status = spn_job_run(&record, &outcome, &job, &run, err);
    if (!status)
        *out = spn_record_number(&record, "best_energy");
    spn_record_clear(&record);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
    return status;
}

int main(void)
{
    spn_error err = {0};
    double energy = -1;
    if (anneal(&energy, &err)) {
        fprintf(stderr, "consumer_lab: %s\n", err.text);
        return EXIT_FAILURE;
    }
    printf("%s on %s: energy %g\n", spn_version(), spn_instruction_set(), energy);
    return energy == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
