/* The options that choose an energy. */
#include "cli/problem.h"

#include "cli/planted.h"

#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The built-in energies, and after them the one that is made here. */
static const char *energy_name(const void *unused, size_t i)
{
    const spn_energy_kind *kind = spn_energy_kind_at(i);
    (void)unused;
    if (kind)
        return kind->name;
    return i > 0 && spn_energy_kind_at(i - 1) ? "planted" : NULL;
}

static int no_such_energy(const cli_values *values, const char *name)
{
    const char *nearest = spn_nearest_word(name, energy_name, NULL);
    if (nearest)
        return cli_error(values->command, "--energy: there is no '%s'; did you mean %s?", name,
                         nearest);
    char list[256] = "";
    for (size_t i = 0; energy_name(NULL, i); i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", energy_name(NULL, i));
    }
    return cli_error(values->command, "--energy: there is no '%s'; use one of %s", name, list);
}

static int fail_with(const cli_values *values, const spn_error *err)
{
    cli_error(values->command, "%s", err->text);
    return err->status == SPN_ERROR_MEMORY ? CLI_FAILED : CLI_USAGE;
}

static int make_random(spn_problem **out, const cli_values *values)
{
    spn_random_text random;
    spn_error err = {0};
    const char *text = cli_text(values, "random");
    if (spn_random_text_parse(&random, text, &err) || !random.seeded)
        return cli_error(values->command,
                         "--random: '%s' is not N,P,SEED with N and P at least 1, such as "
                         "1001,300,1 or 1001,0.3,1",
                         text);
    if (spn_problem_random_patterns(out, random.sites, random.count, random.seed,
                                    cli_given(values, "teacher"), &err))
        return fail_with(values, &err);
    return CLI_OK;
}

/* An option that another kind of energy would need is a mistake, not something to pass over. */
static int check_unused(const cli_values *values, const spn_energy_kind *kind)
{
    static const char *const options[] = {"patterns", "random", "graph", "table",
                                          "minima",   "code",   "ball"};
    const char *used = spn_problem_file_name(kind->problem);
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        bool random = strcmp(options[k], "random") == 0 && kind->problem == SPN_PROBLEM_PATTERNS;
        if (cli_given(values, options[k]) && strcmp(options[k], used) != 0 && !random)
            return cli_error(values->command, "--%s does not go with --energy %s, which takes --%s",
                             options[k], kind->name, used);
    }
    if (cli_given(values, "random") && cli_given(values, "patterns"))
        return cli_error(values->command, "give --patterns or --random, not both");
    if (cli_given(values, "teacher") && !cli_given(values, "random"))
        return cli_error(values->command, "--teacher goes with --random");
    return CLI_OK;
}

bool cli_is_planted(const cli_values *values)
{
    const char *name = cli_text(values, "energy");
    return name ? strcmp(name, "planted") == 0 : cli_given(values, "code");
}

static int make_planted(spn_energy **out, const cli_values *values)
{
    static const char *const options[] = {"patterns", "random", "teacher",
                                          "graph",    "table",  "minima"};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
        if (cli_given(values, options[k]))
            return cli_error(values->command,
                             "--%s does not go with --energy planted, which takes --code",
                             options[k]);
    return cli_make_planted_energy(out, values);
}

int cli_make_energy(spn_energy **out, const cli_values *values)
{
    *out = NULL;
    const char *name = cli_text(values, "energy");
    if (cli_is_planted(values))
        return make_planted(out, values);
    if (!name)
        return cli_error(values->command, "--energy NAME is needed; see spinney %s --help",
                         values->command->name);
    const spn_energy_kind *kind = spn_energy_find(name);
    if (!kind)
        return no_such_energy(values, name);
    int status = check_unused(values, kind);
    if (status)
        return status;
    const char *option = spn_problem_file_name(kind->problem);
    const char *from = cli_given(values, "random") ? "random" : option;
    spn_problem *problem = NULL;
    spn_error err = {0};
    if (cli_given(values, "random")) {
        if ((status = make_random(&problem, values)))
            return status;
    } else if (!cli_given(values, option)) {
        return cli_error(values->command, "--energy %s needs --%s FILE%s", name, option,
                         kind->problem == SPN_PROBLEM_PATTERNS ? " or --random N,P,SEED" : "");
    } else if (spn_problem_read(&problem, kind->problem, cli_text(values, option), &err)) {
        return fail_with(values, &err);
    }
    if (spn_energy_create(out, name, problem, &err)) {
        cli_error(values->command, "%s: %s", cli_text(values, from), err.text);
        status = err.status == SPN_ERROR_MEMORY ? CLI_FAILED : CLI_USAGE;
    }
    spn_problem_free(problem);
    return status;
}

void cli_describe_energy(json_t *settings, const cli_values *values, size_t sites)
{
    static const char *const options[] = {"energy", "patterns", "random", "graph",
                                          "table",  "minima",   "code",   "ball"};
    if (cli_is_planted(values))
        json_object_set_new(settings, "energy", json_string("planted"));
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
        if (cli_text(values, options[k]))
            json_object_set_new(settings, options[k], json_string(cli_text(values, options[k])));
    if (cli_given(values, "random"))
        json_object_set_new(settings, "teacher", json_boolean(cli_given(values, "teacher")));
    json_object_set_new(settings, "N", json_integer((json_int_t)sites));
}
