// SPDX-License-Identifier: MIT
// Images in the formats PGM and PPM (P5, P6 with 8 bits), and comparisons, as NVIDIA's samples call them.
#ifndef RD_HELPER_IMAGE_H
#define RD_HELPER_IMAGE_H

#include "helper_string.h"

#include <cmath>
#include <vector>

// The bytes of an image, with 3 channels of PPM; empty where the file is none.
inline std::vector<unsigned char> rd_helper_load(const char *path, unsigned *width,
                                                 unsigned *height, unsigned *channels)
{
    std::vector<unsigned char> bytes;
    unsigned numbers[3], n = 0;
    char kind = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return bytes;
    bool good = fscanf(file, "P%c", &kind) == 1 && (kind == '5' || kind == '6');
    while (good && n < 3) {
        good = fscanf(file, " #%*[^\n]") != EOF && fscanf(file, "%u", &numbers[n]) == 1;
        n += good;
    }
    if (good && numbers[2] == 255 && fgetc(file) != EOF) {
        *width = numbers[0];
        *height = numbers[1];
        *channels = kind == '6' ? 3 : 1;
        bytes.resize((size_t)*width * *height * *channels);
        if (fread(bytes.data(), 1, bytes.size(), file) != bytes.size())
            bytes.clear();
    }
    fclose(file);
    return bytes;
}
// Memory of malloc(), unless there is some; of `channels`, of which the fourth is 0.
template <class T>
inline bool rd_helper_load_as(const char *path, T **data, unsigned *width, unsigned *height,
                              unsigned channels, T scale)
{
    unsigned has = 0;
    const std::vector<unsigned char> bytes = rd_helper_load(path, width, height, &has);
    if (bytes.empty() || (channels == 1 ? has != 1 : has != 3)) {
        fprintf(stderr, "'%s' is no image of this kind\n", path);
        return false;
    }
    const size_t n = bytes.size() / has;
    if (!*data)
        *data = (T *)malloc(n * channels * sizeof **data);
    for (size_t k = 0; k < n; k++)
        for (unsigned c = 0; c < channels; c++)
            (*data)[k * channels + c] = c < has ? (T)bytes[k * has + c] / scale : (T)0;
    return true;
}
template <class T> inline T rd_helper_scale()
{
    return (T)1;
}
template <> inline float rd_helper_scale()
{
    return 255.f;
}
template <class T>
inline bool sdkLoadPGM(const char *path, T **data, unsigned *width, unsigned *height)
{
    return rd_helper_load_as(path, data, width, height, 1, rd_helper_scale<T>());
}
template <class T>
inline bool sdkLoadPPM4(const char *path, T **data, unsigned *width, unsigned *height)
{
    return rd_helper_load_as(path, data, width, height, 4, rd_helper_scale<T>());
}
inline bool sdkLoadPPM4ub(const char *path, unsigned char **data, unsigned *width, unsigned *height)
{
    return sdkLoadPPM4(path, data, width, height);
}
template <class T>
inline bool rd_helper_save(const char *path, const T *data, unsigned width, unsigned height,
                           unsigned channels)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    fprintf(file, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', width, height);
    for (size_t k = 0; k < (size_t)width * height; k++)
        for (unsigned c = 0; c < (channels == 1 ? 1 : 3); c++)
            fputc((unsigned char)(data[k * channels + c] * rd_helper_scale<T>()), file);
    return fclose(file) == 0;
}
template <class T>
inline bool sdkSavePGM(const char *path, T *data, unsigned width, unsigned height)
{
    return rd_helper_save(path, data, width, height, 1);
}
inline bool sdkSavePPM4ub(const char *path, unsigned char *data, unsigned width, unsigned height)
{
    return rd_helper_save(path, data, width, height, 4);
}

// ---- comparisons ----

// Tells whether at most a share `threshold` of the elements differs by more than epsilon.
template <class T, class E>
inline bool compareData(const T *reference, const T *data, unsigned n, E epsilon, float threshold)
{
    unsigned wrong = 0;
    for (unsigned k = 0; k < n; k++)
        wrong += !(std::fabs((double)reference[k] - (double)data[k]) <= (double)epsilon);
    return threshold == 0 ? wrong == 0 : wrong <= n * threshold;
}
// Tells whether the norm of the difference is at most epsilon times that of the reference.
inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned n, float epsilon)
{
    double error = 0, norm = 0;
    for (unsigned k = 0; k < n; k++) {
        const double differ = (double)reference[k] - data[k];
        error += differ * differ;
        norm += (double)reference[k] * reference[k];
    }
    return norm > 0 && std::sqrt(error) < epsilon * std::sqrt(norm);
}
template <class T> inline bool sdkReadFile(const char *path, T **data, unsigned *n, bool)
{
    std::vector<T> all;
    double value;
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%lf", &value) == 1)
        all.push_back((T)value);
    if (file)
        fclose(file);
    if (all.empty())
        return false;
    if (!*data)
        *data = (T *)malloc(all.size() * sizeof **data);
    *n = (unsigned)all.size();
    memcpy(*data, all.data(), all.size() * sizeof **data);
    return true;
}

#endif
