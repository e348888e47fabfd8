/* spinney export: write a model for use elsewhere. */
#include "cli/model.h"

#include <spinney/export.h>
#include <stdio.h>
#include <string.h>

static const char *const formats[] = {"c", "npy", "text", "onnx", NULL};
static const char *const arithmetics[] = {"auto", "int", "float", "double", NULL};
static const char *const inputs[] = {"float", "double", "uint8", NULL};

const spn_setting cli_export_options[] = {
    SPN_HEADING("What"),
    CLI_WORD("format", "NAME", NULL, formats,
             "format of the file; c is a C99 header with an inference function, npy an array of "
             "int8 (classes by features; of a network units by inputs, with the outputs in "
             "FILE.outputs.npy), text rows of + and -, onnx is opset 13"),
    CLI_TEXT("replica", "WHICH", "best",
             "which weights to export; best (the replica of lowest training loss), centre (the "
             "majority of the replicas), a number from 1, all (npy and text) or vote (the sum of "
             "the logits of a network's replicas, c and onnx)"),
    CLI_TEXT("name", "WORD", NULL, "prefix of the C identifiers (default: from the file name)"),
    CLI_WORD("arithmetic", "TYPE", "auto", arithmetics,
             "arithmetic of the C code; int needs bytes or thermometers, auto is int for "
             "thermometers and networks, else double"),
    CLI_WORD("input", "TYPE", "float", inputs, "type of the features in ONNX"),
    SPN_HEADING("Output"),
    CLI_FILE("out", "FILE", NULL, "file to write"),
    CLI_FLAG("quiet", "do not say what was written"),
    {.name = NULL}};

const char cli_export_details[] = "The C header and the ONNX graph take features as they are "
                                  "stored in the data and preprocess them.\n"
                                  "Both give the same classes as spinney predict.\n";

const char cli_export_examples[] =
    "  spinney export digits.spn --format c --out digits.h\n"
    "  spinney export digits.spn --format npy --replica all --out weights.npy\n"
    "  spinney export digits.spn --format onnx --out digits.onnx\n";

static int read_options(spn_export_options *out, const cli_values *values)
{
    int format, input = 0, arithmetic = 0;
    if (!cli_given(values, "format") || !cli_given(values, "out"))
        return cli_error(values->command, "--format c|npy|text|onnx and --out FILE are needed");
    cli_value(&format, values, "format");
    cli_value(&input, values, "input");
    cli_value(&arithmetic, values, "arithmetic");
    *out = (spn_export_options){.size = sizeof(spn_export_options),
                                .format = (spn_export_format)format,
                                .name = cli_text(values, "name"),
                                .input = (spn_export_input)input,
                                .arithmetic = (spn_export_arithmetic)arithmetic};
    if (cli_given(values, "name") && out->format != SPN_EXPORT_C)
        return cli_error(values->command, "--name needs --format c");
    if (cli_given(values, "arithmetic") && out->format != SPN_EXPORT_C)
        return cli_error(values->command, "--arithmetic needs --format c");
    if (cli_given(values, "input") && out->format != SPN_EXPORT_ONNX)
        return cli_error(values->command, "--input needs --format onnx");
    return CLI_OK;
}

static int export_model(cli_model *model, const cli_values *values)
{
    spn_export_options options = spn_export_defaults();
    spn_error err = {0};
    const char *path = cli_text(values, "out");
    int status = read_options(&options, values);
    const bool several = options.format == SPN_EXPORT_NPY || options.format == SPN_EXPORT_TEXT;
    if (!status && several && strcmp(cli_text(values, "replica"), "vote") == 0)
        status = cli_error(
            values->command,
            "a vote needs --format c or onnx; npy and text hold all replicas with --replica all");
    if (!status)
        status = cli_model_open(model, values, several ? CLI_PICK_ALL : CLI_PICK_VOTE);
    if (!status)
        status = cli_model_unpack(model, values);
    if (status)
        return status;
    options.vote = model->vote;
    if (spn_model_export(model->model, model->weights, model->count, &options, path, &err))
        return cli_fail(values, &err);
    if (!cli_flag(values, "quiet"))
        fprintf(stderr, "spinney export: %s: %s\n", path, model->name);
    return CLI_OK;
}

int cli_export(const cli_values *values)
{
    cli_model model = {0};
    const int status = export_model(&model, values);
    cli_model_free(&model);
    return status;
}
