/* The data that spinney train is given. */
#include "cli/model.h"
#include "cli/train.h"

#include <spinney/words.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A word that is neither a file nor the name of a data set. */
static int no_such_data(const cli_values *values, const char *name)
{
    const char *nearest = spn_nearest_of(name, spn_dataset_names());
    if (nearest)
        return cli_error(values->command,
                         "--data: '%s' is neither a file nor a data set; did you mean %s?", name,
                         nearest);
    return cli_error(values->command,
                     "--data: '%s' is neither a file nor a data set (digits, mnist, fashion)",
                     name);
}

static int open_known(cli_train_data *out, const cli_values *values, const char *name)
{
    static const char *const others[] = {"labels", "test-labels"};
    spn_error err = {0};
    for (size_t k = 0; k < 2; k++)
        if (cli_given(values, others[k]))
            return cli_error(values->command, "--%s goes with a file, not with --data %s",
                             others[k], name);
    if (cli_given(values, "test"))
        return cli_error(values->command, "--test: the data set %s has a test part of its own",
                         name);
    out->name = name;
    return spn_dataset_open(&out->train, &out->test, name, &err) ? cli_fail(values, &err) : CLI_OK;
}

/* The test file takes width and classes from the training file. */
static int read_test(cli_train_data *out, const cli_values *values)
{
    spn_error err = {0};
    const char *path = cli_text(values, "test"), *labels = cli_text(values, "test-labels");
    spn_read_options options = {.size = sizeof options,
                                .single_class = true,
                                .features = spn_dataset_features(out->train),
                                .class_names = spn_dataset_class_names(out->train),
                                .classes = spn_dataset_classes(out->train)};
    if (!path)
        return labels ? cli_error(values->command, "--test-labels goes with --test FILE") : CLI_OK;
    int status = CLI_OK;
    cli_read_options(&options, values);
    if (spn_dataset_read(&out->test, path, labels, &options, &err))
        status = cli_fail(values, &err);
    return status;
}

static int read_file(cli_train_data *out, const cli_values *values, const char *path)
{
    spn_error err = {0};
    spn_read_options options = spn_read_defaults();
    cli_read_options(&options, values);
    if (options.labels == SPN_LABELS_NONE)
        return cli_error(values->command, "--label-column none: training needs labels");
    if (strcmp(path, "-") != 0 && !strchr(path, '/') && access(path, F_OK) != 0)
        return no_such_data(values, path);
    const char *slash = strrchr(path, '/');
    out->name = slash ? slash + 1 : path;
    if (spn_dataset_read(&out->train, path, cli_text(values, "labels"), &options, &err))
        return cli_fail(values, &err);
    return read_test(out, values);
}

int cli_train_data_read(cli_train_data *out, const cli_values *values)
{
    const char *data = cli_text(values, "data");
    *out = (cli_train_data){0};
    int status =
        cli_is_known_data(data) ? open_known(out, values, data) : read_file(out, values, data);
    if (!status && out->test && cli_given(values, "test-fraction"))
        status = cli_error(values->command,
                           "--test-fraction is for data without a test part; these have one");
    return status;
}

void cli_train_data_free(cli_train_data *data)
{
    spn_dataset_free(data->train);
    spn_dataset_free(data->test);
}

/* ---- scaling ---- */

int cli_train_scaling(spn_preprocess *out, const cli_values *values)
{
    const char *text = cli_text(values, "scaling");
    *out = spn_preprocess_default(cli_text(values, "data"));
    if (!text)
        return CLI_OK;
    spn_error err = {0};
    if (spn_preprocess_from_text(out, text, &err))
        return cli_error(values->command, "--scaling: %s", err.text);
    return CLI_OK;
}
