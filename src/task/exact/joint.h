/* The joint chain of the task exact: a sampler over a ladder of beta, from its texts to its gap. */
#ifndef SPN_TASK_EXACT_JOINT_H
#define SPN_TASK_EXACT_JOINT_H

#include <spinney/joint.h>
#include <spinney/lab/records.h>

/* The words of the setting joint, in their order: none, and then the kinds of spn_joint_kind. */
enum { SPN_EXACT_JOINT_NONE };

typedef struct spn_exact_joint {
    spn_joint_options options; /* its arrays are those below */
    double betas[SPN_JOINT_RUNGS], errors[SPN_JOINT_RUNGS], rings[SPN_JOINT_RUNGS];
} spn_exact_joint;

/* What the settings say. */
typedef struct spn_exact_joint_texts {
    int joint; /* a word of the setting, not none */
    size_t replicas, rungs;
    bool rungs_given;
    spn_kernel kernel;
    double beta, gamma, exchanges;
    const char *ladder, *weight_errors, *rings; /* NULL where not given */
} spn_exact_joint_texts;

/* Read them. out->options points into *out. Errors: ARGUMENT, which names the setting. */
spn_status spn_exact_joint_read(spn_exact_joint *out, const spn_exact_joint_texts *texts,
                                spn_error *err);

/* The gap beside that of the kernel alone, and the rungs: what the table of results has under Joint
   chain. */
spn_status spn_exact_joint_run(spn_record *out, const spn_exact_joint *joint,
                               const spn_landscape *landscape, spn_error *err);

/* Whether scans in turn are among it. */
bool spn_exact_joint_scans(const spn_exact_joint *joint, size_t sites);

#endif
