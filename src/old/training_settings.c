/* The settings of a training as text: what the checkpoint is compared by and the model records. */
#include "base/number.h"
#include "old/training_inside.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A string as JSON. Bytes that are not ASCII are passed on: names are UTF-8 or the user's own. */
static void put_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < 0x20)
            fprintf(stream, "\\u%04x", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}

/* A number that reads back exactly, in as few digits as that takes; null for NaN. */
static void put_real(FILE *stream, double value)
{
    char text[SPN_NUMBER_TEXT] = "null";
    if (isfinite(value))
        spn_number_short(text, value);
    fputs(text, stream);
}

static void text_line(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, "%s ", name);
    put_string(stream, text);
    fputc('\n', stream);
}

static void real_line(FILE *stream, const char *name, double value)
{
    fprintf(stream, "%s ", name);
    put_real(stream, value);
    fputc('\n', stream);
}

static void whole_line(FILE *stream, const char *name, uint64_t value)
{
    fprintf(stream, "%s %" PRIu64 "\n", name, value);
}

static void sum_line(FILE *stream, const char *name, uint64_t sum)
{
    fprintf(stream, "%s \"%016" PRIx64 "\"\n", name, sum);
}

/* A part of the data: how many samples, and their checksum. */
static void part_lines(FILE *stream, const char *name, const spn_dataset *part)
{
    char text[64];
    if (!part)
        return;
    snprintf(text, sizeof text, "%s_samples", name);
    whole_line(stream, text, part->samples);
    snprintf(text, sizeof text, "%s_checksum", name);
    sum_line(stream, text, spn_dataset_checksum(part));
}

static void schedule_line(FILE *stream, const char *name, const spn_schedule *schedule,
                          const char *without)
{
    char text[160];
    if (schedule)
        spn_schedule_describe(schedule, text, sizeof text);
    text_line(stream, name, schedule ? text : without);
    if (!schedule || schedule->kind != SPN_SCHEDULE_PIECES)
        return;
    fprintf(stream, "%s_pieces \"", name); /* the description leaves them out */
    for (size_t k = 0; k < schedule->count; k++) {
        fputs(k ? "," : "", stream);
        put_real(stream, schedule->pieces[k].value);
        fprintf(stream, "x%" PRIu64, schedule->pieces[k].steps);
    }
    fputs("\"\n", stream);
}

static void data_lines(FILE *stream, const xpn_train_options *o, const xpn_train_parts *parts)
{
    const spn_preprocess *how = &parts->preprocess;
    text_line(stream, "data", parts->name);
    part_lines(stream, "train", parts->train);
    part_lines(stream, "validation", parts->validation);
    part_lines(stream, "test", parts->test);
    real_line(stream, "test_fraction", o->test_fraction);
    real_line(stream, "validation", o->validation);
    whole_line(stream, "subset", o->subset);
    whole_line(stream, "split_seed", o->split_seed);
    whole_line(stream, "classes", parts->train->classes);
    whole_line(stream, "features", parts->train->features);
    text_line(stream, "scaling", spn_preprocess_kind_name(how->kind));
    if (how->kind != SPN_PREPROCESS_FEATURE) {
        real_line(stream, "shift", how->shift);
        real_line(stream, "scale", how->scale);
    }
    if (how->kind == SPN_PREPROCESS_BINARY)
        real_line(stream, "threshold", how->threshold);
}

static void chain_lines(FILE *stream, const spn_chain_options *o, size_t sites)
{
    static const char *const starts[] = {"same", "independent", "given"};
    whole_line(stream, "replicas", o->replicas);
    schedule_line(stream, "gamma", o->gamma, "constant 0");
    schedule_line(stream, "beta", o->beta, "constant 1");
    whole_line(stream, "steps", o->steps);
    text_line(stream, "kernel", spn_kernel_name(o->kernel));
    text_line(stream, "order", spn_order_name(o->order));
    text_line(stream, "init", starts[o->start]);
    if (o->start == SPN_START_GIVEN && o->given)
        sum_line(stream, "init_checksum", XXH3_64bits(o->given, o->replicas * sites));
    whole_line(stream, "seed", o->seed);
    whole_line(stream, "run", o->run);
}

char *xpn_train_settings(const xpn_train_options *options, const xpn_train_parts *parts)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    text_line(stream, "version", SPN_VERSION);
    if (options->preset)
        text_line(stream, "preset", options->preset);
    data_lines(stream, options, parts);
    real_line(stream, "logit_scale", parts->logit_scale);
    chain_lines(stream, &options->chain, parts->train->classes * parts->train->features);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- the manifest ---- */

static void put_settings(FILE *stream, const char *settings)
{
    fputs("  \"settings\": {", stream);
    for (const char *line = settings; *line; line += *line == '\n') {
        const size_t name = strcspn(line, " "), size = strcspn(line, "\n");
        fprintf(stream, "%s\n    \"%.*s\": %.*s", line == settings ? "" : ",", (int)name, line,
                (int)(size - name - 1), line + name + 1);
        line += size;
    }
    fputs("\n  }", stream);
}

static void put_score(FILE *stream, const xpn_train_score *score)
{
    const struct {
        const char *name;
        double value;
    } fields[] = {{"train_loss", score->train_loss},
                  {"train_accuracy", score->train_accuracy},
                  {"validation_loss", score->validation_loss},
                  {"validation_accuracy", score->validation_accuracy},
                  {"test_loss", score->test_loss},
                  {"test_accuracy", score->test_accuracy},
                  {"active", score->active}};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        fprintf(stream, "%s\"%s\": ", k ? ", " : "{", fields[k].name);
        put_real(stream, fields[k].value);
    }
    fputc('}', stream);
}

static void put_results(FILE *stream, const xpn_train_result *result)
{
    fprintf(stream, "  \"results\": {\n    \"complete\": %s,\n    \"steps\": %" PRIu64 ",\n",
            result->stop == SPN_STOP_STEPS ? "true" : "false", result->step);
    fprintf(stream, "    \"best\": %zu,\n    \"overlap\": ", result->best + 1);
    put_real(stream, result->overlap);
    fputs(",\n    \"mean\": ", stream);
    put_score(stream, &result->mean);
    fputs(",\n    \"centre\": ", stream);
    put_score(stream, &result->centre);
    fputs(",\n    \"replicas\": [", stream);
    for (size_t a = 0; a < result->replicas; a++) {
        fputs(a ? ",\n      " : "\n      ", stream);
        put_score(stream, &result->replica[a]);
    }
    fputs("\n    ]\n  }", stream);
}

char *xpn_train_manifest(const xpn_train_result *result, const xpn_train_options *options,
                         const xpn_train_parts *parts, const char *settings)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "{\n  \"version\": \"%s\",\n  \"seed\": %" PRIu64 ",\n", SPN_VERSION,
            options->chain.seed);
    fprintf(stream, "  \"data_checksum\": \"%016" PRIx64 "\",\n",
            spn_dataset_checksum(parts->train));
    put_settings(stream, settings);
    fputs(",\n", stream);
    put_results(stream, result);
    fputs("\n}\n", stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
