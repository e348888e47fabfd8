/* The targets of the fuzzers, which the unit test of their cases replays: one function per reader,
   which parses an input and checks what it gives. It aborts if a parser breaks a promise, and
   crashes if it does worse. What is taken can be written, and is read back as the same; what is
   refused has an error of one line that names its place. Nothing is written to a disk; `written`
   works in /dev/shm. */
#ifndef SPN_FUZZ_TARGETS_H
#define SPN_FUZZ_TARGETS_H

#include <spinney/lab/setting.h>
#include <stddef.h>
#include <stdint.h>

/* name: what the input is. */
#define SPN_FUZZ_TARGETS(X)                                                                        \
    X(number)     /* all of it is the text */                                                      \
    X(word)       /* byte 0 chooses the list of words, the rest is one */                          \
    X(schedule)   /* the first line is the range, the rest the kind */                             \
    X(gzip)       /* target_gzip.c */                                                              \
    X(csv)        /* byte 0 chooses options, and where its bit 7 is set byte 1; then the file.     \
                     What has columns is read again by them */                                     \
    X(choice)     /* lines for --label-column, --drop, --categories; then a CSV file */            \
    X(svmlight)   /* as csv */                                                                     \
    X(idx)        /* byte 0 chooses options, bytes 1 and 2 (little-endian) are the size of the     \
                     file of labels, which comes next; then the file of features */                \
    X(npy)        /* as idx */                                                                     \
    X(npz)        /* byte 0 chooses options; then the file */                                      \
    X(columns)    /* all of it is the text */                                                      \
    X(graph)      /* byte 0: bit 0 a cut graph, the rest the format (spn_graph_format) */          \
    X(problem)    /* byte 0: odd a table, even patterns */                                         \
    X(states)     /* all of it is the file, in any format of states */                             \
    X(lp)         /* all of it is the file */                                                      \
    X(qplib)      /* as lp */                                                                      \
    X(polynomial) /* as lp */                                                                      \
    X(clauses)    /* byte 0: cnf, wcnf or recognised; then the file */                             \
    X(model)      /* byte 0: bit 0 checksums are put right; then the file */                       \
    X(condition)  /* lines: a condition, columns, what groups are told by */                       \
    X(reference)  /* byte 0 chooses the figure; then the file */                                   \
    X(trace)      /* all of it is the file */                                                      \
    X(manifest)   /* byte 0: bit 0 each line gets its checksum; then the file */                   \
    X(sweep)      /* all of it is sweep.json; its checksum is put right */                         \
    X(spec)       /* all of it is the specification */                                             \
    X(set)        /* each line is a text of --set */                                               \
    X(axis)       /* each line is a text of --grid */                                              \
    X(setting)    /* byte 0 chooses the task; each line is NAME=TEXT */                            \
    X(plan)       /* the same, planned */                                                          \
    X(call)       /* target_call.c */                                                              \
    X(checkpoint) /* target_checkpoint.c, as are the next three */                                 \
    X(rows)                                                                                        \
    X(chain)                                                                                       \
    X(ladder)                                                                                      \
    X(report)  /* the first line is sweep.json, the others are the manifest */                     \
    X(joint)   /* all of it is the specification of a joint report */                              \
    X(written) /* all of it is the list of what a report wrote */

/* Whether planning with this text reads no file but the digits that are built in, and takes neither
   much memory nor much time. */
bool spn_fuzz_is_small(const spn_setting *setting, const char *text);

#define SPN_FUZZ_DECLARE(name) void spn_fuzz_##name(const uint8_t *data, size_t size);
SPN_FUZZ_TARGETS(SPN_FUZZ_DECLARE)
#undef SPN_FUZZ_DECLARE

#endif
