/* OpenCL as libspinney-device.so uses it. */
#ifndef SPN_OPENCL_H
#define SPN_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/device.h"

/* Fail with the name of a call and its error unless the code is CL_SUCCESS. */
spn_status spn_opencl_check(cl_int code, const char *call, spn_error *err);

/* Fail with the first line of what the compiler said. */
spn_status spn_opencl_fail_build(cl_program program, cl_device_id device, spn_error *err);

/* Device `number` of all platforms, in order. False if there are fewer. */
bool spn_opencl_device(cl_device_id *out, size_t number);

spn_status spn_opencl_list(spn_device_info *out, size_t most, size_t *count, spn_error *err);

spn_status spn_opencl_open(void **out, size_t number, spn_device_way way, const spn_words *words,
                           const spn_device_levels *levels, spn_error *err);
void spn_opencl_close(void *opened);
spn_status spn_opencl_put(void *opened, const spn_words *words, spn_error *err);
spn_status spn_opencl_get(void *opened, spn_words *words, spn_error *err);
spn_status spn_opencl_work(void *opened, const spn_device_work *work, spn_words *words,
                           uint64_t tallies[SPN_SLICES][2], spn_error *err);

spn_status spn_opencl_train_open(void **out, size_t number, const spn_whole *whole, size_t group,
                                 spn_error *err);
void spn_opencl_train_close(void *opened);
spn_status spn_opencl_train_work(void *opened, unsigned lane, spn_train_job *const *jobs,
                                 size_t count, spn_error *err);

/* words.cl, train.cl and src/energy/softmax/whole_math.h */
extern const uint8_t spn_words_kernels_data[], spn_words_tree_kernels_data[],
    spn_train_kernels_data[], spn_whole_math_data[];
extern const size_t spn_words_kernels_size, spn_words_tree_kernels_size, spn_train_kernels_size,
    spn_whole_math_size;

#endif
