/* A task as a command: one job, or a grid of jobs. */
#ifndef SPN_CLI_TASK_H
#define SPN_CLI_TASK_H

#include "cli/options.h"
#include "job/call.h"

/* Most rows of replicas and of states to show. */
size_t cli_task_rows(const cli_values *values);

/* Print the results on stdout; returns an exit status. */
int cli_task_text(const cli_values *values, const spn_call *call);

/* The best state in one line; quality of the reads and a table of the best states. False without
   memory. They print nothing if there are no states. */
bool cli_print_best(const spn_call *call);
bool cli_print_reads(const spn_call *call, size_t rows);

/* Whether --plot names a file that can be drawn; whether a run of this plan has the curve to draw;
   draw it. All return an exit status. */
int cli_check_figure(const cli_values *values);
int cli_check_plot(const cli_values *values, const void *plan);
int cli_task_plot(const cli_values *values, const spn_call *call);

/* Whether a curve is a detail, which is not printed; draw a curve in the terminal, false without
   memory. */
bool cli_is_detail(const spn_task *task, const spn_result_curve *curve);
bool cli_draw_curve(const spn_task *task, const spn_result_curve *curve);

/* --grid: run the job at each point, and print the records as `spinney records` does. */
int cli_task_grid(const cli_values *values, const spn_job *job);

#endif
