/* What a run has learnt of the teacher of its random patterns: generalisation and overlap of its
   replicas. */
#ifndef SPN_TASK_TEACHER_H
#define SPN_TASK_TEACHER_H

#include "job/energy_settings.h"

/* The rows of this for the table of a task; of: whose states these are. */
#define SPN_TEACHER_QUANTITIES(of)                                                                 \
    {.help = "With a teacher"},                                                                    \
        {.name = "generalisation",                                                                 \
         .label = "generalisation of the replicas",                                                \
         .help = "probability that a replica " of " labels a new random pattern as the "           \
                 "teacher does, mean over the replicas; over all patterns where these are at "     \
                 "most 16384, else estimated on 16384"},                                           \
        {.name = "generalisation_se",                                                              \
         .help = "standard error of that estimate; 0 if all patterns were used"},                  \
        {.name = "best_generalisation",                                                            \
         .label = "generalisation of the best replica",                                            \
         .help = "the same for the replica of lowest energy " of ", the first of them"},           \
        {.name = "centre_generalisation",                                                          \
         .label = "generalisation of the centre",                                                  \
         .help = "the same for the majority of the replicas at each spin"},                        \
        {.name = "vote_generalisation",                                                            \
         .label = "generalisation of the vote",                                                    \
         .help = "the same for the majority of the replicas' labels"},                             \
        {.name = "teacher_overlap",                                                                \
         .label = "overlap with the teacher",                                                      \
         .help =                                                                                   \
             "scalar product of a replica and the teacher over N, averaged over the replicas; "    \
             "units of fully connected committees are matched greedily, the closest pair first"},  \
        {.name = "best_teacher_overlap",                                                           \
         .label = "overlap of the best replica with the teacher",                                  \
         .help = "the same for the replica of lowest energy"},                                     \
    {                                                                                              \
        .name = "centre_teacher_overlap", .label = "overlap of the centre with the teacher",       \
        .help = "the same for the majority of the replicas at each spin"                           \
    }

/* What these results need that the settings do not have; NULL: they are measured, or result is
   none of them. */
const char *spn_teacher_missing(const char *result, const spn_instance *planned);

/* Add them, of the states of the replicas now. Nothing where there is no teacher. Errors: MEMORY.
 */
spn_status spn_teacher_record(spn_record *out, const spn_instance *instance,
                              const spn_snapshot *state, spn_error *err);

#endif
