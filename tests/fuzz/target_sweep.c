/* The file of a sweep, sweep.json. */
#include "check.h"
#include "seal.h"
#include "targets.h"

#include "sweep/folder.h"

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

/* What was read can be written, and is the same when it is read again. */
static void check_again(const spn_sweep *sweep)
{
    spn_error err = {0};
    spn_sweep *again = NULL;
    char *text = spn_sweep_show(sweep), *same;
    require(text != NULL && sweep != NULL);
    char *json;
    require(spn_sweep_json(&json, sweep, &err) == SPN_OK);
    require(spn_sweep_from_text(&again, json, strlen(json), "again", &err) == SPN_OK);
    require((same = spn_sweep_show(again)) && strcmp(text, same) == 0);
    spn_sweep_free(again);
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
    check_error(status, &err, INPUT);
    if (sweep) {
        check_sweep(sweep);
        check_again(sweep);
    }
    spn_sweep_free(sweep);
    spn_source_unload(&file);
}
