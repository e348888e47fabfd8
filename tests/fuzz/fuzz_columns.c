#include "targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    spn_fuzz_columns(data, size);
    return 0;
}
