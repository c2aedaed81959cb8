// SPDX-License-Identifier: MIT
// Fetches from textures, with each filter and each way to treat places outside: lines of numbers,
// the same on a GPU as in the simulator.
#include <cstdio>
#include <cuda_runtime.h>

static const int WIDTH = 5, HEIGHT = 4, N = 24;

__global__ void fetch_2d(cudaTextureObject_t texture, float *out, float scale_x, float scale_y)
{
    int i = threadIdx.x, j = threadIdx.y;
    float x = (i - 7) * 0.59f * scale_x, y = (j - 7) * 0.47f * scale_y;
    out[j * N + i] = tex2D<float>(texture, x, y);
}
__global__ void fetch_1d(cudaTextureObject_t texture, float *out)
{
    int i = threadIdx.y * N + threadIdx.x;
    out[i] = tex1Dfetch<float>(texture, i - 3);
}
__global__ void fetch_3d(cudaTextureObject_t texture, float *out)
{
    int i = threadIdx.x, j = threadIdx.y;
    out[j * N + i] = tex3D<float>(texture, i * 0.2f, j * 0.13f, (i + j) * 0.06f);
}
__global__ void double_surface(cudaSurfaceObject_t surface)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x < WIDTH && y < HEIGHT)
        surf2Dwrite(2 * surf2Dread<float>(surface, x * 4, y), surface, x * 4, y);
}

static float got[N * N];
static void show(const char *name, int filter, int address, const float *out)
{
    unsigned long long sum = 0;
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N * N; i++) {
        unsigned bits;
        __builtin_memcpy(&bits, &got[i], 4);
        sum = (sum ^ bits) * 0x100000001b3ull;
    }
    printf("%-10s %d %d %016llx  %.9g %.9g %.9g\n", name, filter, address, sum, got[0], got[N + 5],
           got[7 * N + 9]);
}

int main()
{
    float cells[WIDTH * HEIGHT * 3], *out, *line;
    unsigned char bytes[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        cells[i] = (float)((i * 37) % 64) - 16;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        bytes[i] = (unsigned char)(i * 51);
    cudaMalloc(&out, sizeof got);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaChannelFormatDesc byte_format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array, byte_array, cube;
    cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array, 0, 0, cells, WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice);
    cudaMallocArray(&byte_array, &byte_format, WIDTH, HEIGHT);
    cudaMemcpy2DToArray(byte_array, 0, 0, bytes, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice);
    cudaMalloc3DArray(&cube, &format, make_cudaExtent(WIDTH, HEIGHT, 3));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cells, WIDTH * 4, WIDTH, HEIGHT);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(WIDTH, HEIGHT, 3);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);

    for (int filter = 0; filter < 2; filter++)
        for (int address = 0; address < 4; address++)
            for (int normalized = 0; normalized < 2; normalized++) {
                cudaResourceDesc resource = {};
                cudaTextureDesc how = {};
                cudaTextureObject_t texture;
                how.addressMode[0] = how.addressMode[1] = how.addressMode[2] =
                    (cudaTextureAddressMode)address;
                how.filterMode = (cudaTextureFilterMode)filter;
                how.normalizedCoords = normalized;
                resource.resType = cudaResourceTypeArray;
                resource.res.array.array = array;
                if (!normalized &&
                    (address == cudaAddressModeWrap || address == cudaAddressModeMirror))
                    continue;
                cudaCreateTextureObject(&texture, &resource, &how, NULL);
                float x = normalized ? 1.0f / 8 : 1, y = normalized ? 1.0f / 4 : 1;
                fetch_2d<<<1, dim3(N, N)>>>(texture, out, x, y);
                show(normalized ? "normalized" : "plain", filter, address, out);
                cudaDestroyTextureObject(texture);
                resource.res.array.array = byte_array;
                how.readMode = cudaReadModeNormalizedFloat;
                cudaCreateTextureObject(&texture, &resource, &how, NULL);
                fetch_2d<<<1, dim3(N, N)>>>(texture, out, x, y);
                show("bytes", filter, address, out);
                cudaDestroyTextureObject(texture);
                if (normalized)
                    continue;
                resource.res.array.array = cube;
                how.readMode = cudaReadModeElementType;
                cudaCreateTextureObject(&texture, &resource, &how, NULL);
                fetch_3d<<<1, dim3(N, N)>>>(texture, out);
                show("cube", filter, address, out);
                cudaDestroyTextureObject(texture);
            }

    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaMalloc(&line, 400 * 4);
    cudaMemset(line, 0x3f, 400 * 4);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = line;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 400 * 4;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    fetch_1d<<<1, dim3(N, N)>>>(texture, out);
    show("linear", 0, 0, out);
    cudaDestroyTextureObject(texture);

    cudaSurfaceObject_t surface;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaCreateSurfaceObject(&surface, &resource);
    double_surface<<<1, dim3(8, 8)>>>(surface);
    float after[WIDTH * HEIGHT];
    cudaMemcpy2DFromArray(after, WIDTH * 4, array, 0, 0, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToHost);
    printf("surface %g %g %g\n", after[0], after[7], after[19]);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
    cudaFreeArray(byte_array);
    cudaFreeArray(cube);
    cudaFree(line);
    cudaFree(out);
    return cudaGetLastError() != cudaSuccess;
}
