// SPDX-License-Identifier: MIT
// CUDA's driver interface: results, a line each, and mistakes in its use, "// want HAZARD" in the line that is to be told.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <sstream>
#include <string>

enum { N = 64, BYTES = N * 4 };

static void is(const char *what, bool right)
{
    printf("%s: %s\n", what, right ? "ok" : "WRONG");
}

static bool gives(CUresult wanted, CUresult result)
{
    const char *name = "no name";
    if (result != wanted)
        printf("%s\n", cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "no name");
    return result == wanted;
}

static bool good(CUresult result)
{
    return gives(CUDA_SUCCESS, result);
}

static void devices()
{
    int n = 0, major = 0, warp = 0, version = 0;
    char name[8];
    size_t bytes = 0;
    CUdevice device;
    const char *text;
    is("before cuInit", gives(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&n)));
    is("cuInit", good(cuInit(0)) && gives(CUDA_ERROR_INVALID_VALUE, cuInit(1)));
    is("version", good(cuDriverGetVersion(&version)) && version >= 12000);
    is("devices", good(cuDeviceGetCount(&n)) && n == 1 && good(cuDeviceGet(&device, 0)) &&
                      gives(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1)));
    is("a name is cut", good(cuDeviceGetName(name, sizeof name, device)) && strlen(name) == 7);
    is("memory", good(cuDeviceTotalMem(&bytes, device)) && bytes > 1 << 20);
    is("attributes",
       good(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device)) && warp == 32 &&
           good(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                     device)) &&
           major == 9);
    is("texts", good(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &text)) &&
                    strcmp(text, "named symbol not found") == 0 &&
                    gives(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)77, &text)));
}

static void contexts(CUcontext *context)
{
    CUcontext other, now, primary;
    CUdevice device = -1;
    CUdeviceptr p;
    is("no context",
       gives(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4)) && good(cuCtxGetCurrent(&now)) && !now);
    is("context", good(cuCtxCreate(context, 0, 0)) && good(cuCtxGetCurrent(&now)) &&
                      now == *context && good(cuCtxGetDevice(&device)) && device == 0);
    is("a second one", good(cuCtxCreate(&other, CU_CTX_SCHED_SPIN, 0)) &&
                           good(cuCtxGetCurrent(&now)) && now == other);
    is("pop, push", good(cuCtxPopCurrent(&now)) && now == other && good(cuCtxPushCurrent(other)) &&
                        good(cuCtxSetCurrent(*context)) && good(cuCtxSynchronize()));
    is("its end",
       good(cuCtxDestroy(other)) && gives(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(other)));
    is("primary", good(cuDevicePrimaryCtxRetain(&primary, 0)) && primary != *context &&
                      gives(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary)) &&
                      good(cuDevicePrimaryCtxRelease(0)));
    cuCtxPopCurrent(nullptr);
    is("the first one again", good(cuCtxSetCurrent(*context)));
}

static CUfunction function(CUmodule module, const char *name)
{
    CUfunction found = nullptr;
    is(name, good(cuModuleGetFunction(&found, module, name)));
    return found;
}

static CUmodule modules()
{
    CUmodule module = nullptr, again = nullptr;
    CUfunction f;
    CUdeviceptr total = 0, of_again = 0;
    size_t bytes = 0;
    int value = 0, seven = 7;
    is("module", good(cuModuleLoad(&module, "out/driver_kernels64.fatbin")));
    is("no file", gives(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&again, "other.ptx")));
    std::ifstream file("driver_kernels.ptx", std::ios::binary);
    std::ostringstream image;
    image << file.rdbuf();
    is("module of data", good(cuModuleLoadData(&again, image.str().c_str())));
    is("no such kernel", gives(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, module, "count")));
    is("variable", good(cuModuleGetGlobal(&total, &bytes, module, "total")) && bytes == 4 &&
                       good(cuMemcpyDtoH(&value, total, 4)) && value == 5);
    is("variables of its own", good(cuMemcpyHtoD(total, &seven, 4)) &&
                                   good(cuModuleGetGlobal(&of_again, nullptr, again, "total")) &&
                                   good(cuMemcpyDtoH(&value, of_again, 4)) && value == 5);
    is("unloaded", good(cuModuleUnload(again)) &&
                       gives(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&f, again, "add")));
    return module;
}

static void launches(CUmodule module)
{
    CUfunction add = function(module, "add"), mixed = function(module, "mixed"),
               turned = function(module, "reversed"), count = function(module, "_Z5countPf");
    CUdeviceptr a, b, c, factors;
    float h[N], scale[2] = {3, 4};
    int n = N, numbers[N], most = 0, blocks = 0, grid = 0, block = 0;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        h[i] = i;
        numbers[i] = i;
    }
    is("memory is taken",
       good(cuMemAlloc(&a, BYTES)) && good(cuMemAlloc(&b, BYTES)) && good(cuMemAlloc(&c, BYTES)));
    cuMemcpyHtoD(a, h, BYTES);
    cuMemcpyDtoD(b, a, BYTES);
    void *values[] = {&a, &b, &c, &n};
    is("launch", good(cuLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, nullptr, values, nullptr)) &&
                     good(cuMemcpyDtoH(h, c, BYTES)) && h[63] == 126);

    struct {
        char tag;
        alignas(16) float4 wide;
        alignas(4) float two[2];
        double *out;
    } packed = {'A', {1, 2, 3, 4}, {5, 6}, (double *)c};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    is("values in a buffer",
       good(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra)) &&
           good(cuMemcpyDtoH(&sum, c, 8)) && sum == 'A' + 1 + 4 + 6);

    void *one[] = {&a};
    cuMemcpyHtoD(a, numbers, BYTES);
    is("shared memory",
       good(cuLaunchKernel(turned, 1, 1, 1, N, 1, 1, BYTES, nullptr, one, nullptr)) &&
           good(cuMemcpyDtoH(numbers, a, BYTES)) && numbers[0] == 63);
    is("function attributes",
       good(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, turned)) &&
           most == 64 &&
           good(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, turned)) &&
           most == 256 &&
           good(
               cuFuncSetAttribute(turned, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536)));
    is("occupancy",
       good(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0)) && blocks == 8 &&
           good(cuOccupancyMaxPotentialBlockSize(&grid, &block, turned, nullptr, 0, 0)) &&
           block == 64);

    is("constant", good(cuModuleGetGlobal(&factors, nullptr, module, "factors")) &&
                       good(cuMemcpyHtoD(factors, scale, 8)) &&
                       good(cuLaunchKernel(count, 1, 1, 1, 32, 1, 1, 0, nullptr, one, nullptr)) &&
                       good(cuMemcpyDtoH(scale, a, 8)) && scale[1] == 8);

    CUfunction refused = function(module, "behind");
    CUresult r;
    r = cuLaunchKernel(turned, 1, 1, 1, 65, 1, 1, 0, 0, one, 0); // want illegal-launch
    is("a launch is refused", gives(CUDA_ERROR_INVALID_VALUE, r));
    void *few[] = {&a, &b};
    r = cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, few, nullptr); // want illegal-launch
    is("too few values", gives(CUDA_ERROR_INVALID_VALUE, r));
    size = 16;
    r = cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra); // want illegal-launch
    is("too small a buffer", gives(CUDA_ERROR_INVALID_VALUE, r));
    cuLaunchKernel(refused, 1, 1, 1, 1, 1, 1, 0, nullptr, one, nullptr);
    cuMemFree(a);
    cuMemFree(b);
    cuMemFree(b); // want invalid-free
    cuMemFree(c);
}

static void copies()
{
    CUdeviceptr p, q;
    size_t pitch = 0;
    unsigned h[N];
    unsigned char rows[3][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}},
                  back[3][5];
    CUstream s, t;
    CUevent before, behind;
    float ms = -1;
    is("pitch", good(cuMemAllocPitch(&p, &pitch, 5, 3, 4)) && pitch >= 5);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = rows;
    copy.srcPitch = 5;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = p;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 5;
    copy.Height = 3;
    is("rows in", good(cuMemcpy2D(&copy)));
    copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = p;
    copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back;
    copy.dstPitch = 5;
    copy.WidthInBytes = 5;
    copy.Height = 3;
    is("rows out", good(cuMemcpy2D(&copy)) && memcmp(rows, back, sizeof rows) == 0);
    is("fills", good(cuMemAlloc(&q, BYTES)) && good(cuMemsetD32(q, 0x01020304, N)) &&
                    good(cuMemsetD8(q, 9, 4)) && good(cuMemsetD16(q + 4, 0x1111, 2)) &&
                    good(cuMemcpyDtoH(h, q, BYTES)) && h[0] == 0x09090909 && h[1] == 0x11111111 &&
                    h[2] == 0x01020304);
    CUdeviceptr managed;
    is("managed", good(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL)) &&
                      good(cuMemAdvise(managed, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, 0)) &&
                      good(cuMemPrefetchAsync(managed, BYTES, 0, nullptr)) &&
                      gives(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(q, BYTES, 0, nullptr)) &&
                      good(cuMemFree(managed)));
    is("misaligned", gives(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(q + 2, 0, 1)));
    is("streams", good(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING)) &&
                      good(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING)) && s != t &&
                      good(cuStreamQuery(s)));
    is("events", good(cuEventCreate(&before, 0)) && good(cuEventCreate(&behind, 0)) &&
                     good(cuEventRecord(before, s)) && good(cuMemsetD32Async(q, 2, N, s)) &&
                     good(cuEventRecord(behind, s)) && good(cuStreamWaitEvent(t, behind, 0)) &&
                     good(cuMemsetD32Async(q, 3, N, t)) && good(cuEventSynchronize(behind)) &&
                     good(cuEventElapsedTime(&ms, before, behind)) && ms >= 0);
    cuMemsetD32Async(q, 4, N, s); // want race
    cuStreamSynchronize(s);
    cuStreamSynchronize(t);
    // A stream of the driver's is one of the runtime's.
    is("the runtime's", cudaMemsetAsync((void *)q, 0, BYTES, s) == cudaSuccess &&
                            cudaStreamSynchronize(s) == cudaSuccess &&
                            good(cuMemcpyDtoH(h, q, BYTES)) && h[0] == 0);
    cuEventDestroy(before);
    cuEventDestroy(behind);
    cuStreamDestroy(s);
    is("a destroyed stream", gives(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(s)));
    cuStreamDestroy(t);
    cuMemFree(p);
    cuMemFree(q);
}

static void textures(CUmodule module)
{
    CUarray array;
    CUtexObject texture;
    CUdeviceptr out;
    CUDA_ARRAY_DESCRIPTOR how = {4, 2, CU_AD_FORMAT_FLOAT, 1};
    const float cells[] = {0, 1, 2, 3, 4, 5, 6, 7};
    float h[4];
    CUfunction sampled = function(module, "sampled");
    is("array", good(cuArrayCreate(&array, &how)));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = cells;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 16;
    copy.Height = 2;
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC reads = {};
    is("texture",
       good(cuMemcpy2D(&copy)) && good(cuTexObjectCreate(&texture, &resource, &reads, nullptr)));
    cuMemAlloc(&out, sizeof h);
    void *values[] = {&texture, &out};
    is("fetches", good(cuLaunchKernel(sampled, 1, 1, 1, 4, 1, 1, 0, nullptr, values, nullptr)) &&
                      good(cuMemcpyDtoH(h, out, sizeof h)) && h[0] == 4 && h[3] == 7);
    cuMemFree(out);
    cuTexObjectDestroy(texture);
    cuArrayDestroy(array);
}

static void virtual_memory(CUmodule module)
{
    CUmemAllocationProp how = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle one, two;
    CUdeviceptr p;
    size_t part = 0, at = 0;
    int value = 0;
    CUfunction unmapped = function(module, "unmapped");
    how.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    how.location = access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    is("granularity",
       good(cuMemGetAllocationGranularity(&part, &how, CU_MEM_ALLOC_GRANULARITY_MINIMUM)));
    is("addresses", good(cuMemAddressReserve(&p, 3 * part, 0, 0, 0)) && p % part == 0);
    is("handles", good(cuMemCreate(&one, part, &how, 0)) &&
                      good(cuMemCreate(&two, part, &how, 0)) &&
                      gives(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&two, 5, &how, 0)));
    how.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
    CUmemAllocationProp got = {};
    CUmemGenericAllocationHandle compressible;
    is("compressible memory",
       good(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0)) &&
           value == 1 && good(cuMemCreate(&compressible, part, &how, 0)) &&
           good(cuMemGetAllocationPropertiesFromHandle(&got, compressible)) &&
           got.allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_GENERIC &&
           good(cuMemRelease(compressible)));
    how.allocFlags.compressionType = 2;
    is("compression of no kind",
       gives(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&compressible, part, &how, 0)));
    is("mappings", good(cuMemMap(p, part, 0, one, 0)) &&
                       good(cuMemMap(p + part, part, 0, two, 0)) &&
                       gives(CUDA_ERROR_INVALID_VALUE, cuMemMap(p, part, 0, two, 0)) &&
                       good(cuMemRelease(one)) && good(cuMemSetAccess(p, 2 * part, &access, 1)));
    is("across two", good(cuMemsetD32(p + part - 4, 6, 2)) &&
                         good(cuMemcpyDtoH(&value, p + part, 4)) && value == 6);
    void *values[] = {&p, &at};
    at = 2 * part / 4; // not mapped
    cuLaunchKernel(unmapped, 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr);
    is("its end", good(cuMemUnmap(p, 2 * part)) && good(cuMemRelease(two)) &&
                      good(cuMemAddressFree(p, 3 * part)) &&
                      gives(CUDA_ERROR_INVALID_VALUE, cuMemRelease(two)));
}

static void ends(CUcontext context)
{
    CUdeviceptr kept, p;
    int value;
    is("kept", good(cuMemAlloc(&kept, 4))); // want leak
    cuMemsetD32(kept, 1, 1);
    cuMemAlloc(&p, (size_t)1 << 50); // want unchecked-error
    is("destroyed", good(cuCtxDestroy(context)));
    is("use of a destroyed context",
       gives(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyDtoH(&value, kept, 4)));
    cuCtxSynchronize(); // want unchecked-error
}

int main()
{
    CUcontext context;
    CUmodule module;
    devices();
    contexts(&context);
    module = modules();
    launches(module);
    copies();
    textures(module);
    virtual_memory(module);
    ends(context);
    return 0;
}
