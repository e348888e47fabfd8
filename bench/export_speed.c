/* Compiled by bench_export with the header that it exported: the speed of inference from bytes and
   from packed bits, fastest of several runs; fails where a class is not what it should be. C99. */
#include "model.h"

#include <stdio.h>
#include <time.h>

enum { IMAGES = 2000, ROUNDS = 10, RUNS = 7 };

static unsigned char images[IMAGES][model_features], classes[IMAGES];
static model_word packed[IMAGES][model_words];

static int read_all(const char *name, unsigned char *out, size_t size)
{
    FILE *file = fopen(name, "rb");
    const int good = file && fread(out, 1, size, file) == size;
    if (file)
        fclose(file);
    return good;
}

/* Images in a second of processor time; the number of wrong classes is added to *wrong. */
static double measure(int bits, long *wrong)
{
    double fastest = 1e9;
    for (int run = 0; run < RUNS; run++) {
        const clock_t start = clock();
        for (int round = 0; round < ROUNDS; round++)
            for (int n = 0; n < IMAGES; n++) {
                const int found = bits ? model_predict_bits(packed[n], NULL)
                                       : model_predict_bytes(images[n], NULL);
                *wrong += found != classes[n];
            }
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        fastest = seconds < fastest ? seconds : fastest;
    }
    return (double)IMAGES * ROUNDS / fastest;
}

int main(void)
{
    long wrong = 0;
    if (!read_all("images", &images[0][0], sizeof images) ||
        !read_all("classes", classes, sizeof classes))
        return 1;
    for (int n = 0; n < IMAGES; n++)
        model_pack_bytes(images[n], packed[n]);
    const double bytes = measure(0, &wrong), bits = measure(1, &wrong);
    printf("\"bytes\": %.0f, \"bits\": %.0f\n", bytes, bits);
    return wrong != 0;
}
