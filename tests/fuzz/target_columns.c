/* The text form of columns, which models hold. */
#include "check.h"
#include "targets.h"

#include "data/columns.h"

/* The text form of what was read is read back. */
spn_columns *copy_columns(const spn_columns *columns)
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
    check_error(status, &err, INPUT);
    spn_columns_free(columns);
    spn_source_unload(&file);
}
