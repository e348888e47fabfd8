/* Objects from arrays in memory equal those from files, and structs of older and newer programs are
   taken as far as they go. */
#include "support/models.h"
#include "support/scratch.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

/* ---- structs that grow ---- */

/* A struct that ends without padding keeps what an older program leaves there out of new members.
 */
#define ENDS_WITH(type, member)                                                                    \
    _Static_assert(offsetof(type, member) + sizeof(((type *)0)->member) == sizeof(type), #type)

ENDS_WITH(spn_chain_options, proposed_count);
ENDS_WITH(spn_until, observe_seconds);
ENDS_WITH(spn_read_options, label_kind);
ENDS_WITH(spn_dataset_arrays, borrow);
ENDS_WITH(spn_model_arrays, packed);
ENDS_WITH(spn_energy_ops, plain_cache);
ENDS_WITH(spn_export_options, vote);
ENDS_WITH(spn_profile_options, distances);
ENDS_WITH(spn_fault_model, rows);
ENDS_WITH(spn_robustness_options, faults);
ENDS_WITH(spn_flip_target, row);
ENDS_WITH(spn_gap_options, max_iterations);
ENDS_WITH(spn_softmax_model, packed);
ENDS_WITH(spn_network_options, tied);
ENDS_WITH(spn_softmax_options, rounded);
ENDS_WITH(spn_softmax_details, class_weights);
ENDS_WITH(spn_annealing, start);
ENDS_WITH(spn_condition, log_kappa);
ENDS_WITH(spn_train_data, test);
ENDS_WITH(spn_train_options, device);

static spn_energy *small_energy(void)
{
    static const double energies[4] = {0, 1, 1, 3};
    spn_error err = {0};
    spn_problem *table;
    spn_energy *energy;
    assert_ok(spn_problem_table_create(&table, 2, energies, &err), err);
    assert_ok(spn_energy_create(&energy, "table", table, &err), err);
    spn_problem_free(table);
    return energy;
}

static void sizes_are_taken_as_they_are(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = small_energy();
    spn_sampler *chain;
    spn_snapshot s;
    struct {
        spn_chain_options options;
        double later;
    } newer = {.options = spn_chain_defaults(), .later = 5};
    newer.options.size = sizeof newer;
    newer.options.steps = 1;
    assert_ok(spn_chain_create(&chain, energy, &newer.options, &err), err);
    spn_sampler_free(chain);
    /* an older one ends before replicas, which is then the default */
    spn_chain_options older = spn_chain_defaults();
    older.replicas = 200;
    older.size = offsetof(spn_chain_options, replicas);
    assert_ok(spn_chain_create(&chain, energy, &older, &err), err);
    spn_chain_snapshot(&s, chain);
    assert_int_equal(s.replicas, 3);
    spn_sampler_free(chain);
    older.size = offsetof(spn_chain_options, run);
    older.replicas = 2;
    older.steps = 3;
    older.target = SPN_TARGET_ALL; /* beyond its end */
    older.target_energy = 100;
    assert_ok(spn_chain_create(&chain, energy, &older, &err), err);
    spn_stop stop;
    assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
    assert_int_equal(stop, SPN_STOP_STEPS);
    spn_chain_snapshot(&s, chain);
    assert_int_equal(s.replicas, 2);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

static void a_size_of_nothing_is_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = small_energy();
    const spn_chain_options chain = {0};
    const spn_read_options reading = {0};
    const spn_dataset_arrays arrays = {0};
    const spn_model_arrays model = {0};
    const spn_profile_options profile = {0};
    const int8_t spins[2] = {1, 1};
    spn_sampler *c;
    spn_dataset *d;
    spn_model *m;
    assert_error(spn_chain_create(&c, energy, &chain, &err), &err, SPN_ERROR_ARGUMENT,
                 "spn_chain_defaults()", "");
    assert_error(spn_dataset_read(&d, "nowhere", NULL, &reading, &err), &err, SPN_ERROR_ARGUMENT,
                 "spn_read_defaults()", "");
    assert_error(spn_dataset_create(&d, &arrays, &err), &err, SPN_ERROR_ARGUMENT,
                 "spn_dataset_arrays_defaults()", "");
    assert_error(spn_model_create(&m, &model, &err), &err, SPN_ERROR_ARGUMENT,
                 "spn_model_arrays_defaults()", "");
    assert_error(spn_profile_measure(NULL, NULL, energy, spins, &profile, &err), &err,
                 SPN_ERROR_ARGUMENT, "spn_profile_defaults()", "");
    assert_null(c);
    assert_null(d);
    assert_null(m);
    spn_energy_free(energy);
}

/* What the library fills stays within the memory of the caller. */
static void results_stay_within_their_size(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 6};
    unsigned char memory[2 * sizeof(spn_summary)];
    const spn_summary whole = spn_summarise(values, 4);
    memset(memory, 0xAA, sizeof memory);
    spn_summarise_sized((spn_summary *)(void *)memory, offsetof(spn_summary, half), values, 4);
    assert_memory_equal(memory, &whole, offsetof(spn_summary, half));
    assert_int_equal(memory[offsetof(spn_summary, half)], 0xAA);
    spn_summarise_sized((spn_summary *)(void *)memory, sizeof memory, values, 4);
    assert_memory_equal(memory, &whole, sizeof whole);
    for (size_t k = sizeof whole; k < sizeof memory; k++)
        assert_int_equal(memory[k], 0);
}

/* ---- datasets ---- */

static void datasets_equal_those_of_files(void **state)
{
    static const char text[] = "1,2,a\n3,255,b\n0,7,a\n", real[] = "1,2.5,a\n3,-1,b\n";
    static const double values[] = {1, 2, 3, 255, 0, 7}, reals[] = {1, 2.5, 3, -1};
    static const uint8_t bytes[] = {1, 2, 3, 255, 0, 7};
    static const uint32_t labels[] = {0, 1, 0};
    static const char *const names[] = {"a", "b"};
    spn_read_options how = spn_read_defaults();
    how.header = SPN_HEADER_NO;
    for (int variant = 0; variant < 3; variant++) {
        spn_error err = {0};
        spn_dataset *read, *made;
        spn_dataset_arrays a = spn_dataset_arrays_defaults();
        a.samples = variant == 2 ? 2 : 3;
        a.features = 2;
        a.values = variant == 0 ? values : variant == 2 ? reals : NULL;
        a.bytes = variant == 1 ? bytes : NULL;
        a.labels = labels;
        a.classes = 2;
        a.class_names = names;
        const char *path = spn_scratch_text(state, "d.csv", variant == 2 ? real : text);
        assert_ok(spn_dataset_read(&read, path, NULL, &how, &err), err);
        assert_ok(spn_dataset_create(&made, &a, &err), err);
        assert_int_equal(spn_dataset_checksum(made), spn_dataset_checksum(read));
        assert_int_equal(spn_dataset_bytes(made) != NULL, variant != 2);
        assert_int_equal(spn_dataset_bytes(made) != NULL, spn_dataset_values(made) == NULL);
        assert_string_equal(spn_dataset_class_names(made)[1], "b");
        assert_int_equal(spn_dataset_labels(made)[1], 1);
        assert_true(spn_dataset_value(made, 1, 1) == spn_dataset_value(read, 1, 1));
        spn_dataset_free(made);
        spn_dataset_free(read);
    }
}

static void check_refused(spn_dataset_arrays a, const char *part)
{
    spn_error err = {0};
    spn_dataset *d;
    assert_error(spn_dataset_create(&d, &a, &err), &err, SPN_ERROR_ARGUMENT, part, "");
    assert_null(d);
}

static void wrong_datasets_are_refused(void **state)
{
    (void)state;
    static const double values[] = {1, 2, NAN, 4};
    static const uint8_t bytes[] = {1, 2, 3, 4};
    static const uint32_t labels[] = {0, 2};
    static const char *const same[] = {"a", "a"};
    spn_dataset_arrays good = spn_dataset_arrays_defaults(), a;
    good.samples = good.features = 2;
    good.bytes = bytes;
    a = good;
    a.samples = 0;
    check_refused(a, "at least one sample");
    a = good;
    a.values = values;
    check_refused(a, "either bytes or values");
    a.bytes = NULL;
    check_refused(a, "feature 0 of sample 1 is not finite");
    a = good;
    a.labels = labels;
    check_refused(a, "classes");
    a.classes = 2;
    check_refused(a, "sample 1 is 2");
    a.classes = 3;
    a.class_names = (const char *const[]){"a", "", "c"};
    check_refused(a, "class 1 has no name");
    a = good;
    a.labels = (const uint32_t[]){0, 1};
    a.classes = 2;
    a.class_names = same;
    check_refused(a, "same name");
    a = good;
    a.width = 2;
    check_refused(a, "image");
    a = good;
    a.samples = SIZE_MAX / 2;
    check_refused(a, "at least one sample");
}

/* ---- problems ---- */

static void problems_equal_those_of_files(void **state)
{
    static const int8_t rows[] = {1, -1, 1, -1, -1, 1}, labels[] = {1, -1};
    static const spn_edge couplings[] = {{0, 1, 0.5}, {2, 2, -1}}, cut[] = {{0, 1, 2}, {1, 2, 1}};
    static const double energies[] = {0, 1, 2.5, -3};
    static const char *const texts[] = {"+1,-1,+1,+1\n-1,-1,+1,-1\n", "0 1 0.5\n2 2 -1\n",
                                        "3 2\n1 2 2\n2 3 1\n", "0 1\n2.5 -3\n", "+-+\n--+\n"};
    for (int kind = SPN_PROBLEM_PATTERNS; kind <= SPN_PROBLEM_STATES; kind++) {
        spn_error err = {0};
        spn_problem *read, *made = NULL;
        const char *path = spn_scratch_text(state, "p.txt", texts[kind]);
        assert_ok(spn_problem_read(&read, (spn_problem_kind)kind, path, &err), err);
        const spn_status status[] = {
            kind == SPN_PROBLEM_PATTERNS
                ? spn_problem_patterns_create(&made, 3, 2, rows, labels, &err)
                : SPN_OK,
            kind == SPN_PROBLEM_COUPLINGS
                ? spn_problem_couplings_create(&made, 3, 2, couplings, &err)
                : SPN_OK,
            kind == SPN_PROBLEM_CUT ? spn_problem_cut_create(&made, 3, 2, cut, &err) : SPN_OK,
            kind == SPN_PROBLEM_TABLE ? spn_problem_table_create(&made, 2, energies, &err) : SPN_OK,
            kind == SPN_PROBLEM_STATES ? spn_problem_states_create(&made, 3, 2, rows, &err)
                                       : SPN_OK};
        assert_ok(status[kind], err);
        assert_int_equal(made->kind, kind);
        assert_int_equal(made->sites, read->sites);
        assert_int_equal(made->count, read->count);
        const size_t count = read->count, sites = read->sites;
        if (read->rows)
            assert_memory_equal(made->rows, read->rows, count * sites);
        if (read->labels)
            assert_memory_equal(made->labels, read->labels, count);
        if (read->edges)
            assert_memory_equal(made->edges, read->edges, count * sizeof(spn_edge));
        if (read->energies)
            assert_memory_equal(made->energies, read->energies, count * sizeof(double));
        spn_problem_free(made);
        spn_problem_free(read);
    }
}

/* Borrowed arrays are those of the caller, as is what is made of them; they are checked like
   copies, and not freed. */
static void borrowed_arrays_are_not_copied(void **state)
{
    (void)state;
    static const int8_t rows[] = {1, -1, 1, -1, -1, 1}, labels[] = {1, -1}, wrong[] = {1, 0, 1};
    static const spn_edge edges[] = {{0, 1, 0.5}, {1, 2, -1}}, loop[] = {{1, 1, 1}};
    static const double energies[] = {0, 1, 2.5, -3}, reals[] = {1, 2.5, 3, -1};
    static const uint8_t bytes[] = {1, 2, 3, 255};
    spn_error err = {0};
    spn_problem *p;
    assert_ok(spn_problem_create(&p, SPN_PROBLEM_PATTERNS, 3, 2, rows, labels, true, &err), err);
    assert_ptr_equal(p->rows, rows);
    assert_ptr_equal(p->labels, labels);
    spn_problem_free(p);
    assert_ok(spn_problem_create(&p, SPN_PROBLEM_STATES, 3, 2, rows, NULL, true, &err), err);
    assert_ptr_equal(p->rows, rows);
    spn_problem_free(p);
    assert_ok(spn_problem_create(&p, SPN_PROBLEM_CUT, 3, 2, edges, NULL, true, &err), err);
    assert_ptr_equal(p->edges, edges);
    spn_problem_free(p);
    assert_ok(spn_problem_create(&p, SPN_PROBLEM_TABLE, 2, 4, energies, NULL, true, &err), err);
    assert_ptr_equal(p->energies, energies);
    spn_problem_free(p);
    assert_error(spn_problem_create(&p, SPN_PROBLEM_STATES, 3, 1, wrong, NULL, true, &err), &err,
                 SPN_ERROR_ARGUMENT, "state 0 has 0 at 1", "");
    assert_error(spn_problem_create(&p, SPN_PROBLEM_CUT, 3, 1, loop, NULL, true, &err), &err,
                 SPN_ERROR_ARGUMENT, "edge 0 joins site 1 to itself", "");
    assert_error(spn_problem_create(&p, SPN_PROBLEM_TABLE, 2, 3, energies, NULL, true, &err), &err,
                 SPN_ERROR_ARGUMENT, "a table has 1 to 40 spins", "");
    assert_error(spn_problem_create(&p, SPN_PROBLEM_PATTERNS, 3, 2, rows, NULL, true, &err), &err,
                 SPN_ERROR_ARGUMENT, "labels", "");
    assert_null(p);
    for (int whole = 0; whole < 3; whole++) {
        static const double small[] = {1, 2, 3, 255};
        spn_dataset_arrays a = spn_dataset_arrays_defaults();
        a.samples = a.features = 2;
        a.values = whole == 0 ? reals : whole == 1 ? small : NULL;
        a.bytes = whole == 2 ? bytes : NULL;
        a.borrow = 1;
        spn_dataset *borrowed, *copied, *part;
        assert_ok(spn_dataset_create(&borrowed, &a, &err), err);
        a.borrow = 0;
        assert_ok(spn_dataset_create(&copied, &a, &err), err);
        assert_int_equal(spn_dataset_values(borrowed) == reals, whole == 0);
        assert_int_equal(spn_dataset_bytes(borrowed) == bytes, whole == 2);
        assert_int_equal(spn_dataset_checksum(borrowed), spn_dataset_checksum(copied));
        assert_ok(spn_dataset_binarise(&part, borrowed, 2, &err), err);
        spn_dataset_free(part);
        spn_dataset_free(borrowed);
        spn_dataset_free(copied);
    }
}

static void wrong_problems_are_refused(void **state)
{
    (void)state;
    static const int8_t good[] = {1, -1}, bad[] = {1, 0};
    static const spn_edge loop[] = {{1, 1, 1}}, far[] = {{0, 2, 1}},
                          infinite[] = {{0, 1, INFINITY}};
    static const double energies[] = {0, NAN};
    spn_error err = {0};
    spn_problem *p;
    assert_error(spn_problem_patterns_create(&p, 2, 1, bad, good, &err), &err, SPN_ERROR_ARGUMENT,
                 "pattern 0 has 0 at 1", "");
    assert_error(spn_problem_patterns_create(&p, 1, 2, good, bad, &err), &err, SPN_ERROR_ARGUMENT,
                 "label 1", "");
    assert_error(spn_problem_states_create(&p, 0, 1, good, &err), &err, SPN_ERROR_ARGUMENT,
                 "0 spins", "");
    assert_error(spn_problem_couplings_create(&p, 2, 1, far, &err), &err, SPN_ERROR_ARGUMENT,
                 "edge 0 joins 0 and 2", "");
    assert_error(spn_problem_couplings_create(&p, 2, 1, infinite, &err), &err, SPN_ERROR_ARGUMENT,
                 "not finite", "");
    assert_error(spn_problem_cut_create(&p, 2, 1, loop, &err), &err, SPN_ERROR_ARGUMENT,
                 "to itself", "");
    assert_error(spn_problem_table_create(&p, 1, energies, &err), &err, SPN_ERROR_ARGUMENT,
                 "state 1", "");
    assert_error(spn_problem_table_create(&p, 64, energies, &err), &err, SPN_ERROR_ARGUMENT,
                 "1 to 40", "");
    assert_null(p);
}

/* ---- models ---- */

static void models_equal_those_of_files(void **state)
{
    static const int8_t weights[] = {1, -1, 1, 1, -1, -1, 1, 1};
    static const double shift[] = {0.5, 1}, scale[] = {2, -4};
    static const char *const names[] = {"no", "yes"};
    const char *path = spn_scratch_path(state, "m.spn");
    const spn_preprocess how = {.kind = SPN_PREPROCESS_FEATURE, .scale = 1};
    spn_error err = {0};
    spn_scaling *scaling;
    spn_model *made, *read;
    spn_model_arrays a = spn_model_arrays_defaults();
    assert_ok(spn_scaling_create(&scaling, 2, shift, scale, &err), err);
    a.classes = a.features = a.replicas = 2;
    a.class_names = names;
    a.preprocess = &how;
    a.scaling = scaling;
    a.logit_scale = 0.25;
    a.weights = weights;
    a.manifest = "{\"seed\": 3}";
    assert_ok(spn_model_create(&made, &a, &err), err);
    spn_scaling_free(scaling); /* everything is copied */
    assert_ok(spn_model_write(made, path, &err), err);
    assert_ok(spn_model_read(&read, path, &err), err);
    const spn_model *both[] = {made, read};
    for (size_t k = 0; k < 2; k++) {
        const spn_model *m = both[k];
        assert_int_equal(spn_model_classes(m), 2);
        assert_int_equal(spn_model_features(m), 2);
        assert_int_equal(spn_model_replicas(m), 2);
        assert_int_equal(spn_model_width(m) + spn_model_height(m), 0);
        assert_true(spn_model_logit_scale(m) == 0.25);
        assert_string_equal(spn_model_class_names(m)[1], "yes");
        assert_string_equal(spn_model_manifest(m), "{\"seed\": 3}");
        assert_int_equal(spn_model_preprocess(m)->kind, SPN_PREPROCESS_FEATURE);
        assert_memory_equal(spn_test_weights(m, 0), weights, sizeof weights);
        assert_memory_equal(spn_model_scaling(m)->shift, shift, sizeof shift);
        assert_memory_equal(spn_model_scaling(m)->scale, scale, sizeof scale);
        assert_int_equal(spn_model_scaling(m)->features, 2);
    }
    spn_model_free(made);
    spn_model_free(read);
}

static void models_have_defaults_and_limits(void **state)
{
    (void)state;
    static const int8_t weights[] = {1, -1, 1, 1}, bad[] = {1, 0, 1, 1};
    spn_error err = {0};
    spn_model *m;
    spn_model_arrays a = spn_model_arrays_defaults();
    a.classes = a.features = 2;
    a.weights = weights;
    assert_ok(spn_model_create(&m, &a, &err), err);
    assert_string_equal(spn_model_class_names(m)[1], "1");
    assert_string_equal(spn_model_manifest(m), "{}");
    assert_true(spn_model_scaling(m)->scale[1] == 1);
    spn_model_free(m);
    a.weights = bad;
    assert_error(spn_model_create(&m, &a, &err), &err, SPN_ERROR_ARGUMENT, "weight 1 is 0", "");
    a.weights = NULL;
    assert_error(spn_model_create(&m, &a, &err), &err, SPN_ERROR_ARGUMENT, "no weights", "");
    a.weights = weights;
    a.logit_scale = -1;
    assert_error(spn_model_create(&m, &a, &err), &err, SPN_ERROR_ARGUMENT, "logit scale", "");
    a.logit_scale = 1;
    a.classes = 1;
    assert_error(spn_model_create(&m, &a, &err), &err, SPN_ERROR_ARGUMENT, "classes", "");
}

/* ---- memory ---- */

static void null_is_freed(void **state)
{
    (void)state;
    spn_free(NULL);
    spn_free(malloc(10));
    spn_sampler_free(NULL);
    spn_schedule_free(NULL);
    spn_energy_free(NULL);
    spn_dataset_free(NULL);
    spn_scaling_free(NULL);
    spn_problem_free(NULL);
    spn_model_free(NULL);
    assert_non_null(strstr(spn_version(), SPN_VERSION));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_taken_as_they_are),
        cmocka_unit_test(a_size_of_nothing_is_refused),
        cmocka_unit_test(results_stay_within_their_size),
        scratch_test(datasets_equal_those_of_files),
        cmocka_unit_test(wrong_datasets_are_refused),
        scratch_test(problems_equal_those_of_files),
        cmocka_unit_test(borrowed_arrays_are_not_copied),
        cmocka_unit_test(wrong_problems_are_refused),
        scratch_test(models_equal_those_of_files),
        cmocka_unit_test(models_have_defaults_and_limits),
        cmocka_unit_test(null_is_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
