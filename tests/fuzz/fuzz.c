/* libFuzzer's entry, for the target that the build names. */
#include "targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SPN_FUZZ_TARGET(data, size);
    return 0;
}
