/* The options that choose an energy, shared by every command that needs one. */
#ifndef SPN_CLI_PROBLEM_H
#define SPN_CLI_PROBLEM_H

#include "cli/options.h"
#include <jansson.h>
#include <spinney/energies.h>

/* The rows of these options for a command's table. */
#define CLI_PROBLEM_OPTIONS                                                                        \
    SPN_HEADING("Problem"),                                                                        \
        CLI_TEXT("energy", "NAME", NULL,                                                           \
                 "what to minimise: errors, product, bits, bits-strict, logistic, "                \
                 "logistic-steep, ising, "                                                         \
                 "qubo, maxcut, table, "                                                           \
                 "distance, planted"),                                                             \
        CLI_FILE(                                                                                  \
            "patterns", "FILE", NULL,                                                              \
            "for errors, product, bits, bits-strict, logistic, logistic-steep: CSV of +1 and -1, " \
            "the label in the last "                                                               \
            "column"),                                                                             \
        CLI_TEXT(                                                                                  \
            "random", "N,P,SEED", NULL,                                                            \
            "instead of a file: P random patterns of N spins; P is a count, or a density P/N "     \
            "written "                                                                             \
            "with a decimal point"),                                                               \
        CLI_FLAG("teacher",                                                                        \
                 "with --random: labels from a random teacher, so that a solution exists"),        \
        CLI_FILE("graph", "FILE", NULL,                                                            \
                 "for ising (i j J, i i h) and qubo (i j Q), \
     indices from 0; for maxcut the Gset format: "                                     \
                 "n m, then i j w from 1"),                                                        \
        CLI_FILE("table", "FILE", NULL,                                                            \
                 "for table: 2^N energies; bit i of a state's number is set iff spin i is +1"),    \
        CLI_FILE("minima", "FILE", NULL,                                                           \
                 "for distance: one state per line, a string of + and -, first spin first"),       \
        CLI_TEXT("code", "GENERATORS", NULL,                                                       \
                 "for planted: a linear code, as rows 0111100,1011010,... or a FILE of rows of + " \
                 "and -; "                                                                         \
                 "the energy is the distance to the nearest codeword or state of the ball"),       \
        CLI_TEXT("ball", "R", NULL,                                                                \
                 "with --code: the states at distance R or less of codeword 0 are minima too")

/* Make the energy that the options ask for. On failure a message is printed, and the exit status
   returned; 0 on success. */
int cli_make_energy(spn_energy **out, const cli_values *values);

/* Whether that is a planted landscape, whose ball is a dense set. */
bool cli_is_planted(const cli_values *values);

/* Put the options that chose the energy into a JSON object. */
void cli_describe_energy(json_t *settings, const cli_values *values, size_t sites);

#endif
