/* What a run learnt from the teacher of its random patterns: generalisation and overlap of the
   replicas. */
#ifndef SPN_TASK_TEACHER_H
#define SPN_TASK_TEACHER_H

#include "job/energy_settings.h"

typedef struct spn_teacher_found {
    bool measured;
    double generalisation, generalisation_se, best_generalisation, centre_generalisation,
        vote_generalisation, teacher_overlap, best_teacher_overlap, centre_teacher_overlap;
} spn_teacher_found;

#define SPN_TEACHER_ROW(result, ...)                                                               \
    {                                                                                              \
#result, .at = offsetof(spn_teacher_found, result), __VA_ARGS__                            \
    }

/* Rows of a spn_teacher_found; the plan is a spn_instance. of: when the states were taken, in
   words. */
#define SPN_TEACHER_ROWS(of)                                                                       \
    {.help = "With a teacher"},                                                                    \
        SPN_TEACHER_ROW(                                                                           \
            generalisation, .label = "generalisation of the replicas",                             \
            .help = "probability that a replica " of " labels a new random pattern as the "        \
                    "teacher does, mean over the replicas; over all patterns where these are at "  \
                    "most 16384, else estimated on 16384"),                                        \
        SPN_TEACHER_ROW(generalisation_se,                                                         \
                        .help = "standard error of that estimate; 0 if all patterns were used"),   \
        SPN_TEACHER_ROW(best_generalisation, .label = "generalisation of the best replica",        \
                        .help = "the same for the replica of lowest energy " of                    \
                                ", the first of them"),                                            \
        SPN_TEACHER_ROW(centre_generalisation, .label = "generalisation of the centre",            \
                        .help = "the same for the majority of the replicas at each spin"),         \
        SPN_TEACHER_ROW(vote_generalisation, .label = "generalisation of the vote",                \
                        .help = "the same for the majority of the replicas' labels"),              \
        SPN_TEACHER_ROW(                                                                           \
            teacher_overlap, .label = "overlap with the teacher",                                  \
            .help = "scalar product of a replica and the teacher over N, averaged over the "       \
                    "replicas; units of fully connected committees are matched greedily, the "     \
                    "closest pair first"),                                                         \
        SPN_TEACHER_ROW(best_teacher_overlap,                                                      \
                        .label = "overlap of the best replica with the teacher",                   \
                        .help = "the same for the replica of lowest energy"),                      \
        SPN_TEACHER_ROW(centre_teacher_overlap, .label = "overlap of the centre with the teacher", \
                        .help = "the same for the majority of the replicas at each spin"),         \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* For spn_quantity.of: NULL if not measured. */
const void *spn_teacher_found_of(const void *found);

/* What a planned instance lacks for these results; NULL: nothing. */
const char *spn_teacher_needs(const void *planned);

/* Measure the current states of the replicas. The instance must have a teacher. Errors: MEMORY. */
spn_status spn_teacher_measure(spn_teacher_found *out, const spn_instance *instance,
                               const spn_snapshot *state, spn_error *err);

#endif
