#include "support/texts.h"

spn_dataset *spn_test_text(void **state, const char *name, const char *text,
                           spn_read_options options)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *path = spn_scratch_text(state, name, text);
    assert_ok(spn_dataset_read(&d, path, NULL, &options, &err), err);
    return d;
}

void spn_test_text_fault(void **state, const char *name, const char *text, spn_read_options options,
                         const char *place, const char *what)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *path = spn_scratch_text(state, name, text);
    assert_error(spn_dataset_read(&d, path, NULL, &options, &err), &err, SPN_ERROR_INPUT, path,
                 place);
    assert_error(err.status, &err, SPN_ERROR_INPUT, place, what);
    assert_null(d);
}
