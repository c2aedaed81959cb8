// SPDX-License-Identifier: MIT
// The utilities of CUDA's SDK before release 5, which old programs include: checks, timers, arguments, comparisons.
#ifndef RD_CUTIL_H
#define RD_CUTIL_H

#include "reductio_cuda.hpp"

#include <string>
#include <vector>

enum CUTBoolean { CUTFalse, CUTTrue };

// ---- checks: a failure ends the program ----

#define RD_CUT_FAIL(...)                                                                           \
    do {                                                                                           \
        fprintf(stderr, __VA_ARGS__);                                                              \
        exit(EXIT_FAILURE);                                                                        \
    } while (0)
#define CUDA_SAFE_CALL_NO_SYNC(call)                                                               \
    do {                                                                                           \
        cudaError_t rd_error = (call);                                                             \
        if (rd_error != cudaSuccess)                                                               \
            RD_CUT_FAIL("Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,          \
                        cudaGetErrorString(rd_error));                                             \
    } while (0)
#define CUDA_SAFE_CALL(call)      CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCall(call)       CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define CUT_SAFE_CALL(call)                                                                        \
    do {                                                                                           \
        if (!(call))                                                                               \
            RD_CUT_FAIL("Cut error in file '%s' in line %i.\n", __FILE__, __LINE__);               \
    } while (0)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define CUT_CHECK_ERROR(message)                                                                   \
    do {                                                                                           \
        cudaError_t rd_error = cudaGetLastError();                                                 \
        if (rd_error != cudaSuccess)                                                               \
            RD_CUT_FAIL("Cuda error: %s in file '%s' in line %i : %s.\n", message, __FILE__,       \
                        __LINE__, cudaGetErrorString(rd_error));                                   \
    } while (0)
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define CUT_CONDITION(value)                                                                       \
    do {                                                                                           \
        if (!(value))                                                                              \
            RD_CUT_FAIL("Condition failed in file '%s' in line %i.\n", __FILE__, __LINE__);        \
    } while (0)
#define cutilCondition(value)       CUT_CONDITION(value)
#define CUT_DEVICE_INIT(...)        CUDA_SAFE_CALL(cudaSetDevice(0))
#define CUT_DEVICE_RESET(...)       CUDA_SAFE_CALL(cudaDeviceReset())
#define CUT_DEVICE_SYNCHRONIZE(...) CUDA_SAFE_CALL(cudaDeviceSynchronize())
#define cutilDeviceInit(...)        CUDA_SAFE_CALL(cudaSetDevice(0))
#define cutilDeviceSynchronize()    cudaDeviceSynchronize()
#define cutilDeviceReset()          cudaDeviceReset()
#define cutilThreadSynchronize()    cudaDeviceSynchronize()
#define cutilExit(...)              exit(EXIT_SUCCESS)
#define CUT_EXIT(...)               exit(EXIT_SUCCESS)
#define cutGetMaxGflopsDeviceId()   0
#define cutilGetMaxGflopsDeviceId() 0
#define cutilChooseCudaDevice(...)  ((void)cudaSetDevice(0))
// No conflicts of banks are counted.
#define CUT_BANK_CHECKER(array, index) (array)[index]

// ---- timers, in milliseconds ----

struct rd_cut_timer {
    bool is_there, runs;
    double begin, sum;
    unsigned n;
};
inline std::vector<rd_cut_timer> &rd_cut_timers()
{
    static std::vector<rd_cut_timer> all;
    return all;
}
inline double rd_cut_now()
{
    struct timeval now;
    gettimeofday(&now, nullptr);
    return 1e3 * (double)now.tv_sec + 1e-3 * (double)now.tv_usec;
}
inline rd_cut_timer *rd_cut_timer_of(unsigned name)
{
    std::vector<rd_cut_timer> &all = rd_cut_timers();
    return name > 0 && name <= all.size() && all[name - 1].is_there ? &all[name - 1] : nullptr;
}
inline CUTBoolean cutCreateTimer(unsigned *name)
{
    rd_cut_timers().push_back({true, false, 0, 0, 0});
    *name = (unsigned)rd_cut_timers().size();
    return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned name)
{
    rd_cut_timer *timer = rd_cut_timer_of(name);
    if (timer)
        timer->is_there = false;
    return timer ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutStartTimer(unsigned name)
{
    rd_cut_timer *timer = rd_cut_timer_of(name);
    if (timer) {
        timer->runs = true;
        timer->begin = rd_cut_now();
    }
    return timer ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutStopTimer(unsigned name)
{
    rd_cut_timer *timer = rd_cut_timer_of(name);
    if (timer && timer->runs) {
        timer->runs = false;
        timer->sum += rd_cut_now() - timer->begin;
        timer->n++;
    }
    return timer ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutResetTimer(unsigned name)
{
    rd_cut_timer *timer = rd_cut_timer_of(name);
    if (timer) {
        timer->sum = 0;
        timer->n = 0;
        timer->begin = rd_cut_now();
    }
    return timer ? CUTTrue : CUTFalse;
}
inline float cutGetTimerValue(unsigned name)
{
    const rd_cut_timer *timer = rd_cut_timer_of(name);
    return timer ? (float)(timer->sum + (timer->runs ? rd_cut_now() - timer->begin : 0)) : 0;
}
inline float cutGetAverageTimerValue(unsigned name)
{
    const rd_cut_timer *timer = rd_cut_timer_of(name);
    return timer && timer->n > 0 ? (float)(timer->sum / timer->n) : 0;
}

// ---- arguments: --NAME, --NAME=VALUE ----

inline const char *rd_cut_argument(int argc, const char **argv, const char *name)
{
    size_t length = strlen(name);
    for (int k = 1; k < argc; k++) {
        const char *word = argv[k] + strspn(argv[k], "-");
        if (word > argv[k] && strncmp(word, name, length) == 0 &&
            (word[length] == '=' || !word[length]))
            return word + length + (word[length] == '=');
    }
    return nullptr;
}
template <class T> CUTBoolean cutCheckCmdLineFlag(int argc, T **argv, const char *name)
{
    return rd_cut_argument(argc, (const char **)argv, name) ? CUTTrue : CUTFalse;
}
template <class T>
CUTBoolean cutGetCmdLineArgumenti(int argc, T **argv, const char *name, int *value)
{
    const char *text = rd_cut_argument(argc, (const char **)argv, name);
    if (text)
        *value = atoi(text);
    return text ? CUTTrue : CUTFalse;
}
template <class T>
CUTBoolean cutGetCmdLineArgumentf(int argc, T **argv, const char *name, float *value)
{
    const char *text = rd_cut_argument(argc, (const char **)argv, name);
    if (text)
        *value = (float)atof(text);
    return text ? CUTTrue : CUTFalse;
}
template <class T>
CUTBoolean cutGetCmdLineArgumentstr(int argc, T **argv, const char *name, char **value)
{
    const char *text = rd_cut_argument(argc, (const char **)argv, name);
    *value = text ? strdup(text) : nullptr;
    return text ? CUTTrue : CUTFalse;
}

// ---- comparisons ----

template <class T, class U>
CUTBoolean rd_cut_compare(const T *x, const T *y, unsigned n, U most, double share = 0)
{
    unsigned differ = 0;
    for (unsigned k = 0; k < n; k++)
        differ += !(fabs((double)x[k] - (double)y[k]) <= (double)most);
    return differ <= share * n ? CUTTrue : CUTFalse;
}
#define RD_CUT_COMPARE(name, T)                                                                    \
    inline CUTBoolean cutCompare##name(const T *reference, const T *data, unsigned n)              \
    {                                                                                              \
        return rd_cut_compare(reference, data, n, 0);                                              \
    }
RD_CUT_COMPARE(i, int)
RD_CUT_COMPARE(ub, unsigned char)
RD_CUT_COMPARE(f, float)
inline CUTBoolean cutComparefe(const float *reference, const float *data, unsigned n, float most)
{
    return rd_cut_compare(reference, data, n, most);
}
// The relative error of all of it, in the Euclidean norm.
inline CUTBoolean cutCompareL2fe(const float *reference, const float *data, unsigned n, float most)
{
    double error = 0, sum = 0;
    for (unsigned k = 0; k < n; k++) {
        error += ((double)reference[k] - data[k]) * ((double)reference[k] - data[k]);
        sum += (double)reference[k] * reference[k];
    }
    return sum >= 1e-7 && sqrt(error) / sqrt(sum) < most ? CUTTrue : CUTFalse;
}

// ---- files ----

#define RD_CUT_NOT(name)                                                                           \
    template <class... A> CUTBoolean name(A &&...)                                                 \
    {                                                                                              \
        rd_unsimulated(#name " of cutil");                                                         \
        return CUTFalse;                                                                           \
    }
RD_CUT_NOT(cutLoadPGMub)
RD_CUT_NOT(cutLoadPGMf)
RD_CUT_NOT(cutLoadPGMi)
RD_CUT_NOT(cutLoadPPMub)
RD_CUT_NOT(cutLoadPPM4ub)
RD_CUT_NOT(cutSavePGMub)
RD_CUT_NOT(cutSavePGMf)
RD_CUT_NOT(cutSavePPMub)
RD_CUT_NOT(cutSavePPM4ub)
template <class T> CUTBoolean cutReadFile(const char *path, T **data, unsigned *n)
{
    std::vector<T> all;
    double value;
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%lf", &value) == 1)
        all.push_back((T)value);
    if (file)
        fclose(file);
    if (!file || all.empty() || (*data && *n != all.size()))
        return CUTFalse;
    if (!*data)
        *data = (T *)malloc(all.size() * sizeof(T));
    memcpy(*data, all.data(), all.size() * sizeof(T));
    *n = (unsigned)all.size();
    return CUTTrue;
}
inline CUTBoolean cutReadFilef(const char *path, float **data, unsigned *n, bool = false)
{
    return cutReadFile(path, data, n);
}
inline CUTBoolean cutReadFilei(const char *path, int **data, unsigned *n, bool = false)
{
    return cutReadFile(path, data, n);
}
template <class T> CUTBoolean rd_cut_write(const char *path, const T *data, unsigned n)
{
    FILE *file = fopen(path, "w");
    for (unsigned k = 0; file && k < n; k++)
        fprintf(file, "%.9g ", (double)data[k]);
    return file && fclose(file) == 0 ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutWriteFilef(const char *path, const float *data, unsigned n, float = 0,
                                bool = false)
{
    return rd_cut_write(path, data, n);
}
inline CUTBoolean cutWriteFilei(const char *path, const int *data, unsigned n, bool = false)
{
    return rd_cut_write(path, data, n);
}
inline void cutFree(void *memory)
{
    free(memory);
}
// The file itself, or in the folder data/, here or beside the program.
inline char *cutFindFilePath(const char *name, const char *program)
{
    std::string here = program ? program : "";
    size_t slash = here.rfind('/');
    here = slash == std::string::npos ? "" : here.substr(0, slash + 1);
    for (const std::string &folder : {std::string(), std::string("data/"), here, here + "data/"}) {
        FILE *file = fopen((folder + name).c_str(), "r");
        if (file) {
            fclose(file);
            return strdup((folder + name).c_str());
        }
    }
    return nullptr;
}

#endif
