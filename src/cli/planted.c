/* The energy `planted`, from generators on the command line or in a file. */
#include "cli/planted.h"

#include <spinney/energies.h>
#include <stdlib.h>
#include <string.h>

static int fail(const cli_values *values, const char *option, const spn_error *err)
{
    cli_error(values->command, "%s%s", option, err->text);
    return err->status == SPN_ERROR_MEMORY ? CLI_FAILED : CLI_USAGE;
}

static int no_memory(const cli_values *values)
{
    cli_error(values->command, "out of memory for a code");
    return CLI_FAILED;
}

/* A list such as 0111100,1011010: cut it up in place. */
static int from_list(spn_planted **out, char *list, size_t radius, const cli_values *values)
{
    const char **rows = calloc(strlen(list) + 1, sizeof *rows);
    size_t count = 0;
    if (!rows)
        return no_memory(values);
    for (char *next = list; next;) {
        rows[count++] = next;
        next = strchr(next, ',');
        if (next)
            *next++ = 0;
    }
    spn_error err = {0};
    spn_status status = spn_planted_create(out, rows, count, radius, &err);
    free(rows);
    return status ? fail(values, "--code, --ball: ", &err) : CLI_OK;
}

/* The states of a file as such a list: + is 1, - is 0. */
static char *list_of(const spn_problem *states)
{
    const size_t sites = spn_problem_sites(states), count = spn_problem_count(states);
    const size_t width = sites + 1;
    char *list = malloc(count * width + 1);
    if (!list)
        return NULL;
    for (size_t m = 0; m < count; m++) {
        for (size_t i = 0; i < sites; i++)
            list[m * width + i] = spn_problem_rows(states)[m * sites + i] > 0 ? '1' : '0';
        list[m * width + sites] = ',';
    }
    list[count * width - 1] = 0;
    return list;
}

int cli_make_planted(spn_planted **out, const cli_values *values)
{
    const char *code = cli_text(values, "code");
    uint64_t radius = 0;
    *out = NULL;
    if (!code || !cli_given(values, "ball"))
        return cli_error(values->command,
                         "--energy planted needs --code GENERATORS and --ball R, such as --code "
                         "0111100,1011010,1101001 --ball 1");
    if (!cli_whole(&radius, values, "ball", 0, SPN_EXACT_SITES))
        return CLI_USAGE;
    char *list;
    if (strspn(code, "0123456789,") == strlen(code)) {
        list = strdup(code);
    } else {
        spn_problem *states = NULL;
        spn_error err = {0};
        if (spn_problem_read(&states, SPN_PROBLEM_STATES, code, &err))
            return fail(values, "--code: ", &err);
        list = list_of(states);
        spn_problem_free(states);
    }
    const int status = list ? from_list(out, list, (size_t)radius, values) : no_memory(values);
    free(list);
    return status;
}

int cli_make_planted_energy(spn_energy **out, const cli_values *values)
{
    spn_planted *planted = NULL;
    const int status = cli_make_planted(&planted, values);
    if (!planted)
        return status;
    spn_problem *table = NULL;
    spn_error err = {0};
    spn_status failed = spn_problem_table_create(&table, planted->sites, planted->energy, &err);
    if (!failed)
        failed = spn_energy_create(out, "table", table, &err);
    spn_problem_free(table);
    spn_planted_free(planted);
    return failed ? fail(values, "", &err) : CLI_OK;
}
