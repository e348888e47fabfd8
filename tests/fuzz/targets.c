/* One function per reader: parse, check, free. */
#include "targets.h"

#include "data/parse.h"
#include "data/problem.h"
#include "model/model_format.h"
#include "record/manifest.h"
#include "sweep/jobs.h"
#include "sweep/spec.h"
#include "sweep/sweep_file.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/lab/sweep.h>
#include <spinney/network.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

/* Small, so that an input that asks for much memory is refused rather than slow. */
enum { MAX_BYTES = 1 << 20 };

static void require(bool promise)
{
    if (!promise)
        abort();
}

static void check_dataset(const spn_dataset *d)
{
    require(d->samples > 0 && d->features > 0);
    require((d->bytes != NULL) != (d->values != NULL));
    require((d->labels != NULL) == (d->classes > 0));
    for (size_t n = 0; d->labels && n < d->samples; n++)
        require(d->labels[n] < d->classes);
    for (uint32_t k = 0; k < d->classes; k++)
        require(d->class_names[k][0] != '\0');
    size_t missing = 0;
    for (size_t n = 0; n < d->samples; n++)
        for (size_t i = 0; i < d->features; i++) {
            const double value = spn_dataset_value(d, n, i);
            require(isfinite(value) || isnan(value));
            missing += isnan(value) != 0;
        }
    require(missing == d->missing);
    require(!d->columns || d->columns->features == d->features);
    (void)spn_dataset_checksum(d);
}

static spn_read_options options_of(spn_format format, uint8_t bits)
{
    return (spn_read_options){.size = sizeof(spn_read_options),
                              .format = format,
                              .labels = (spn_label_place)(bits % 3),
                              .header = (spn_header)(bits / 4 % 3),
                              .labels_optional = bits & 16,
                              .single_class = bits & 32,
                              .features = bits & 64 ? 3 : 0,
                              .max_bytes = MAX_BYTES};
}

/* What there is beyond the first byte's choices. */
static void choose_more(spn_read_options *options, uint8_t bits)
{
    options->separator = (spn_separator)(bits % 4);
    options->missing = (spn_missing)(bits / 4 % 3);
    options->drop = bits & 16 ? "1,x" : NULL;
    options->categories = bits & 32 ? "-2" : NULL;
    options->label_column = bits & 64 ? "y" : NULL;
    options->most_categories = bits & 128 ? 3 : 0;
}

/* The text form of what was read is read back. */
static spn_columns *copy_columns(const spn_columns *columns)
{
    spn_error err = {0};
    spn_columns *again;
    char *text, *same;
    require(spn_columns_to_text(&text, columns, &err) == SPN_OK);
    require(spn_columns_from_text(&again, text, strlen(text), "again", &err) == SPN_OK);
    require(spn_columns_to_text(&same, again, &err) == SPN_OK && strcmp(text, same) == 0);
    free(text);
    free(same);
    return again;
}

/* A file read by its own recipe is the same. */
static void read_again(const spn_dataset *d, const spn_source *source, const spn_source *labels,
                       const spn_read_options *options)
{
    spn_error err = {0};
    spn_dataset *same;
    spn_read_options how = *options;
    spn_columns *columns = copy_columns(d->columns);
    how.columns = columns;
    how.features = d->features;
    how.header = columns->header ? SPN_HEADER_YES : SPN_HEADER_NO;
    how.label_column = how.drop = how.categories = NULL;
    how.labels = d->labels ? SPN_LABELS_LAST : SPN_LABELS_NONE;
    const spn_status status = spn_dataset_parse(&same, source, labels, &how, &err);
    require(status == SPN_OK && spn_dataset_checksum(same) == spn_dataset_checksum(d));
    spn_dataset_free(same);
    spn_columns_free(columns);
}

/* Each file is copied to memory of exactly its size, so that a read beyond it is caught. */
static spn_source copy_of(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    require(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    return (spn_source){"input", copy, size, copy};
}

static void parse(spn_source *source, spn_source *labels, const spn_read_options *options)
{
    spn_dataset *d;
    spn_error err = {0};
    spn_status status = spn_dataset_parse(&d, source, labels, options, &err);
    require((status == SPN_OK) == (d != NULL));
    if (status == SPN_OK)
        check_dataset(d);
    else
        require(err.status == status && err.text[0] && !strchr(err.text, '\n'));
    if (status == SPN_OK && d->columns)
        read_again(d, source, labels, options);
    spn_dataset_free(d);
}

static void fuzz_one_file(spn_format format, const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_read_options options = options_of(format, data[0]);
    const size_t more = data[0] & 128 && size > 1;
    if (more)
        choose_more(&options, data[1]);
    spn_source source = copy_of(data + 1 + more, size - 1 - more);
    parse(&source, NULL, &options);
    spn_source_unload(&source);
}

static void fuzz_two_files(spn_format format, const uint8_t *data, size_t size)
{
    if (size < 3)
        return;
    spn_read_options options = options_of(format, data[0]);
    options.missing = (spn_missing)options.header;
    size_t split = (size_t)data[1] | (size_t)data[2] << 8;
    if (split > size - 3)
        split = size - 3;
    spn_source labels = copy_of(data + 3, split);
    spn_source source = copy_of(data + 3 + split, size - 3 - split);
    parse(&source, data[0] & 128 ? NULL : &labels, &options);
    spn_source_unload(&labels);
    spn_source_unload(&source);
}

void spn_fuzz_csv(const uint8_t *data, size_t size)
{
    fuzz_one_file(SPN_FORMAT_CSV, data, size);
}

void spn_fuzz_svmlight(const uint8_t *data, size_t size)
{
    fuzz_one_file(SPN_FORMAT_SVMLIGHT, data, size);
}

void spn_fuzz_idx(const uint8_t *data, size_t size)
{
    fuzz_two_files(SPN_FORMAT_IDX, data, size);
}

void spn_fuzz_npy(const uint8_t *data, size_t size)
{
    fuzz_two_files(SPN_FORMAT_NPY, data, size);
}

/* Put the right checksums into the list of a ZIP file's stored members. */
static void seal_zip(const spn_source *file)
{
    for (size_t at = 0; at + 46 <= file->size; at++) {
        uint8_t *entry = file->owned + at;
        if (memcmp(entry, "PK\1\2", 4) != 0 || entry[10] != 0)
            continue;
        const size_t size = spn_get_u32(entry + 20), head = spn_get_u32(entry + 42);
        if (head + 30 > file->size)
            continue;
        const size_t names =
            (size_t)entry[28] + (file->owned[head + 28] | file->owned[head + 29] << 8);
        const size_t start = head + 30 + names;
        if (start <= file->size && size <= file->size - start)
            spn_put_u32(entry + 16, (uint32_t)crc32(0, file->owned + start, (uInt)size));
    }
}

void spn_fuzz_npz(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_read_options options = options_of(SPN_FORMAT_NPZ, data[0]);
    options.missing = (spn_missing)options.header;
    options.part = data[0] & 128 ? SPN_DATA_TEST : SPN_DATA_TRAIN;
    spn_source source = copy_of(data + 1, size - 1);
    (void)spn_npz_has_test(&source);
    parse(&source, NULL, &options);
    seal_zip(&source);
    parse(&source, NULL, &options);
    spn_source_unload(&source);
}

void spn_fuzz_columns(const uint8_t *data, size_t size)
{
    spn_source file = copy_of(data, size);
    spn_columns *columns;
    spn_error err = {0};
    const spn_status status =
        spn_columns_from_text(&columns, (const char *)file.data, file.size, "input", &err);
    require((status == SPN_OK) == (columns != NULL));
    if (status == SPN_OK)
        spn_columns_free(copy_columns(columns));
    else
        require(err.status == status && err.text[0] && !strchr(err.text, '\n'));
    spn_columns_free(columns);
    spn_source_unload(&file);
}

/* ---- problems ---- */

static void check_edges(const spn_problem *p)
{
    require(isfinite(spn_problem_offset(p)));
    for (size_t e = 0; e < spn_problem_count(p); e++) {
        const spn_edge *edge = &spn_problem_edges(p)[e];
        require(edge->i < spn_problem_sites(p) && edge->j < spn_problem_sites(p));
        require(isfinite(edge->weight));
        require(spn_problem_kind_of(p) != SPN_PROBLEM_CUT || edge->i != edge->j);
    }
}

static void check_problem(const spn_problem *p)
{
    const size_t sites = spn_problem_sites(p), count = spn_problem_count(p);
    require(sites > 0);
    for (size_t k = 0; spn_problem_rows(p) && k < sites * count; k++)
        require(spn_problem_rows(p)[k] == 1 || spn_problem_rows(p)[k] == -1);
    for (size_t k = 0; spn_problem_labels(p) && k < count; k++)
        require(spn_problem_labels(p)[k] == 1 || spn_problem_labels(p)[k] == -1);
    for (size_t k = 0; spn_problem_energies(p) && k < count; k++)
        require(isfinite(spn_problem_energies(p)[k]) && count == (size_t)1 << sites);
    for (size_t i = 0; spn_problem_name(p, 0) && i < sites; i++)
        require(spn_problem_name(p, i)[0] != '\0');
    if (spn_problem_edges(p))
        check_edges(p);
}

/* An energy of what was read: made, or refused with a text. Few spins, to be quick. */
static void check_energy(const spn_problem *p)
{
    spn_energy *energy;
    spn_error err = {0};
    int8_t spins[64];
    const bool cut = spn_problem_kind_of(p) == SPN_PROBLEM_CUT;
    if (spn_problem_sites(p) > sizeof spins)
        return;
    memset(spins, 1, sizeof spins);
    spn_status status = spn_energy_create(&energy, cut ? "maxcut" : "qubo", p, &err);
    require((status == SPN_OK) == (energy != NULL));
    require(status ? err.text[0] != '\0' : isfinite(spn_energy_value(energy, spins)));
    spn_energy_free(energy);
}

static void fuzz_problem(spn_problem_kind kind, spn_graph_format format, const uint8_t *data,
                         size_t size)
{
    spn_source source = copy_of(data, size);
    spn_problem_options options = spn_problem_options_defaults();
    spn_problem *problem;
    spn_error err = {0};
    options.format = format;
    spn_status status = spn_problem_parse(&problem, kind, &source, &options, &err);
    require((status == SPN_OK) == (problem != NULL));
    if (problem)
        check_problem(problem);
    else
        require(err.status == status && err.text[0] && !strchr(err.text, '\n'));
    if (problem && (kind == SPN_PROBLEM_COUPLINGS || kind == SPN_PROBLEM_CUT))
        check_energy(problem);
    spn_problem_free(problem);
    spn_source_unload(&source);
}

void spn_fuzz_graph(const uint8_t *data, size_t size)
{
    if (size > 0)
        fuzz_problem(data[0] & 1 ? SPN_PROBLEM_CUT : SPN_PROBLEM_COUPLINGS,
                     (spn_graph_format)(data[0] / 2 % (SPN_GRAPH_DENSE + 1)), data + 1, size - 1);
}

void spn_fuzz_problem(const uint8_t *data, size_t size)
{
    static const spn_problem_kind kinds[] = {SPN_PROBLEM_PATTERNS, SPN_PROBLEM_TABLE,
                                             SPN_PROBLEM_STATES};
    if (size > 0)
        fuzz_problem(kinds[data[0] % 3], SPN_GRAPH_AUTO, data + 1, size - 1);
}

/* ---- models ---- */

static void check_model(const spn_model *m)
{
    require(m->classes >= 2 && m->features > 0 && m->replicas > 0 && m->manifest);
    require(m->width * m->height == 0 || m->width * m->height == m->features);
    require(m->logit_scale > 0 && m->scaling->features > 0);
    for (uint32_t k = 0; k < m->classes; k++)
        require(m->class_names[k][0] != '\0');
    for (size_t i = 0; i < m->scaling->features; i++)
        require(isfinite(m->scaling->shift[i]) && m->scaling->scale[i] != 0);
    require(m->hidden <= SPN_MOST_HIDDEN && (m->hidden > 0 || m->hidden_bias == 0));
    for (size_t j = 0; j < m->replicas * spn_model_sites(m); j++)
        require(m->weights[j] == 1 || m->weights[j] == -1);
    for (size_t a = 0; m->train_losses && a < m->replicas; a++)
        require(isfinite(m->train_losses[a]));
}

/* Put the right checksums into a file whose sizes fit, as no fuzzer could by chance. */
static void seal(uint8_t *data, size_t size)
{
    spn_model_head head;
    spn_model_layout layout;
    if (size < SPN_MODEL_HEAD_SIZE)
        return;
    spn_model_get_head(&head, data, size);
    if (spn_model_layout_of(&layout, &head) && layout.total == size)
        spn_model_seal(data, &layout);
    else
        spn_put_u64(data + SPN_MODEL_HEAD_SIZE - SPN_MODEL_SUM_SIZE, spn_model_head_sum(data));
}

void spn_fuzz_model(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_source file = copy_of(data + 1, size - 1);
    if (data[0] & 1)
        seal(file.owned, file.size);
    spn_model *model;
    spn_error err = {0};
    spn_status status = spn_model_parse(&model, file.data, file.size, file.name, &err);
    require((status == SPN_OK) == (model != NULL));
    if (status == SPN_OK)
        check_model(model);
    else
        require(err.status == status && err.text[0] && !strchr(err.text, '\n'));
    spn_model_free(model);
    spn_source_unload(&file);
}

/* ---- sweeps ---- */

static void check_status(spn_status status, const spn_error *err)
{
    if (status != SPN_OK)
        require(err->status == status && err->text[0] && !strchr(err->text, '\n'));
}

/* Each line with its checksum behind it. */
static spn_source with_checks(const uint8_t *data, size_t size)
{
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    require(stream != NULL);
    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t line = end ? (size_t)(end - data) : size;
        fwrite(data, 1, line, stream);
        fprintf(stream, ",\"check\":\"%016llx\"}\n", (unsigned long long)XXH3_64bits(data, line));
        data += line + (end != NULL);
        size -= line + (end != NULL);
    }
    fclose(stream);
    return (spn_source){"input", (uint8_t *)text, length, (uint8_t *)text};
}

/* What was read can be written, and is the same when it is read again. */
static void check_record(const spn_record *record)
{
    spn_error err = {0};
    spn_record again;
    char *line;
    size_t size;
    bool same;
    require(spn_record_line_write(&line, &size, record, &err) == SPN_OK);
    require(spn_record_line_read(&again, line, size - 1, (spn_line_place){"again", 1}, &err) ==
            SPN_OK);
    require(spn_record_same(&same, record, &again, &err) == SPN_OK && same);
    spn_record_clear(&again);
    free(line);
}

void spn_fuzz_manifest(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    spn_source file = data[0] & 1 ? with_checks(data + 1, size - 1) : copy_of(data + 1, size - 1);
    spn_manifests manifests = {0};
    spn_error err = {0};
    spn_status status =
        spn_manifests_add(&manifests, (const char *)file.data, file.size, "input", &err);
    if (!status)
        status = spn_manifests_unify(&manifests, &err);
    check_status(status, &err);
    for (size_t k = 0; k < manifests.count; k++)
        check_record(&manifests.lines[k].record);
    spn_manifests_clear(&manifests);
    spn_source_unload(&file);
}

static void check_sweep(const spn_sweep *sweep)
{
    require(sweep->name && sweep->task && sweep->version);
    for (size_t k = 0; k < sweep->fixed_count; k++)
        require(sweep->fixed[k].name && sweep->fixed[k].text);
    for (size_t k = 0; k < sweep->axis_count; k++)
        require(sweep->axes[k].setting && sweep->axes[k].count > 0 && sweep->axes[k].values[0]);
    for (size_t k = 0; k < sweep->figure_count; k++)
        require(sweep->figures[k].name && sweep->figures[k].x && sweep->figures[k].value);
}

/* A file of format 2 gets the right checksum, as no fuzzer could by chance; others stay. */
static spn_source with_check(const uint8_t *data, size_t size)
{
    json_t *root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    char *text = root && spn_sweep_seal(root) ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text ? (spn_source){"input", (uint8_t *)text, strlen(text), (uint8_t *)text}
                : copy_of(data, size);
}

/* What was read can be written, and is the same when it is read again. */
static void check_again(const spn_sweep *sweep)
{
    spn_error err = {0};
    spn_sweep *again;
    char *text = spn_sweep_show(sweep), *same;
    require(text != NULL && sweep != NULL);
    json_t *root = spn_sweep_json(sweep, &err);
    require(root != NULL);
    char *json = json_dumps(root, JSON_COMPACT);
    require(json && spn_sweep_from_text(&again, json, strlen(json), "again", &err) == SPN_OK);
    require((same = spn_sweep_show(again)) && strcmp(text, same) == 0);
    spn_sweep_free(again);
    json_decref(root);
    free(json);
    free(same);
    free(text);
}

void spn_fuzz_sweep(const uint8_t *data, size_t size)
{
    spn_source file = with_check(data, size);
    spn_sweep *sweep;
    spn_error err = {0};
    spn_status status =
        spn_sweep_from_text(&sweep, (const char *)file.data, file.size, "input", &err);
    require((status == SPN_OK) == (sweep != NULL));
    check_status(status, &err);
    if (sweep) {
        check_sweep(sweep);
        check_again(sweep);
    }
    spn_sweep_free(sweep);
    spn_source_unload(&file);
}

/* ---- specifications ---- */

static void check_specification(const spn_sweep *s)
{
    const spn_task *task = spn_task_find(s->task);
    require(s->name && s->name[0] && task && s->runs > 0);
    require(spn_sweep_jobs(s) > 0 && spn_sweep_jobs(s) <= SPN_SWEEP_MOST_JOBS);
    for (size_t k = 0; k < s->fixed_count; k++)
        require(spn_setting_find(task->settings, s->fixed[k].name) && s->fixed[k].text);
    for (size_t k = 0; k < s->axis_count; k++)
        for (size_t j = 0; j < s->axes[k].count; j++)
            require(s->axes[k].values[j] != NULL);
    for (size_t k = 0; k < s->figure_count; k++)
        require(s->figures[k].name && s->figures[k].value && s->figures[k].x);
    spn_job job;
    require(spn_sweep_job(&job, s, spn_sweep_jobs(s) - 1, NULL) == SPN_OK);
    spn_job_clear(&job);
}

/* What is shown of a specification is one, of the same sweep. */
static void check_shown(const spn_sweep *sweep)
{
    spn_spec spec = {.file = "shown"};
    spn_error err = {0};
    spn_sweep *again;
    char *text = spn_sweep_show(sweep), *same;
    require(text != NULL);
    require(spn_spec_read(&again, &spec, text, strlen(text), NULL, 0, &err) == SPN_OK);
    require((same = spn_sweep_show(again)) && strcmp(text, same) == 0);
    spn_sweep_free(again);
    spn_spec_clear(&spec);
    free(same);
    free(text);
}

void spn_fuzz_spec(const uint8_t *data, size_t size)
{
    spn_source file = copy_of(data, size);
    const char *const set[] = {"runs=2", "seed=3", "gamma=0.5"};
    spn_spec spec = {.file = "input"};
    spn_sweep *sweep;
    spn_error err = {0};
    spn_status status = spn_spec_read(&sweep, &spec, (const char *)file.data, file.size, set,
                                      size % 2 ? 3 : 0, &err);
    require((status == SPN_OK) == (sweep != NULL));
    if (status == SPN_OK) {
        check_specification(sweep);
        check_shown(sweep);
    } else {
        require(err.status == status && err.text[0] && !strchr(err.text, '\n'));
    }
    spn_sweep_free(sweep);
    spn_spec_clear(&spec);
    spn_source_unload(&file);
}
