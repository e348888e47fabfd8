/* Settings: what can be set of a task, described once, in a table. From the table come the options
   of a command and its help, the keys of a sweep and of --set, the errors with the nearest word,
   the settings in JSON and in records, the man page, the completion and the reference in docs/.

   A setting is always given as a text. Its kind says how the text is read, by one parser for all,
   and the C type of its value in the task's plan, a struct into which the table points. */
#ifndef SPINNEY_LAB_SETTING_H
#define SPINNEY_LAB_SETTING_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spn_setting_kind {
    SPN_SETTING_WHOLE, /* uint64_t: 300000, 1e6 */
    SPN_SETTING_REAL,  /* double: 0.5, 1e-3 */
    SPN_SETTING_FLAG,  /* bool: true or false; on the command line the name alone is true */
    SPN_SETTING_WORD,  /* int: the number of one of its words */
    SPN_SETTING_RANGE, /* const char *: numbers joined by colons, START or START:END */
    SPN_SETTING_TEXT,  /* const char * */
    SPN_SETTING_LIST,  /* const char *: a text in which commas have a meaning of their own */
    SPN_SETTING_FILE,  /* const char *: a file to be read, or one of its words in place of it */
    SPN_SETTING_WHOLES /* const char *: a whole number, or several joined by commas; a comma between
                          the values of an axis is none of these */
} spn_setting_kind;

/* What a setting is to the identity of a run. Without a flag it is part of the key of a run, of its
   seed, and of what a checkpoint must agree with. */
enum {
    SPN_SETTING_EFFORT = 1,   /* never changes a result, such as threads: no part of any of them */
    SPN_SETTING_MEASURE = 2,  /* what is measured after a run: of the key, not of the seed, so that
                                 the same run can be measured in another way */
    SPN_SETTING_SEED = 4,     /* the seed: a sweep makes one for each run from its own */
    SPN_SETTING_INFINITE = 8, /* of a REAL: inf is a value */
    SPN_SETTING_COUNT = 16,   /* of a FILE: a whole number is a count, and no file of that name */
    SPN_SETTING_PLUGIN = 32,  /* of a FILE: a shared object, told from its words by a slash in its
                                 name or .so at its end; or an object of the caller's, by a @ at its
                                 start (spn_inputs_give) */
    SPN_SETTING_COMMON = 64   /* one of those that most people need: --help shows it */
};

typedef struct spn_setting spn_setting;
struct spn_setting {
    const char *name; /* NULL: a heading, which is the help; or a group */
    spn_setting_kind kind;
    unsigned flags;
    const char *argument;     /* what stands for its value in the help, such as START[:END] */
    const char *unit;         /* such as "steps"; NULL: none */
    const char *fallback;     /* its text where none is given; NULL: none */
    const char *otherwise;    /* in words, where there is no fallback: what is done without it */
    double least, most;       /* of numbers; both 0: any */
    const char *const *words; /* of WORD and FILE, ended by NULL; or */
    const char *(*word)(size_t i); /* word i, NULL past the last */
    size_t at;                     /* offset of its value in the plan, or of the group's struct */
    const char *help;  /* one line, of which --help shows what comes before the first semicolon;
                          names  of settings stand in backticks */
    const char *label; /* of an axis of a figure; NULL: the name, with blanks */
    const spn_setting *group; /* the rows of another table in place of this one */
};

#define SPN_HEADING(text)                                                                          \
    {                                                                                              \
        .help = (text)                                                                             \
    }

/* A walk over the rows of a table, those of its groups included. */
enum { SPN_SETTING_DEPTH = 4 };
typedef struct spn_setting_walk {
    struct {
        const spn_setting *next;
        size_t at;
    } level[SPN_SETTING_DEPTH];
    size_t depth;
    const spn_setting *setting; /* the row: a setting, or a heading where it has no name */
    size_t at;                  /* where its value is in the plan */
} spn_setting_walk;

SPN_API spn_setting_walk spn_setting_walk_start(const spn_setting *table);
/* Go to the next row; false past the last. */
SPN_API bool spn_setting_walk_next(spn_setting_walk *walk);
/* The same, headings passed over. */
SPN_API bool spn_setting_walk_named(spn_setting_walk *walk);

/* The setting of a table that is called so, or NULL. */
SPN_API const spn_setting *spn_setting_find(const spn_setting *table, const char *name);

/* Word i of a setting, or NULL. */
SPN_API const char *spn_setting_word(const spn_setting *setting, size_t i);

/* Whether a text of a setting with the flag PLUGIN is none of its words by its look. */
SPN_API bool spn_setting_is_plugin(const char *text);

/* Whether a text is one of its words. */
SPN_API bool spn_setting_is_word(const spn_setting *setting, const char *text);

/* Whether a text of a FILE setting is a count in place of a file. */
SPN_API bool spn_setting_is_count(const spn_setting *setting, const char *text);

/* Read a text as the setting's kind says: into *out, of the C type of the kind; out may be NULL, to
   check it only. Texts are borrowed. Errors: ARGUMENT; the text starts with "NAME: ". */
SPN_API spn_status spn_setting_read(void *out, const spn_setting *setting, const char *text,
                                    spn_error *err);

/* One way to write each value: 0.1 for .1 and 1e-1, 1000000 for 1e6, true for yes. To be freed;
   NULL when there is no memory. The text need not be valid. */
SPN_API char *spn_setting_canonical(const spn_setting *setting, const char *text);

/* Fail with "NAME: ...", the way in which every error about a setting begins. */
SPN_API spn_status spn_setting_fail(const char *name, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Errors and remedies name settings in backquotes, `missing` or with a value `missing mean`, so
   that each surface can say them in its own words. Copy a text with each of these said by `say`,
   which writes into at most `size` bytes; value: NULL if there is none. Returns out. */
typedef void spn_setting_sayer(char *out, size_t size, const char *name, const char *value);
SPN_API const char *spn_setting_phrase(char *out, size_t size, const char *text,
                                       spn_setting_sayer *say);

/* Put "NAME: " before an error that a function of the library has given. */
SPN_API spn_status spn_setting_blame(const char *name, const spn_error *why, spn_error *err);

/* Fail because there is no such setting; owner is what should have it. The text names the nearest.
 */
SPN_API spn_status spn_setting_unknown(const spn_setting *table, const char *owner,
                                       const char *name, spn_error *err);

#ifdef __cplusplus
}
#endif
#endif
