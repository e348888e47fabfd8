/* One call of <spinney/lab/folder_call.h>, as a binding makes it, for the tests of faults:
     folder_calls KIND PATH [OUT]
   KIND: parse (a specification in JSON), sweep (one, into OUT), list, groups, csv, curve, doubts,
   figures, report (into OUT; PATH is a folder). Prints what came out. */
#include "sweep/folder.h"
#include <spinney/lab/folder_call.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const where[] = {"gamma>=0", "replicas<9"};
static const char *const slip[] = {"gamma=77"};

static spn_status read_file(char **out, const char *path, spn_error *err)
{
    enum { MOST = 1 << 16 };
    FILE *file = fopen(path, "r");
    char *text = file ? calloc(1, MOST) : NULL;
    const size_t size = text ? fread(text, 1, MOST - 1, file) : 0;
    const bool whole = file && !ferror(file) && size > 0;
    if (file)
        fclose(file);
    *out = text;
    if (file && !text)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory");
    return whole ? SPN_OK : spn_fail(err, SPN_ERROR_IO, "%s: %m", path);
}

static spn_status run(char **out, const char *path, const char *folder, spn_error *err)
{
    char *text = NULL;
    spn_sweep *sweep = NULL;
    spn_status status = read_file(&text, path, err);
    if (!status)
        status = spn_sweep_parse_json(&sweep, text, path, NULL, 0, err);
    if (!status && folder)
        status = spn_folder_sweep(out, sweep, folder, path, 1, NULL, NULL, err);
    else if (!status && !(*out = spn_sweep_show(sweep)))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory");
    spn_sweep_free(sweep);
    free(text);
    return status;
}

static spn_status look(char **out, const char *kind, const char *path, const char *to,
                       spn_error *err)
{
    spn_records *records;
    spn_status status = spn_folder_read(&records, path, err);
    if (status)
        return status;
    if (strcmp(kind, "list") == 0 || strcmp(kind, "groups") == 0)
        status = spn_folder_json(out, records, where, 2, NULL, NULL, kind[0] == 'l', err);
    else if (strcmp(kind, "csv") == 0)
        status = spn_folder_csv(out, records, where, 2, "run,gamma,best_energy", NULL, err);
    else if (strcmp(kind, "curve") == 0)
        status = spn_folder_csv(out, records, where, 2, NULL, "profile", err);
    else if (strcmp(kind, "doubts") == 0)
        status = spn_folder_doubts(out, records, slip, 1, err);
    else if (strcmp(kind, "figures") == 0)
        status = spn_folder_figures(out, records, where, 2, err);
    else
        status = spn_folder_report(out, records, "energy", where, 2, NULL, to, false, false, err);
    spn_records_free(records);
    return status;
}

int main(int argc, char **argv)
{
    spn_error err = {0};
    char *text = NULL;
    if (argc < 3)
        return 2;
    const char *kind = argv[1], *to = argc > 3 ? argv[3] : NULL;
    const bool runs = strcmp(kind, "parse") == 0 || strcmp(kind, "sweep") == 0;
    const spn_status status =
        runs ? run(&text, argv[2], to, &err) : look(&text, kind, argv[2], to, &err);
    if (status) {
        fprintf(stderr, "spinney: %s%s\n", err.text, text ? ", with a result" : "");
        return text ? 3 : 1;
    }
    const bool written = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    free(text);
    if (!written)
        fprintf(stderr, "spinney: the standard output: %m\n");
    return written ? 0 : 1;
}
