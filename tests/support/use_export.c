/* Uses an exported C header as somebody else would: reads samples of CSV, label last, from stdin,
   prints the name of the class of each. Compiled as C99 with all warnings by the tests;
   MODEL_HEADER is the header, exported under the name "model"; MODEL_BYTES says what the features
   are: 1 bytes, 2 whole numbers, 3 floats, 4 bytes packed into bits, 0 doubles. MODEL_SCORES: print
   the scores, which are whole, before it. */
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
#elif MODEL_BYTES == 4
        static unsigned char bytes[model_features];
        static model_word bits[model_words];
        for (int i = 0; i < model_features; i++)
            bytes[i] = (unsigned char)real[i];
        model_pack_bytes(bytes, bits);
        int best = model_predict_bits(bits, logits);
#else
        int best = model_predict(real, logits);
#endif
        for (int k = 0; k < model_classes; k++)
            if (logits[k] > logits[best] || (k < best && logits[k] == logits[best]))
                return 1;
#ifdef MODEL_SCORES
        for (int k = 0; k < model_classes; k++)
            printf("%ld ", logits[k]);
#endif
        puts(model_class(best));
    }
}
