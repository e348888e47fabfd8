/* Problems: ownership, the choice of the reader, and what the readers share. */
#include "data/problem.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_GIGABYTES = 16 };

static const char *const kind_names[] = {[SPN_PROBLEM_PATTERNS] = "patterns",
                                         [SPN_PROBLEM_COUPLINGS] = "couplings",
                                         [SPN_PROBLEM_CUT] = "cut",
                                         [SPN_PROBLEM_TABLE] = "table",
                                         [SPN_PROBLEM_STATES] = "states"};
const spn_names spn_problem_kind_names = {"kind of problem", sizeof kind_names / sizeof *kind_names,
                                          kind_names};

spn_problem *spn_problem_alloc(spn_problem_kind kind)
{
    spn_problem *problem = calloc(1, sizeof *problem);
    if (problem)
        problem->kind = kind;
    return problem;
}

void spn_problem_free(spn_problem *problem)
{
    if (!problem)
        return;
    if (!problem->borrowed) {
        free(problem->rows);
        free(problem->labels);
        free(problem->edges);
        free(problem->energies);
    }
    free(problem->values);
    free(problem->teacher);
    for (size_t i = 0; problem->names && i < problem->sites; i++)
        free(problem->names[i]);
    free(problem->names);
    free(problem);
}

bool spn_walk_line(spn_walk *walk)
{
    while (spn_lines_next(&walk->lines, &walk->line))
        if (walk->line.text[0] != '#')
            return true;
    return false;
}

bool spn_walk_token(spn_span *out, spn_walk *walk, bool comma)
{
    spn_span rest = spn_trim(walk->line);
    size_t size = 0;
    if (rest.size == 0)
        return false;
    while (size < rest.size && rest.text[size] != ' ' && rest.text[size] != '\t' &&
           !(comma && rest.text[size] == ','))
        size++;
    *out = (spn_span){rest.text, size};
    rest = spn_trim((spn_span){rest.text + size, rest.size - size});
    if (comma && rest.size > 0 && rest.text[0] == ',')
        rest = (spn_span){rest.text + 1, rest.size - 1};
    walk->line = rest;
    return true;
}

spn_status spn_walk_fail(const spn_walk *walk, spn_error *err, const char *format, ...)
{
    char text[SPN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %s", walk->source->name,
                    walk->lines.number, text);
}

spn_status spn_walk_no_memory(const spn_walk *walk, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory while reading", walk->source->name);
}

spn_status spn_problem_parse(spn_problem **out, spn_problem_kind kind, const spn_source *source,
                             const spn_problem_options *options, spn_error *err)
{
    static spn_problem_reader *const readers[] = {[SPN_PROBLEM_PATTERNS] = spn_read_patterns,
                                                  [SPN_PROBLEM_COUPLINGS] = spn_read_graph,
                                                  [SPN_PROBLEM_CUT] = spn_read_graph,
                                                  [SPN_PROBLEM_TABLE] = spn_read_table,
                                                  [SPN_PROBLEM_STATES] = spn_read_states};
    spn_walk walk = {.source = source, .lines = spn_lines_of(source)};
    spn_problem *problem = spn_problem_alloc(kind);
    spn_status status =
        problem ? readers[kind](problem, &walk, options, err) : spn_walk_no_memory(&walk, err);
    if (status) {
        spn_problem_free(problem);
        problem = NULL;
    }
    *out = problem;
    return status;
}

static spn_status check_options(spn_problem_kind kind, const spn_problem_options *options,
                                spn_error *err)
{
    const bool graph = kind == SPN_PROBLEM_COUPLINGS || kind == SPN_PROBLEM_CUT;
    if (!spn_problem_kind_name(kind) || !spn_graph_format_name(options->format))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no kind of problem %d or format %d",
                        (int)kind, (int)options->format);
    if (!isfinite(options->offset))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the offset is not a finite number");
    if (!graph && (options->format != SPN_GRAPH_AUTO || options->offset != 0))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a format and an offset go with couplings and cut graphs, not with %s",
                        spn_problem_kind_name(kind));
    return SPN_OK;
}

spn_status spn_problem_read_as(spn_problem **out, spn_problem_kind kind, const char *path,
                               const spn_problem_options *given, spn_error *err)
{
    spn_problem_options options = spn_problem_options_defaults();
    spn_source source;
    *out = NULL;
    spn_status status =
        spn_sized_take(&options, sizeof options, given, "spn_problem_options_defaults", err);
    if (!status)
        status = check_options(kind, &options, err);
    if (status)
        return status;
    const size_t most = options.max_bytes ? options.max_bytes : (size_t)MAX_GIGABYTES << 30;
    if ((status = spn_source_load(&source, path, most, err)))
        return status;
    status = spn_problem_parse(out, kind, &source, &options, err);
    spn_source_unload(&source);
    return status;
}

spn_status spn_problem_read(spn_problem **out, spn_problem_kind kind, const char *path,
                            spn_error *err)
{
    return spn_problem_read_as(out, kind, path, NULL, err);
}

const char *spn_problem_file_name(spn_problem_kind kind)
{
    switch (kind) {
    case SPN_PROBLEM_PATTERNS:
        return "patterns";
    case SPN_PROBLEM_COUPLINGS:
    case SPN_PROBLEM_CUT:
        return "graph";
    case SPN_PROBLEM_TABLE:
        return "table";
    case SPN_PROBLEM_STATES:
        break;
    }
    return "minima";
}
