/* Uses an exported C header as somebody else would: reads samples of CSV, label last, from stdin,
   prints the name of the class of each. Compiled as C99 with all warnings by the tests;
   MODEL_HEADER is the header, exported under the name "model"; MODEL_BYTES says what the features
   are: 1 bytes, 2 whole numbers, 3 floats, 0 doubles. */
#include MODEL_HEADER

#include <stdio.h>
#include <string.h>

int main(void)
{
    static double real[model_features];
    model_score logits[model_classes];
    char label[256];
    for (;;) {
        for (int i = 0; i < model_features; i++)
            if (scanf("%lf,", &real[i]) != 1)
                return i == 0 ? 0 : 1;
        if (scanf("%255[^\n]", label) != 1)
            return 1;
#if MODEL_BYTES == 1
        static unsigned char bytes[model_features];
        for (int i = 0; i < model_features; i++)
            bytes[i] = (unsigned char)real[i];
        int best = model_predict_bytes(bytes, logits);
#elif MODEL_BYTES == 2
        static long whole[model_features];
        for (int i = 0; i < model_features; i++)
            whole[i] = (long)real[i];
        int best = model_predict_whole(whole, logits);
#elif MODEL_BYTES == 3
        static float single[model_features];
        for (int i = 0; i < model_features; i++)
            single[i] = (float)real[i];
        int best = model_predict(single, logits);
#else
        int best = model_predict(real, logits);
#endif
        for (int k = 0; k < model_classes; k++)
            if (logits[k] > logits[best] || (k < best && logits[k] == logits[best]))
                return 1;
        puts(model_class(best));
    }
}
