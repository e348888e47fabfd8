/* The device that tests use. */
#ifndef SPN_TEST_DEVICES_H
#define SPN_TEST_DEVICES_H

#include "device/device.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

/* The first usable device. Skips the test if there is none; a library of devices that is there but
   of another build is a fault, not a reason to skip. */
static inline spn_device_choice spn_test_device(void)
{
    spn_error err = {0};
    spn_device_choice choice;
    if (spn_device_choose(&choice, "", &err)) {
        if (strstr(err.text, "is not of this version"))
            fail_msg("%s; build everything", err.text);
        printf("  skipped: %s\n", err.text);
        skip();
    }
    return choice;
}

#endif
