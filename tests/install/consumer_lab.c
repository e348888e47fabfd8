/* A program outside the tree that uses libspinney-lab, and libspinney through it: it writes a
   trace, reads it back, and says which version it runs. */
#include <spinney/lab/lab.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_trace(const char *path, spn_error *err)
{
    double energy[2] = {-1, 3}, best[2] = {-2, 0.1};
    spn_trace_row row = {.step = 7, .beta = 0.5, .energy = energy, .best = best};
    spn_trace_writer *writer = NULL;
    if (spn_trace_create(&writer, path, 2, err))
        return EXIT_FAILURE;
    spn_trace_add(writer, &row);
    return spn_trace_finish(writer, err) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int read_trace(const char *path, spn_error *err)
{
    spn_columns *columns = NULL;
    if (spn_columns_read(&columns, path, err))
        return EXIT_FAILURE;
    size_t best = spn_columns_find(columns, "best_2");
    int good = columns->rows == 1 && best < columns->columns && columns->values[best][0] == 0.1;
    spn_columns_free(columns);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    spn_error err = {0};
    if (argc != 2 || write_trace(argv[1], &err) || read_trace(argv[1], &err)) {
        fprintf(stderr, "consumer_lab: %s\n", err.text);
        return EXIT_FAILURE;
    }
    puts(spn_version());
    return strncmp(spn_version(), SPN_VERSION, strlen(SPN_VERSION)) ? EXIT_FAILURE : EXIT_SUCCESS;
}
