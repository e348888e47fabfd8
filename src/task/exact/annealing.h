/* The annealed chain of the task exact: its schedules from texts, its law stage by stage, and what
   the theorems say of it. */
#ifndef SPN_TASK_EXACT_ANNEALING_H
#define SPN_TASK_EXACT_ANNEALING_H

#include <spinney/lab/records.h>
#include <spinney/theorems.h>

/* The numbers of a text that a character joins: how many, 0 where it is not 1 to `most` numbers. */
size_t spn_exact_numbers(double *out, size_t most, const char *text, char joint);

typedef struct spn_exact_annealing {
    size_t replicas;
    spn_kernel kernel;
    double gamma;
    uint64_t start; /* the replicated state that it starts from */
    bool is_theorem1;
    spn_theorem1 theorem1; /* NAN: to be computed from the landscape */
    size_t theorem1_stages;
    spn_schedule *beta; /* where it is not theorem1 */
    bool fixed;         /* gamma is, */
    bool by_stages;     /* or grows from first at each piece of beta, */
    double first, growth;
    spn_schedule *growing; /* or is this */
    uint64_t steps;        /* 0: those of the pieces */
} spn_exact_annealing;

/* Read the texts of the settings schedule and gamma-schedule; the latter may be NULL, for a fixed
   gamma. The first members and steps are set. To be cleared, also after an error. Errors: ARGUMENT,
   which names the setting; MEMORY. */
spn_status spn_exact_annealing_read(spn_exact_annealing *inout, const char *schedule,
                                    const char *gamma_schedule, spn_error *err);
void spn_exact_annealing_clear(spn_exact_annealing *annealing);

/* Follow the law through the stages, and add what the table of results has under Convergence. */
spn_status spn_exact_annealing_run(spn_record *out, const spn_exact_annealing *annealing,
                                   const spn_landscape *landscape, spn_error *err);

#endif
