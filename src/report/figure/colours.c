/* Colours of curves and heat maps. */
#include "report/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DISTINCT = 6 };

/* Okabe and Ito's, and the same a little lighter where they would be lost on a dark ground. */
static const char *const on_light[DISTINCT] = {"#0072b2", "#d55e00", "#009e73",
                                               "#cc79a7", "#b8860b", "#3b9fd9"};
static const char *const on_dark[DISTINCT] = {"#4fa8e0", "#f0803c", "#2fc79a",
                                              "#e39cc6", "#e8b93c", "#9fd4f7"};

enum { SHADES = 9 };
typedef const unsigned char shades[SHADES][3];

/* At eighths: viridis for heat maps; plasma, whose neighbours differ more, for curves. */
static shades viridis = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                         {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                         {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};

static shades plasma = {{13, 8, 135},   {76, 2, 161},   {126, 3, 168},
                        {170, 35, 149}, {204, 71, 120}, {230, 108, 92},
                        {248, 149, 64}, {253, 197, 39}, {240, 249, 33}};

static const char *mix(char out[SPN_COLOUR], shades *of, double share)
{
    const double place = fmin(fmax(share, 0), 1) * (SHADES - 1);
    const size_t k = place >= SHADES - 1 ? SHADES - 2 : (size_t)place;
    unsigned mixed[3];
    for (size_t c = 0; c < 3; c++) {
        const double low = (*of)[k][c], high = (*of)[k + 1][c];
        mixed[c] = (unsigned)lrint(low + (place - (double)k) * (high - low));
    }
    snprintf(out, SPN_COLOUR, "#%02x%02x%02x", mixed[0] & 255, mixed[1] & 255, mixed[2] & 255);
    return out;
}

const char *spn_heat_colour(char out[SPN_COLOUR], double share)
{
    return mix(out, &viridis, share);
}

const char *spn_curve_colour(char out[SPN_COLOUR], size_t k, size_t count, bool dark)
{
    if (count <= DISTINCT)
        return strcpy(out, (dark ? on_dark : on_light)[k % DISTINCT]);
    /* the end that would be lost on the ground is left out */
    const double share = (double)k / (double)(count - 1);
    return mix(out, &plasma, dark ? 0.25 + 0.75 * share : 0.85 * share);
}
