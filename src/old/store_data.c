/* The labelled data of a sweep, read once. */
#include "old/store.h"

#include <spinney/words.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* The settings that say what is read and how. */
static const char *const data_settings[] = {"data",   "labels",       "test",   "test-labels",
                                            "format", "label-column", "header", NULL};
enum { DATA_SETTINGS = 7 };

/* A data set that was read; the next in the list. */
struct spn_data_entry {
    spn_data_entry *next;
    char *texts[DATA_SETTINGS]; /* of data_settings; NULL: not given */
    spn_dataset *train, *test;
};

static void entry_free(spn_data_entry *e)
{
    for (size_t k = 0; k < DATA_SETTINGS; k++)
        free(e->texts[k]);
    spn_dataset_free(e->train);
    spn_dataset_free(e->test);
    free(e);
}

void xpn_store_free_data(xpn_task_store *store)
{
    while (store->data) {
        spn_data_entry *next = store->data->next;
        entry_free(store->data);
        store->data = next;
    }
}

/* ---- reading ---- */

bool xpn_data_is_known(const char *name)
{
    for (const char *const *known = spn_dataset_names(); *known; known++)
        if (strcmp(name, *known) == 0)
            return true;
    return false;
}

static uint64_t checksum(const spn_dataset *train, const spn_dataset *test)
{
    const uint64_t sums[] = {spn_dataset_checksum(train), test ? spn_dataset_checksum(test) : 0};
    return XXH3_64bits(sums, sizeof sums);
}

static spn_status open_known(spn_data_entry *e, const xpn_task_store *store, xpn_values *values,
                             spn_error *err)
{
    static const char *const others[] = {"labels", "test", "test-labels", NULL};
    const char *name = xpn_values_text(values, "data");
    spn_error why = {0};
    for (size_t k = 0; others[k]; k++)
        if (xpn_values_given(values, others[k]))
            return xpn_values_fail(values, others[k], err,
                                   "goes with a file; the data set %s has parts of its own", name);
    if (spn_dataset_open(&e->train, &e->test, name, &why))
        return xpn_values_blame(values, "data", &why, err);
    return store->sweep ? xpn_store_compare(store, checksum(e->train, e->test), values, "data", err)
                        : SPN_OK;
}

spn_status xpn_data_settings(spn_read_options *out, xpn_values *values, spn_error *err)
{
    static const char *const places[] = {"last", "first", NULL};
    static const char *const headers[] = {"auto", "yes", "no", NULL};
    const char *format = xpn_values_text(values, "format");
    int place = 0, header = 0;
    spn_error why = {0};
    if (format && spn_format_parse(&out->format, format, &why))
        return xpn_values_blame(values, "format", &why, err);
    spn_status status = xpn_values_choice(&place, values, "label-column", places, err);
    if (!status)
        status = xpn_values_choice(&header, values, "header", headers, err);
    out->labels = (spn_label_place)place;
    out->header = (spn_header)header;
    return status;
}

static spn_status no_such_data(xpn_values *values, const char *name, const char *path,
                               spn_error *err)
{
    const char *nearest = spn_nearest_of(name, spn_dataset_names());
    if (strcmp(name, "-") == 0)
        return xpn_values_fail(values, "data", err,
                               "the standard input cannot be read for every run; give a file");
    if (nearest)
        return xpn_values_fail(values, "data", err,
                               "'%s' is neither a file nor a data set; did you mean %s?", name,
                               nearest);
    return xpn_values_fail(values, "data", err,
                           "'%s' is neither a data set (digits, mnist, fashion) nor a file: there "
                           "is no %s",
                           name, path);
}

/* Read the file of one setting with the labels of another. */
static spn_status read_one(spn_dataset **out, const xpn_task_store *store, xpn_values *values,
                           const char *setting, const char *labels_setting,
                           const spn_read_options *options, spn_error *err)
{
    const char *labels_name = xpn_values_given(values, labels_setting);
    char *path = xpn_task_store_path(store, xpn_values_text(values, setting));
    char *labels = labels_name ? xpn_task_store_path(store, labels_name) : NULL;
    spn_error why = {0};
    spn_status status;
    if (!path || (labels_name && !labels))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the data");
    else if (strcmp(setting, "data") == 0 && access(path, F_OK) != 0)
        status = no_such_data(values, xpn_values_text(values, "data"), path, err);
    else if ((status = spn_dataset_read(out, path, labels, options, &why)))
        xpn_values_blame(values, setting, &why, err);
    free(path);
    free(labels);
    if (!status)
        status = xpn_store_verify(store, values, setting, err);
    return status ? status : xpn_store_verify(store, values, labels_setting, err);
}

/* The test file takes width and classes from the training file. */
static spn_status read_files(spn_data_entry *e, const xpn_task_store *store, xpn_values *values,
                             spn_error *err)
{
    spn_read_options options = spn_read_defaults();
    spn_status status = xpn_data_settings(&options, values, err);
    if (!status)
        status = read_one(&e->train, store, values, "data", "labels", &options, err);
    if (status)
        return status;
    if (!xpn_values_given(values, "test"))
        return xpn_values_given(values, "test-labels")
                   ? xpn_values_fail(values, "test-labels", err, "goes with test")
                   : SPN_OK;
    options.single_class = true;
    options.features = e->train->features;
    options.class_names = (const char *const *)e->train->class_names;
    options.classes = e->train->classes;
    return read_one(&e->test, store, values, "test", "test-labels", &options, err);
}

static bool copy_texts(spn_data_entry *e, const xpn_values *values)
{
    for (size_t k = 0; k < DATA_SETTINGS; k++) {
        const char *text = xpn_values_text(values, data_settings[k]);
        if (text && !(e->texts[k] = strdup(text)))
            return false;
    }
    return true;
}

static bool same_texts(const spn_data_entry *e, const xpn_values *values)
{
    for (size_t k = 0; k < DATA_SETTINGS; k++) {
        const char *text = xpn_values_text(values, data_settings[k]);
        if (!text != !e->texts[k] || (text && strcmp(text, e->texts[k]) != 0))
            return false;
    }
    return true;
}

static spn_status add_entry(spn_data_entry **out, const xpn_task_store *store, xpn_values *values,
                            spn_error *err)
{
    spn_data_entry *e = calloc(1, sizeof *e);
    spn_status status = SPN_OK;
    if (!e || !copy_texts(e, values))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the data");
    else
        status = xpn_data_is_known(xpn_values_text(values, "data"))
                     ? open_known(e, store, values, err)
                     : read_files(e, store, values, err);
    if (status && e)
        entry_free(e);
    *out = status ? NULL : e;
    return status;
}

/* Who comes while another reads the same data waits for it. */
spn_status xpn_task_store_data(const spn_dataset **train, const spn_dataset **test,
                               xpn_task_store *store, xpn_values *values, spn_error *err)
{
    spn_status status = SPN_OK;
    pthread_mutex_lock(&store->mutex);
    spn_data_entry *e = store->data;
    while (e && !same_texts(e, values))
        e = e->next;
    if (!e && !(status = add_entry(&e, store, values, err))) {
        e->next = store->data;
        store->data = e;
    }
    pthread_mutex_unlock(&store->mutex);
    *train = e ? e->train : NULL;
    *test = e ? e->test : NULL;
    return status;
}

/* However it is read: the settings that say how are for files. */
spn_status xpn_task_store_checksum(uint64_t *out, xpn_task_store *store, const char *name,
                                   spn_error *err)
{
    const spn_field field = {.name = "data", .text = (char *)name};
    xpn_values values = {.count = 1, .fields = &field};
    const spn_dataset *train = NULL, *test = NULL;
    pthread_mutex_lock(&store->mutex);
    for (const spn_data_entry *e = store->data; e && !train; e = e->next)
        if (e->texts[0] && strcmp(e->texts[0], name) == 0) {
            train = e->train;
            test = e->test;
        }
    pthread_mutex_unlock(&store->mutex);
    spn_status status = train ? SPN_OK : xpn_task_store_data(&train, &test, store, &values, err);
    if (status)
        return status;
    *out = checksum(train, test);
    return SPN_OK;
}
