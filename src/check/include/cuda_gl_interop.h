// SPDX-License-Identifier: MIT
// OpenGL beside CUDA: declared, and said where it is called.
#ifndef RD_CUDA_GL_INTEROP_H
#define RD_CUDA_GL_INTEROP_H

#include "reductio_cuda.hpp"

#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif

#define RD_NOT_GL(name)                                                                            \
    template <class... T> RD_BARE cudaError_t name(T &&...)                                        \
    {                                                                                              \
        rd_sim_unsimulated(#name, "", 0, RD_HERE_PC);                                              \
        return cudaErrorNotSupported;                                                              \
    }
enum cudaGLDeviceList {
    cudaGLDeviceListAll = 1,
    cudaGLDeviceListCurrentFrame,
    cudaGLDeviceListNextFrame
};
enum cudaGLMapFlags { cudaGLMapFlagsNone, cudaGLMapFlagsReadOnly, cudaGLMapFlagsWriteDiscard };
RD_NOT_GL(cudaGLGetDevices)
RD_NOT_GL(cudaGraphicsGLRegisterBuffer)
RD_NOT_GL(cudaGraphicsGLRegisterImage)
RD_NOT_GL(cudaGLRegisterBufferObject)
RD_NOT_GL(cudaGLUnregisterBufferObject)
RD_NOT_GL(cudaGLMapBufferObject)
RD_NOT_GL(cudaGLMapBufferObjectAsync)
RD_NOT_GL(cudaGLUnmapBufferObject)
RD_NOT_GL(cudaGLUnmapBufferObjectAsync)
RD_NOT_GL(cudaGLSetBufferObjectMapFlags)
// Programs set a device so before they come to OpenGL.
inline cudaError_t cudaGLSetGLDevice(int device)
{
    return cudaSetDevice(device);
}
#undef RD_NOT_GL

#endif
