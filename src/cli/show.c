/* spinney show: the weights of a model as pictures. */
#include "cli/commands.h"
#include "cli/model.h"

#include <spinney/export.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

const spn_setting cli_show_options[] = {
    SPN_HEADING("What"),
    CLI_TEXT("replica", "WHICH", "best",
             "best (the replica of lowest loss in training), centre (the majority of the "
             "replicas), or a number from 1"),
    SPN_HEADING("Output"),
    CLI_FILE("png", "FILE", NULL, "draw into a PNG file instead"),
    CLI_WHOLE("scale", "n", "8", 1, 64, "of --png: pixels per weight"),
    CLI_OR_ELSE("width", "n", "those of the terminal", 1, 10000, "columns to use"),
    CLI_FLAG("quiet", "no line about the model"),
    {.name = NULL}};

const char cli_show_details[] =
    "One picture for each class: light where the weight is +1, dark where it is -1. Features that\n"
    "are no image are drawn as a bar of cells, 64 to a row.\n\n"
    "Examples\n"
    "  spinney show digits.spn\n"
    "  spinney show mnist.spn --replica centre --png weights.png --scale 4\n";

/* The bias of each class, as a sum of its weights. */
static void print_bias(const spn_model *m, const int8_t *weights)
{
    const size_t row = spn_model_row(m), bias = spn_model_bias(m);
    if (bias == 0)
        return;
    printf("bias:");
    for (uint32_t k = 0; k < spn_model_classes(m); k++) {
        long sum = 0;
        for (size_t i = row - bias; i < row; i++)
            sum += weights[k * row + i];
        printf("%s %s %+ld", k ? "," : "", spn_model_class_names(m)[k], sum);
    }
    printf("\n\n");
}

static int print_text(const cli_model *model, const cli_pick *pick, const cli_values *values)
{
    uint64_t width = 80;
    struct winsize size;
    const bool terminal = isatty(STDOUT_FILENO);
    const spn_model *m = model->model;
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    cli_value(&width, values, "width");
    spn_error err = {0};
    char *text;
    if (spn_weights_text(&text, m, pick->weights, (size_t)width, terminal, &err))
        return cli_error(values->command, "%s; give a larger --width, or --png FILE", err.text);
    if (!cli_flag(values, "quiet"))
        printf("%s: %u classes, %zu features, %zu replica%s; here %s\n\n", model->path,
               (unsigned)spn_model_classes(m), spn_model_features(m), spn_model_replicas(m),
               spn_model_replicas(m) == 1 ? "" : "s", pick->name);
    if (!cli_flag(values, "quiet"))
        print_bias(m, pick->weights);
    fputs(text, stdout);
    free(text);
    return cli_flush(values->command);
}

static int show(cli_model *model, const cli_values *values)
{
    cli_pick pick;
    uint64_t scale;
    spn_error err = {0};
    cli_value(&scale, values, "scale");
    if (cli_given(values, "scale") && !cli_given(values, "png"))
        return cli_error(values->command, "--scale goes with --png FILE");
    if (cli_given(values, "width") && cli_given(values, "png"))
        return cli_error(values->command, "--width is for the terminal; --png takes --scale");
    int status = cli_model_load(model, values, values->arguments[0]);
    if (!status)
        status = cli_model_pick(&pick, model, values, 0);
    if (status)
        return status;
    if (!cli_given(values, "png"))
        return print_text(model, &pick, values);
    if (spn_weights_png(model->model, pick.weights, (size_t)scale, cli_text(values, "png"), &err))
        return cli_fail(values, &err);
    return CLI_OK;
}

int cli_show(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    if (!cli_parse(&values, command, argc, argv, &status))
        return status;
    if (values.argument_count != 1)
        return cli_error(command, "give one model file; see spinney show --help");
    cli_model model = {0};
    status = show(&model, &values);
    cli_model_free(&model);
    return status;
}
