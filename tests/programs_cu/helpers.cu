// SPDX-License-Identifier: MIT
// What NVIDIA's samples have of their own, where a file is given without it: each line that is printed ends in "ok", or is a
// fault of the simulator's.
#include <cstdio>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

static int failures;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        bool holds = (condition);                                                                  \
        failures += !holds;                                                                        \
        printf("%s: %s\n", #condition, holds ? "ok" : "WRONG");                                    \
    } while (0)

// A shader, which has a main function of its own.
#define STRINGIFY(text) #text
static const char shader[] = STRINGIFY(void main() { color = 1; });

static void options()
{
    const char *words[] = {"program", "-size=12", "--verbose", "-file=a.txt", "-scale=0.5"};
    char *text = nullptr;
    float scale = 1;
    CHECK(checkCmdLineFlag(5, words, "size") && checkCmdLineFlag(5, words, "Verbose"));
    CHECK(!checkCmdLineFlag(5, words, "siz") && !checkCmdLineFlag(5, words, "program"));
    CHECK(getCmdLineArgumentInt(5, words, "size") == 12);
    CHECK(getCmdLineArgumentInt(5, words, "verbose") == 0);
    CHECK(getCmdLineArgumentString(5, words, "file", &text) && strcmp(text, "a.txt") == 0);
    CHECK(getCmdLineArgumentValue(5, words, "scale", &scale) && scale == 0.5f);
    CHECK(!sdkFindFilePath("nowhere.pgm", words[0]));
}

static void images(const char *folder)
{
    const std::string path = std::string(folder) + "/image";
    unsigned char gray[6] = {0, 10, 20, 128, 254, 255}, color[8] = {1, 2, 3, 0, 4, 5, 6, 0};
    unsigned char *loaded = nullptr;
    float *scaled = nullptr;
    unsigned width = 0, height = 0;
    CHECK(sdkSavePGM(path.c_str(), gray, 3, 2));
    CHECK(sdkLoadPGM(path.c_str(), &loaded, &width, &height) && width == 3 && height == 2);
    CHECK(loaded && memcmp(loaded, gray, 6) == 0);
    CHECK(sdkLoadPGM(path.c_str(), &scaled, &width, &height) && scaled[5] == 1);
    CHECK(!sdkLoadPPM4(path.c_str(), &loaded, &width, &height));
    CHECK(sdkSavePPM4ub(path.c_str(), color, 2, 1));
    CHECK(sdkLoadPPM4(path.c_str(), &loaded, &width, &height) && memcmp(loaded, color, 8) == 0);
    char *found = sdkFindFilePath(path.c_str(), "");
    CHECK(found && path == found);
    free(found);
    free(loaded);
    free(scaled);
}

static void comparisons()
{
    const float a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4.5f}, nan[4] = {1, 2, 3, NAN};
    CHECK(compareData(a, b, 4, 0.5f, 0.f) && !compareData(a, b, 4, 0.4f, 0.f));
    CHECK(compareData(a, b, 4, 0.1f, 0.25f) && !compareData(a, nan, 4, 100.f, 0.f));
    CHECK(sdkCompareL2fe(a, b, 4, 0.1f) && !sdkCompareL2fe(a, b, 4, 0.09f));
    CHECK(!sdkCompareL2fe(a, nan, 4, 1));
}

int main(int argc, char **argv)
{
    StopWatchInterface *timer = nullptr;
    CHECK(findCudaDevice(argc, (const char **)argv) == 0 && checkCudaCapabilities(7, 0));
    CHECK(strcmp(shader, "void main() { color = 1; }") == 0);
    options();
    images(getenv("TMPDIR"));
    comparisons();
    CHECK(sdkCreateTimer(&timer) && sdkStartTimer(&timer) && sdkStopTimer(&timer));
    CHECK(sdkGetTimerValue(&timer) >= 0 && sdkDeleteTimer(&timer) && !timer);
#if __CUDACC_VER_MAJOR__ >= 1
    for (int k = 0; k < 1; k++) {
#else
    for (int k = 0; k < 2; k++) {
#endif
        CHECK(k == 0);
    }
    if (argc > 1)
        checkCudaErrors(cudaSetDevice(99));
    return failures ? 1 : 0;
}
