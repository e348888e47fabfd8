/* The trace of a run. */
#include "cli/chain.h"

/* Steps between looks at the progress of a long run, whose trace has rows at multiples of it. */
enum { OFTEN = 1 << 16 };

int cli_trace_open(cli_trace *out, const cli_values *values, uint64_t steps, size_t replicas)
{
    const char *path = cli_text(values, "trace");
    spn_error err = {0};
    const uint64_t most = steps / 500 + 1;
    /* a power of two: then a run that is saved now and then stops for both at once */
    *out = (cli_trace){.every = 1};
    while (out->every <= most / 2 && out->every < OFTEN)
        out->every *= 2;
    if (most > OFTEN)
        out->every = (most + OFTEN - 1) / OFTEN * OFTEN;
    if (cli_given(values, "trace-every") &&
        !cli_whole(&out->every, values, "trace-every", 1, INT64_MAX))
        return CLI_USAGE;
    if (cli_given(values, "trace-every") && !path)
        return cli_error(values->command, "--trace-every goes with --trace FILE");
    if (path && spn_trace_create(&out->writer, path, replicas, &err))
        return cli_fail(values, &err);
    return CLI_OK;
}

uint64_t cli_trace_looks(const cli_trace *trace)
{
    return trace->every % OFTEN == 0 ? OFTEN : trace->every;
}

static void add_row(cli_trace *trace, const spn_snapshot *s)
{
    uint64_t proposals = 0, accepted = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        proposals += s->proposals[a];
        accepted += s->accepted[a];
    }
    uint64_t new_proposals = proposals - trace->proposals;
    uint64_t new_accepted = accepted - trace->accepted;
    spn_trace_row row = {.step = s->step,
                         .beta = s->beta,
                         .gamma = s->gamma,
                         .acceptance =
                             new_proposals ? (double)new_accepted / (double)new_proposals : 0,
                         .overlap = spn_snapshot_overlap(s),
                         .energy = s->energy,
                         .best = s->best_energy};
    spn_trace_add(trace->writer, &row);
    trace->proposals = proposals;
    trace->accepted = accepted;
    trace->step = s->step;
}

void cli_trace_update(cli_trace *trace, const spn_snapshot *snapshot)
{
    if (trace->writer && snapshot->step % trace->every == 0)
        add_row(trace, snapshot);
}

void cli_trace_last(cli_trace *trace, const spn_snapshot *snapshot)
{
    if (trace->writer && trace->step != snapshot->step)
        add_row(trace, snapshot);
}

int cli_trace_finish(cli_trace *trace, const cli_values *values)
{
    spn_error err = {0};
    spn_trace_writer *writer = trace->writer;
    trace->writer = NULL;
    return writer && spn_trace_finish(writer, &err) ? cli_fail(values, &err) : CLI_OK;
}

void cli_trace_discard(cli_trace *trace)
{
    spn_trace_discard(trace->writer);
    trace->writer = NULL;
}
