/* Labelled data: samples of equal length, each with a class. A dataset is read once and then
   borrowed const by whoever needs it. How its features become the numbers a classifier sees is in
   <spinney/preprocess.h>. */
#ifndef SPINNEY_DATASET_H
#define SPINNEY_DATASET_H

#include <spinney/columns.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_dataset spn_dataset;

/* What a dataset holds. Arrays and texts belong to the dataset. All O(1). */
SPN_API size_t spn_dataset_samples(const spn_dataset *dataset);
SPN_API size_t spn_dataset_features(const spn_dataset *dataset);

/* The features, row by row: sample n starts at n * features. They are bytes (pixels, kept as they
   are in the file) or doubles; exactly one of the two is not NULL. */
SPN_API const uint8_t *spn_dataset_bytes(const spn_dataset *dataset);
SPN_API const double *spn_dataset_values(const spn_dataset *dataset);

/* Feature i of sample n, however it is stored. */
SPN_API double spn_dataset_value(const spn_dataset *dataset, size_t n, size_t i);

/* A class number 0..K-1 for each sample; NULL for data without labels. */
SPN_API const uint32_t *spn_dataset_labels(const spn_dataset *dataset);

/* The number K of classes, 0 without labels, and their names, as the labels stand in the file. */
SPN_API uint32_t spn_dataset_classes(const spn_dataset *dataset);
SPN_API const char *const *spn_dataset_class_names(const spn_dataset *dataset);

/* How much each sample counts in the loss of a classifier, a positive number; NULL where all count
   the same. */
SPN_API const double *spn_dataset_weights(const spn_dataset *dataset);

/* The sides of an image, if the samples are known to be images; else 0. */
SPN_API size_t spn_dataset_width(const spn_dataset *dataset);
SPN_API size_t spn_dataset_height(const spn_dataset *dataset);

/* How the columns of the file became features, to read further files by (spn_read_options.columns);
   NULL where they are plain numbers without names. It belongs to the dataset. */
SPN_API const spn_columns *spn_dataset_columns(const spn_dataset *dataset);

/* The name of feature i, such as "age" or "colour=red"; NULL where it has none. */
SPN_API const char *spn_dataset_feature_name(const spn_dataset *dataset, size_t i);

/* How many values are missing: NaN, until they are filled in. Only data that were read with
   SPN_MISSING_MEAN have such. Training fills them in; scalings, energies and evaluations refuse
   them. */
SPN_API size_t spn_dataset_missing(const spn_dataset *dataset);

/* The mean of each feature over the samples in which it is not missing. out: `features` numbers.
   Errors: INPUT, naming a feature that is missing in all of them. O(samples * features). */
SPN_API spn_status spn_dataset_means(double *out, const spn_dataset *dataset, spn_error *err);

/* A copy in which missing values are these, one for each feature. out: to be freed with
   spn_dataset_free. Errors: ARGUMENT for one that is not finite; MEMORY. */
SPN_API spn_status spn_dataset_fill(spn_dataset **out, const spn_dataset *dataset,
                                    const double *fills, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_dataset_free(spn_dataset *dataset);

/* What to make a dataset of; start from spn_dataset_arrays_defaults(). Everything is copied, unless
   borrow says otherwise. */
typedef struct spn_dataset_arrays {
    size_t size;                    /* of this struct */
    size_t samples, features;       /* at least 1 each */
    const uint8_t *bytes;           /* the features, row by row: these, */
    const double *values;           /* or these, finite */
    const uint32_t *labels;         /* below classes; NULL: no labels */
    size_t classes;                 /* 1 to SPN_MAX_CLASSES with labels, else 0 */
    const char *const *class_names; /* different and not empty; NULL: "0", "1", ... */
    size_t width, height;           /* of an image, width * height features; 0: none */
    /* How much each sample counts in the loss of a classifier (energies, evaluations, trainings): a
       sample of weight 2 is as good as two of it. Positive and finite; NULL, or all 1: the same */
    const double *weights;
    /* Not 0: do not copy bytes, nor values unless all are whole numbers from 0 to 255: they belong
       to the caller, and stay as they are as long as the data set lives (0) */
    size_t borrow;
} spn_dataset_arrays;

static inline spn_dataset_arrays spn_dataset_arrays_defaults(void)
{
    spn_dataset_arrays a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    return a;
}

/* Make a dataset of arrays in memory. It equals, checksum included, that of a file with the same
   content whose classes have the same numbers: values that are all integers 0..255 are kept as
   bytes. out: to be freed with spn_dataset_free; NULL on failure.
   Errors: ARGUMENT, naming sample and feature, or the class; MEMORY. O(samples * features + K^2).
 */
SPN_API spn_status spn_dataset_create(spn_dataset **out, const spn_dataset_arrays *arrays,
                                      spn_error *err);

/* ---- reading ---- */

/* The file formats. Each may be gzipped, whatever its name.
   IDX: unsigned bytes, images (3-D) or vectors (2-D), the labels in a second file.
   CSV: one sample per line, "quotes" where needed, separated by commas, semicolons or tabs; the
   label, any text, in any column. Columns of texts are categories (<spinney/columns.h>).
   NPY: versions 1.0 to 3.0, C or Fortran order, either byte order, f2 f4 f8 bool i1..i8 u1..u8, 2-D
   to 4-D; the labels in a second, 1-D file of integers, bool, floats that are integers, or texts.
   SVMLIGHT: "label index:value ...", indices ascending, from 0 if there is an index 0 and else from
   1; what is absent is 0, qid is passed over; the labels are integers, and +1 is the class "1".
   NPZ: arrays in a ZIP file, stored or deflated: x_train and y_train (with x_test and y_test),
   train_images and train_labels (with test_), X and y, data and target, images and labels, features
   and labels, data and labels, in any case; else a single array, or two of which one has a label
   for each sample of the other. */
typedef enum spn_format {
    SPN_FORMAT_AUTO = 0, /* by the content, and for text by the extension */
    SPN_FORMAT_IDX,
    SPN_FORMAT_CSV,
    SPN_FORMAT_NPY,
    SPN_FORMAT_SVMLIGHT,
    SPN_FORMAT_NPZ
} spn_format;

/* Where the labels are: a column of CSV (the other formats know their own place), or nowhere. */
typedef enum spn_label_place {
    SPN_LABELS_LAST = 0,
    SPN_LABELS_FIRST,
    SPN_LABELS_NONE /* the data has no labels; in svmlight they are passed over */
} spn_label_place;

/* Whether the first line of CSV names the columns. */
typedef enum spn_header {
    SPN_HEADER_AUTO =
        0, /* yes if a feature in it is not a number; an error where that is in doubt */
    SPN_HEADER_YES,
    SPN_HEADER_NO
} spn_header;

/* What stands between the columns of CSV. */
typedef enum spn_separator {
    SPN_SEPARATOR_AUTO = 0, /* what is as often in each of the first lines */
    SPN_SEPARATOR_COMMA,
    SPN_SEPARATOR_TAB,
    SPN_SEPARATOR_SEMICOLON
} spn_separator;

/* Of a file that holds a training and a test part, as NPZ may: which. */
typedef enum spn_data_part { SPN_DATA_TRAIN = 0, SPN_DATA_TEST } spn_data_part;

/* How to read; start from spn_read_defaults(), the usual way, for a training set. */
typedef struct spn_read_options {
    size_t size; /* of this struct */
    spn_format format;
    spn_label_place labels;
    spn_header header;
    uint32_t classes; /* of class_names */
    /* Data without labels is accepted: no second file, or CSV with exactly `features` columns, or
       svmlight whose first line starts with an index. For predictions. */
    bool labels_optional;
    /* All labels may be of one class. For test sets. */
    bool single_class;
    /* Features every sample must have; 0: what the file says. Svmlight is widened to it. */
    size_t features;
    /* Most bytes of a decompressed file, and of the features in memory; 0: 4 GiB. */
    size_t max_bytes;
    /* Where not NULL, the labels are mapped onto these `classes` names (spn_dataset_relabel). */
    const char *const *class_names;
    /* Columns of CSV are named by a header's name or by their number: from 1, or from -1 at the end
       backwards. A text that is a name is never taken as a number. */
    const char *label_column; /* in place of labels; NULL: as labels says */
    const char *drop;         /* columns to leave out, separated by commas; NULL: none */
    const char *categories;   /* columns to take as categories though they may hold numbers */
    spn_separator separator;
    spn_missing missing;
    /* Read by the recipe of another file: columns by name where both have headers, in any order,
       and others passed over; by position otherwise. It says what labels, drop, categories and
       missing leave open. NULL: find out. */
    const spn_columns *columns;
    spn_data_part part;
    /* Most categories of a column that `categories` does not name; 0: 100, and for more than 10
       half of the samples. A column of more is an error: it is rather a name or a date. */
    uint32_t most_categories;
} spn_read_options;

static inline spn_read_options spn_read_defaults(void)
{
    spn_read_options o;
    memset(&o, 0, sizeof o);
    o.size = sizeof o;
    return o;
}

/* Most classes that a data set may have. */
#define SPN_MAX_CLASSES 65536

/* Read a data set.
   out: the data set, to be freed with spn_dataset_free; NULL on failure.
   path: the file; "-" is the standard input.
   labels_path: the second file of IDX and NPY; NULL for the others, or where there are no labels.
   options: NULL for the defaults.
   Features that are all integers 0..255 are kept as bytes, others as doubles. Class names are
   sorted, by value if all are integers and by bytes otherwise, so that the digit d of MNIST is
   class d. Errors: SPN_ERROR_IO for a file that cannot be read; SPN_ERROR_INPUT for one that is cut
   short, malformed, empty, larger than max_bytes, holds infinities or, unless options say what to
   do about them, missing values, or has labels of one class only. No size in a header is trusted:
   each is held against the real size before memory is taken. Cost: time linear in the size of the
   file, which is in memory while it is read. */
SPN_API spn_status spn_dataset_read(spn_dataset **out, const char *path, const char *labels_path,
                                    const spn_read_options *options, spn_error *err);

/* The same for a file that may hold a test part of its own, as NPZ does; its classes are those of
   the training part. *out_test is NULL where there is none. */
SPN_API spn_status spn_dataset_read_parts(spn_dataset **out_train, spn_dataset **out_test,
                                          const char *path, const char *labels_path,
                                          const spn_read_options *options, spn_error *err);

/* The names of formats ("auto", "idx", "csv", "npy", "svmlight", "npz"), of places ("last",
   "first", "none"), of headers ("auto", "yes", "no") and of separators ("auto", "comma", "tab",
   "semicolon"), NULL past the last; and back. Errors: ARGUMENT, with the nearest name. */
SPN_NAMES(spn_format)
SPN_NAMES(spn_label_place)
SPN_NAMES(spn_header)
SPN_NAMES(spn_separator)

/* Rename the classes of a dataset onto a given list, such as that of a model, so that class numbers
   agree. On failure the dataset is unchanged.
   class_names: classes texts, copied; classes >= 1.
   name: how an error calls the data, usually its file.
   Errors: SPN_ERROR_INPUT, naming label and sample, for a label that is not in the list;
   SPN_ERROR_ARGUMENT for data without labels. Cost: O(samples + K * classes). */
SPN_API spn_status spn_dataset_relabel(spn_dataset *dataset, const char *const *class_names,
                                       uint32_t classes, const char *name, spn_error *err);

/* ---- data sets known by name ---- */

/* Open a data set by its name:
   "digits"   8x8 optical digits, values 0..16, part of the library. It has no test part of its own:
              one quarter is split off, stratified, seed SPN_DIGITS_SEED; 1346 and 451 samples.
   "mnist", "fashion"   28x28, 60000 and 10000 samples, from spn_data_folder()/NAME, where
              scripts/fetch-data puts the four IDX files (gzipped or not).
   out_train, out_test: to be freed with spn_dataset_free. out_test may be NULL.
   Errors: SPN_ERROR_ARGUMENT for an unknown name; SPN_ERROR_IO, saying how to fetch it, for one
   that is not there. */
SPN_API spn_status spn_dataset_open(spn_dataset **out_train, spn_dataset **out_test,
                                    const char *name, spn_error *err);

#define SPN_DIGITS_SEED 1

/* The names that spn_dataset_open knows, ending with NULL. */
SPN_API const char *const *spn_dataset_names(void);

/* The folder of fetched data: $SPINNEY_DATA, else $XDG_CACHE_HOME/spinney, else ~/.cache/spinney.
   out is to be freed with free(). */
SPN_API spn_status spn_data_folder(char **out, spn_error *err);

/* ---- parts ---- */

/* Random choices order the samples by mix(mix(seed) + index), mix being one step of SplitMix64
   (doi:10.1145/2714064.2660195): a choice depends on the seed and the number of samples alone. */

/* The given rows, in their order; a row may come more than once. Class names and image size are
   kept, even where a class has no sample left. rows: count numbers below dataset->samples;
   count >= 1. */
SPN_API spn_status spn_dataset_select(spn_dataset **out, const spn_dataset *dataset,
                                      const size_t *rows, size_t count, spn_error *err);

/* The first count samples; 1 <= count <= samples. */
SPN_API spn_status spn_dataset_first(spn_dataset **out, const spn_dataset *dataset, size_t count,
                                     spn_error *err);

/* count samples at random without repetition, in the order of the dataset; 1 <= count <= samples.
 */
SPN_API spn_status spn_dataset_sample(spn_dataset **out, const spn_dataset *dataset, size_t count,
                                      uint64_t seed, spn_error *err);

/* Split off a fraction, 0 < fraction < 1, at random; both parts keep the order of the dataset.
   out_rest, out_part: what is left, and the part split off, round(fraction * samples) of them.
   stratified: instead round(fraction * count) of every class; needs labels.
   Errors: SPN_ERROR_ARGUMENT where one part would be empty. Cost: O(samples log samples). */
SPN_API spn_status spn_dataset_split(spn_dataset **out_rest, spn_dataset **out_part,
                                     const spn_dataset *dataset, double fraction, uint64_t seed,
                                     bool stratified, spn_error *err);

/* ---- more of them ---- */

enum { SPN_MOST_SHIFTS = 8 };

/* Images and copies of them moved by one pixel: shifts 4: up, down, left, right; 8: also along both
   diagonals. What moves in is 0, what moves out is lost. First all images as they are, then all of
   them moved up, and so on. out: (shifts + 1) times the samples, to be freed with spn_dataset_free;
   NULL on failure. Errors: ARGUMENT (another number of shifts, samples that are no images), MEMORY.
   O((shifts + 1) * samples * features). */
SPN_API spn_status spn_dataset_shifted(spn_dataset **out, const spn_dataset *images, size_t shifts,
                                       spn_error *err);

/* ---- content ---- */

/* XXH3 (64 bits) of shape, features, labels, class names and weights: two datasets of equal content
   have the same checksum whatever file they came from. */
SPN_API uint64_t spn_dataset_checksum(const spn_dataset *dataset);

#ifdef __cplusplus
}
#endif
#endif
