/* The table of commands. */
#include "cli/commands.h"

const cli_command cli_commands[] = {
    {"anneal", NULL, "anneal replicas of an energy towards wide, dense minima", cli_anneal_details,
     cli_anneal_options, cli_anneal},
    {"exact", NULL, "compute the laws, chains and dense regions of a small energy exactly",
     cli_exact_details, cli_exact_options, cli_exact},
    {"plot", "TRACE", "draw the trace of a run, in the terminal or as SVG, PDF or PNG",
     cli_plot_details, cli_plot_options, cli_plot},
    {"train", NULL, "train a classifier whose weights are all one bit", NULL, cli_train_options,
     cli_train},
    {"sweep", "FILE",
     "run all that a specification file asks for, on all cores or on many machines",
     cli_sweep_details, cli_sweep_options, cli_sweep},
    {"report", "FOLDER", "the figures, tables and page of a sweep", cli_report_details,
     cli_report_options, cli_report},
    {"eval", "MODEL", "loss, accuracy, confusion and robustness of a model on labelled data",
     cli_eval_details, cli_eval_options, cli_eval},
    {"predict", "MODEL FILE...", "the classes that a model gives to new samples",
     cli_predict_details, cli_predict_options, cli_predict},
    {"export", "MODEL", "write a model as a C header, NPY, text or ONNX", cli_export_details,
     cli_export_options, cli_export},
    {"show", "MODEL", "draw the weights of a model as pictures", cli_show_details, cli_show_options,
     cli_show},
    {NULL, NULL, NULL, NULL, NULL, NULL}};
