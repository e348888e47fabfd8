/* Colours of curves and heat maps. */
#include "report/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DISTINCT = 6 };

/* Okabe and Ito's, and the same a little lighter where they would be lost on a dark ground. */
static const char *const on_light[DISTINCT] = {"#0072b2", "#d55e00", "#009e73",
                                               "#cc79a7", "#b8860b", "#3b9fd9"};
static const char *const on_dark[DISTINCT] = {"#4fa8e0", "#f0803c", "#2fc79a",
                                              "#e39cc6", "#e8b93c", "#9fd4f7"};

/* viridis, at eighths */
static const unsigned char shades[9][3] = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                                           {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                                           {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};

const char *spn_heat_colour(char out[SPN_COLOUR], double share)
{
    const double place = fmin(fmax(share, 0), 1) * 8;
    const size_t k = place >= 8 ? 7 : (size_t)place;
    unsigned mixed[3];
    for (size_t c = 0; c < 3; c++)
        mixed[c] = (unsigned)lrint(shades[k][c] +
                                   (place - (double)k) * ((double)shades[k + 1][c] - shades[k][c]));
    snprintf(out, SPN_COLOUR, "#%02x%02x%02x", mixed[0] & 255, mixed[1] & 255, mixed[2] & 255);
    return out;
}

const char *spn_curve_colour(char out[SPN_COLOUR], size_t k, size_t count, bool dark)
{
    if (count <= DISTINCT)
        return strcpy(out, (dark ? on_dark : on_light)[k % DISTINCT]);
    /* the end that would be lost on the ground is left out */
    const double share = (double)k / (double)(count - 1) * 0.8;
    return spn_heat_colour(out, dark ? 0.2 + share : share);
}
