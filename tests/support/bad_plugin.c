/* Plug-ins that are refused: one fault each, chosen when it is compiled. */
#include <spinney/plugin.h>

static double energy(const void *problem, const int8_t *spins)
{
    (void)problem;
    return spins[0];
}

static int create(spn_plugin_problem *out, const spn_plugin_request *request, char *message,
                  size_t message_size)
{
    (void)request;
    out->sites = 3;
#ifdef BAD_MESSAGE
    memset(message, '\n', message_size); /* no end, no line */
    memcpy(message, "two\nlines", 9);
    return -1;
#else
    (void)message;
    (void)message_size;
#ifdef BAD_CREATE
    return 1;
#else
    return 0;
#endif
#endif
}

static const spn_energy_ops ops = {.size = sizeof(spn_energy_ops),
                                   .name = "bad",
#ifdef BAD_OPS
                                   .attach = NULL
#else
                                   .energy = energy
#endif
};

#ifdef NO_TABLE
const spn_energy_plugin another_name;
const void *used[] = {&ops, (const void *)create, (const void *)energy};
#else
#ifdef BAD_OPS
const void *used[] = {(const void *)energy};
#endif
const spn_energy_plugin spinney_energy = {
#ifdef BAD_SIZE
    .size = sizeof(spn_energy_plugin) - sizeof(void *),
#else
    .size = sizeof(spn_energy_plugin),
#endif
#ifdef BAD_VERSION
    .version = SPN_PLUGIN_VERSION + 1,
#else
    .version = SPN_PLUGIN_VERSION,
#endif
    .ops = &ops,
#ifndef BAD_TABLE
    .create = create
#endif
};
#ifdef BAD_TABLE
const void *used[] = {(const void *)create};
#endif
#endif
