/* spinney convert: write a problem in another format, with fixed variables and a presolve. */
#include "cli/options.h"
#include "job/inputs.h"

static const char *const formats[] = {"auto", "lp", "qplib", "coo", "cnf", "wcnf", NULL};

const spn_setting cli_convert_options[] = {
    SPN_HEADING("Problem"),
    CLI_WORD("problem-format", "FORMAT", "auto", formats,
             "format of the file; auto is by content, then by name"),
    CLI_TEXT("fix", "NAME=VALUE,...", NULL, "give these variables a value"),
    CLI_FLAG("presolve", "fix the variables and leave out the constraints that presolve decides; "
                         "every best state stays one"),
    SPN_HEADING("Output"),
    CLI_FILE("out", "FILE", "-", "file to write; - is the standard output"),
    CLI_WORD("format", "FORMAT", "auto", formats,
             "format to write; auto is by the name of `out` (.coo, .cnf, .wcnf), else lp"),
    CLI_FLAG("quiet", "do not say what was written"),
    {.name = NULL}};

const char cli_convert_details[] =
    "Reads a problem with constraints in any format of anneal --problem and writes it in another.\n"
    "Read again it has the same variables, constraints and values. What a format cannot hold is "
    "an\n"
    "error that names it; then there is no file.\n";

const char cli_convert_examples[] = "  spinney convert clauses.cnf --out clauses.lp\n"
                                    "  spinney convert plan.lp --fix a=1 --presolve\n"
                                    "  spinney convert sum.coo --out sum.lp\n";

static int say(const cli_values *values, const spn_program *p)
{
    if (!cli_flag(values, "quiet"))
        fprintf(stderr, "spinney convert: %s: %zu variables, %zu constraints\n",
                cli_text(values, "out"), spn_program_variables(p), spn_program_constraints(p));
    return CLI_OK;
}

/* Put what presolve makes of a problem in its place. */
static spn_status presolve(spn_program **p, spn_error *err)
{
    spn_program *before = *p;
    const spn_status status = spn_program_presolve(p, before, err);
    spn_program_free(before);
    return status;
}

static int convert(spn_program **p, const cli_values *values)
{
    spn_program_files from = spn_program_files_defaults(), to = from;
    spn_error err = {0};
    int format;
    cli_value(&format, values, "problem-format");
    from.format = (spn_program_format)format;
    cli_value(&format, values, "format");
    to.format = (spn_program_format)format;
    if (spn_program_read(p, values->arguments[0], &from, &err) ||
        spn_program_fix_texts(*p, cli_text(values, "fix"), &err) ||
        (cli_flag(values, "presolve") && presolve(p, &err)) ||
        spn_program_write(*p, cli_text(values, "out"), &to, &err))
        return cli_fail(values, &err);
    return say(values, *p);
}

int cli_convert(const cli_values *values)
{
    spn_program *program = NULL;
    const int status = convert(&program, values);
    spn_program_free(program);
    return status;
}
