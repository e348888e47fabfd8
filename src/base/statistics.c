/* Means and their intervals. */
#include <spinney/statistics.h>

#include <math.h>

double spn_student_quantile(size_t degrees)
{
    static const double small[] = {12.70620, 4.30265, 3.18245, 2.77645, 2.57058,
                                   2.44691,  2.36462, 2.30600, 2.26216, 2.22814};
    if (degrees <= 10)
        return small[degrees > 0 ? degrees - 1 : 0];
    /* Cornish and Fisher's expansion about the normal quantile (Abramowitz & Stegun 26.7.5) */
    const double x = 1.959963984540054, n = (double)degrees, x2 = x * x;
    const double g1 = (x2 + 1) * x / 4, g2 = ((5 * x2 + 16) * x2 + 3) * x / 96;
    const double g3 = (((3 * x2 + 19) * x2 + 17) * x2 - 15) * x / 384;
    const double g4 = ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) * x / 92160;
    return x + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

spn_summary spn_summarise(const double *values, size_t count)
{
    spn_summary out = {.mean = NAN, .deviation = NAN, .half = NAN, .least = NAN, .most = NAN};
    double sum = 0, squares = 0;
    for (size_t k = 0; k < count; k++) {
        if (isnan(values[k]))
            continue;
        out.count++;
        sum += values[k];
        out.least = fmin(out.least, values[k]);
        out.most = fmax(out.most, values[k]);
    }
    if (out.count == 0)
        return out;
    out.mean = sum / (double)out.count;
    for (size_t k = 0; k < count; k++)
        if (!isnan(values[k]))
            squares += (values[k] - out.mean) * (values[k] - out.mean);
    if (out.count < 2)
        return out;
    out.deviation = sqrt(squares / (double)(out.count - 1));
    out.half = spn_student_quantile(out.count - 1) * out.deviation / sqrt((double)out.count);
    return out;
}
