/* spinney report: figures, tables and page of the folder of a sweep. */
#include "base/memory.h"
#include "cli/options.h"

#include <spinney/lab/folder_call.h>
#include <spinney/lab/report.h>
#include <string.h>

const spn_setting cli_report_options[] = {
    SPN_HEADING("Input"),
    CLI_TEXT("where", "COND", NULL,
             "only runs that meet a condition, such as 'gamma<=3.2'; the operators are = != < <= > "
             ">=. May be repeated"),
    SPN_HEADING("Output"),
    CLI_FILE("out", "FILE", NULL, "the page (default: report.html in the folder)"),
    CLI_FILE("figures", "FOLDER", NULL,
             "folder of the figures; it is created (default: figures in the sweep's folder)"),
    CLI_FLAG("no-pictures", "write scripts and data, but do not draw with gnuplot"),
    CLI_FLAG("static", "use pictures instead of interactive charts"),
    CLI_FLAG("quiet", "do not list the files"),
    {.name = NULL}};

const char cli_report_details[] = "Each figure of the sweep becomes NAME.svg, NAME.pdf and "
                                  "NAME.png (NAME-heat.svg and so on for heat\n"
                                  "maps), with gnuplot's script NAME.gp and the numbers NAME.csv; "
                                  "each table becomes NAME.md. The page\n"
                                  "is one file that needs no network. The sweep may still be "
                                  "running. In place of a folder, a file\n"
                                  "with join: [...] and figures: [...] reports on several folders "
                                  "(docs/experiments.md); it goes to\n"
                                  "records/NAME by default.\n";

const char cli_report_examples[] =
    "  spinney report records/gamma\n"
    "  spinney report records/gamma -o gamma.html --figures figures\n"
    "  spinney report records/gamma --where 'gamma<=0.5' -o part.html --figures part\n";

static void print_line(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static void print_file(void *context, const char *path)
{
    const cli_values *values = context;
    if (!cli_flag(values, "quiet"))
        printf("wrote %s\n", path);
}

static bool is_about(const spn_error *err, const char *path)
{
    return err->status == SPN_ERROR_IO && strncmp(err->text, path, strlen(path)) == 0;
}

/* If the default place cannot be written, say how to choose another. */
static int fail_to_write(const cli_values *values, const spn_error *err, const char *page,
                         const char *figures)
{
    const bool page_given = cli_given(values, "out"), figures_given = cli_given(values, "figures");
    const char *remedy = NULL;
    if (!figures_given && is_about(err, figures))
        remedy = page_given ? "--figures FOLDER puts the figures elsewhere"
                            : "--figures FOLDER and -o FILE write elsewhere";
    else if (!page_given && is_about(err, page))
        remedy = "-o FILE puts the page elsewhere";
    if (!remedy)
        return cli_fail(values, err);
    spn_error told = {.status = err->status};
    snprintf(told.text, sizeof told.text, "%.*s; %s", (int)(sizeof told.text - strlen(remedy) - 3),
             err->text, remedy);
    return cli_fail(values, &told);
}

static int write_report(const cli_values *values, const spn_records *records, const char *page,
                        const char *figures)
{
    const size_t jobs = spn_sweep_jobs(records->sweep);
    spn_report_options options = {.page = page,
                                  .figures = figures,
                                  .pictures = !cli_flag(values, "no-pictures"),
                                  .still = cli_flag(values, "static"),
                                  .told = print_line,
                                  .wrote = print_file,
                                  .context = (void *)values};
    if (options.pictures && !spn_report_can_draw()) {
        cli_error(values->command, "gnuplot is not installed (Debian: gnuplot-nox): no pictures, "
                                   "but their scripts and data are written");
        options.pictures = false;
    }
    if (records->count < jobs)
        printf("%zu of %zu runs are finished\n", records->count, jobs);
    spn_error err = {0};
    const char *where[CLI_MAX_GIVEN];
    const size_t count = cli_texts(where, values, "where");
    if (spn_report_restrict(records->sweep, where, count, &err))
        return cli_fail(values, &err);
    if (spn_report_write(records, &options, &err))
        return fail_to_write(values, &err, page, figures);
    return cli_flush(values->command);
}

int cli_report(const cli_values *values)
{
    const char *argument = values->arguments[0];
    spn_error err = {0};
    spn_records *records;
    if (spn_folder_read(&records, argument, &err))
        return cli_fail(values, &err);
    char *own =
        records->sweep->joined_count > 0 ? spn_text_new("records/%s", records->sweep->name) : NULL;
    const char *folder = own ? own : argument;
    char *page = spn_text_new("%s/report.html", folder),
         *figures = spn_text_new("%s/figures", folder);
    int status = CLI_FAILED;
    if (records->count == 0)
        status = cli_error(values->command,
                           "%s: no run is finished yet; there is nothing to report", folder);
    else if (!page || !figures)
        status = cli_no_memory(values->command);
    else
        status =
            write_report(values, records, cli_given(values, "out") ? cli_text(values, "out") : page,
                         cli_given(values, "figures") ? cli_text(values, "figures") : figures);
    SPN_FREE_ALL(page, figures, own);
    spn_records_free(records);
    return status;
}
