/* Training: a K-class classifier whose weights are all -1 or +1, by replicated annealing of the
   mean cross-entropy (<spinney/softmax.h>), from a labelled data set to a model. */
#ifndef SPN_OLD_TRAINING_H
#define SPN_OLD_TRAINING_H

#include <spinney/chain.h>
#include <spinney/dataset.h>
#include <spinney/model.h>
#include <spinney/preprocess.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to train on; everything is borrowed, and must stay until the training returns. */
typedef struct xpn_train_data {
    size_t size;              /* of this struct: start from xpn_train_data_defaults() */
    const char *name;         /* what records call it, such as "mnist"; not NULL */
    const spn_dataset *train; /* labelled, at least two classes */
    const spn_dataset *test;  /* labelled, same features and classes; NULL: none */
} xpn_train_data;

static inline xpn_train_data xpn_train_data_defaults(void)
{
    xpn_train_data d;
    memset(&d, 0, sizeof d);
    d.size = sizeof d;
    return d;
}

/* Start from xpn_train_defaults or xpn_train_options_preset and change what you need. */
typedef struct xpn_train_options {
    size_t size;        /* of this struct */
    const char *preset; /* its name, for the record; may be NULL */
    /* Replicas, kernel, schedules, steps, seed, start, threads and stop. The observer is called as
       by a chain. Training ends after its steps: no target, patience or seconds. */
    spn_chain_options chain;
    /* What xpn_train_options_preset made for the chain, which borrows it; else NULL. */
    spn_schedule *beta, *gamma;
    double logit_scale;        /* s > 0: logits are s * W x, */
    bool logit_scale_by_root;  /* or s/sqrt(D) * W x, so that one s suits many widths */
    spn_preprocess preprocess; /* fitted to the training part */
    /* Parts, drawn by split_seed: first the test part where the data have none, then the validation
       part, both from the training set and of every class alike; then the subset of what is left.
     */
    double test_fraction; /* 0: none */
    double validation;    /* a fraction, for tuning; 0: none */
    size_t subset;        /* samples to train on; 0: all */
    uint64_t split_seed;
    /* Where the state is written, so that a run that was killed can go on: at the start, and then
       whenever this many steps more are done and the chain can be saved. If the file is there
       already, the run goes on from it. Removed when the training is complete and
       xpn_train_finish is called. NULL: nowhere. */
    const char *checkpoint;
    uint64_t checkpoint_every; /* steps; 0: a twentieth of the run */
} xpn_train_options;

/* The defaults of a chain, logit scale 1, standardised by data set, no parts. */
static inline xpn_train_options xpn_train_defaults(void)
{
    xpn_train_options o;
    memset(&o, 0, sizeof o);
    o.size = sizeof o;
    o.chain = spn_chain_defaults();
    o.logit_scale = 1;
    o.preprocess.kind = SPN_PREPROCESS_DATASET;
    o.preprocess.scale = 1;
    o.split_seed = 1;
    return o;
}

/* How good weights are; NaN where there is no such part. */
typedef struct xpn_train_score {
    double train_loss, train_accuracy;
    double validation_loss, validation_accuracy;
    double test_loss, test_accuracy;
    double active; /* accepted flips: of a replica, or the mean over replicas */
} xpn_train_score;

typedef struct xpn_train_result {
    spn_stop stop;         /* STEPS, or REQUEST for a run that was interrupted */
    uint64_t step;         /* steps done */
    uint64_t resumed_step; /* where the run went on from a checkpoint; 0: at the start */
    uint64_t saved_step;   /* of the checkpoint, where there is one */
    size_t replicas;
    xpn_train_score *replica; /* one each */
    xpn_train_score mean;     /* over the replicas */
    xpn_train_score centre;   /* of the majority vote of the replicas; active is NaN */
    size_t best;              /* the replica of the lowest training loss */
    double overlap;           /* mean over pairs of replicas */
    double seconds;           /* of annealing, in this process */
    uint64_t proposals;       /* in this process */
    size_t train_samples, validation_samples, test_samples;
    /* The weights of every replica: at the end of the schedule, or, of a run that was interrupted,
       those of the lowest training loss that it met. No byte of it depends on time, on threads, or
       on whether the run was killed and resumed in between. */
    spn_model *model;
} xpn_train_result;

/* A preset: the values of options as texts, as on the command line. */
typedef struct xpn_train_preset {
    const char *name, *about;
    const char *replicas, *gamma, *beta, *steps, *kernel, *init, *logit_scale;
} xpn_train_preset;

/* The presets, ended by one without a name; the one called `name`, or NULL. */
const xpn_train_preset *xpn_train_presets(void);
const xpn_train_preset *xpn_train_preset_find(const char *name);

/* Options with the values of a preset, for the data called data_name (spn_preprocess_default).
   Errors: ARGUMENT for a name that is none. Clear with xpn_train_options_clear. */
spn_status xpn_train_options_preset(xpn_train_options *out, const char *name,
                                            const char *data_name, spn_error *err);
void xpn_train_options_clear(xpn_train_options *options);

/* A logit scale from text, "s" or "s/sqrtD", s positive and finite. Errors: ARGUMENT. */
spn_status xpn_train_logit_scale(xpn_train_options *out, const char *text, spn_error *err);

/* Train. out: cleared with xpn_train_result_clear, also after an error.
   Errors: ARGUMENT (options, or data of another shape), INPUT (a checkpoint that is damaged, or of
   other settings or data: the text names what differs), IO, MEMORY.
   Cost: steps * y * O(M) for M samples; memory as in <spinney/softmax.h>. */
spn_status xpn_train_run(xpn_train_result *out, const xpn_train_options *options,
                                 const xpn_train_data *data, spn_error *err);

/* Remove the checkpoint of a complete training. Call it once the model is safely written; until
   then the same training goes on from the checkpoint and ends with the same model. */
spn_status xpn_train_finish(const xpn_train_result *result,
                                    const xpn_train_options *options, spn_error *err);

void xpn_train_result_clear(xpn_train_result *result);

#ifdef __cplusplus
}
#endif
#endif
