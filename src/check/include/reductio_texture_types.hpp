// SPDX-License-Identifier: MIT
// Arrays, channels, and what describes textures and surfaces. CUDA Runtime API, "Texture Object
// Management".
#ifndef RD_TEXTURE_TYPES_HPP
#define RD_TEXTURE_TYPES_HPP

#define cudaTextureType1D             0x01
#define cudaTextureType2D             0x02
#define cudaTextureType3D             0x03
#define cudaTextureTypeCubemap        0x0C
#define cudaTextureType1DLayered      0xF1
#define cudaTextureType2DLayered      0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D             0x01
#define cudaSurfaceType2D             0x02
#define cudaSurfaceType3D             0x03
#define cudaSurfaceType1DLayered      0xF1
#define cudaSurfaceType2DLayered      0xF2
#define cudaArrayLayered              0x01
#define cudaArraySurfaceLoadStore     0x02
#define cudaArrayCubemap              0x04
#define cudaArrayTextureGather        0x08
#define cudaArrayColorAttachment      0x20
#define cudaArraySparse               0x40
#define cudaArrayDeferredMapping      0x80
#define cudaSurfaceTypeCubemap        0x0C
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto };
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone,
    cudaChannelFormatKindNV12,
    cudaChannelFormatKindUnsignedNormalized8X1,
    cudaChannelFormatKindUnsignedNormalized8X2,
    cudaChannelFormatKindUnsignedNormalized8X4,
    cudaChannelFormatKindUnsignedNormalized16X1,
    cudaChannelFormatKindUnsignedNormalized16X2,
    cudaChannelFormatKindUnsignedNormalized16X4,
    cudaChannelFormatKindSignedNormalized8X1,
    cudaChannelFormatKindSignedNormalized8X2,
    cudaChannelFormatKindSignedNormalized8X4,
    cudaChannelFormatKindSignedNormalized16X1,
    cudaChannelFormatKindSignedNormalized16X2,
    cudaChannelFormatKindSignedNormalized16X4,
    cudaChannelFormatKindUnsignedBlockCompressed1,
    cudaChannelFormatKindUnsignedBlockCompressed1SRGB,
    cudaChannelFormatKindUnsignedBlockCompressed2,
    cudaChannelFormatKindUnsignedBlockCompressed2SRGB,
    cudaChannelFormatKindUnsignedBlockCompressed3,
    cudaChannelFormatKindUnsignedBlockCompressed3SRGB,
    cudaChannelFormatKindUnsignedBlockCompressed4,
    cudaChannelFormatKindSignedBlockCompressed4,
    cudaChannelFormatKindUnsignedBlockCompressed5,
    cudaChannelFormatKindSignedBlockCompressed5,
    cudaChannelFormatKindUnsignedBlockCompressed6H,
    cudaChannelFormatKindSignedBlockCompressed6H,
    cudaChannelFormatKindUnsignedBlockCompressed7,
    cudaChannelFormatKindUnsignedBlockCompressed7SRGB
};
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
enum cudaResourceViewFormat {
    cudaResViewFormatNone,
#define RD_FORMATS(name)                                                                           \
    cudaResViewFormat##name##1, cudaResViewFormat##name##2, cudaResViewFormat##name##4
    RD_FORMATS(UnsignedChar),
    RD_FORMATS(SignedChar),
    RD_FORMATS(UnsignedShort),
    RD_FORMATS(SignedShort),
    RD_FORMATS(UnsignedInt),
    RD_FORMATS(SignedInt),
    RD_FORMATS(Half),
    RD_FORMATS(Float),
#undef RD_FORMATS
    cudaResViewFormatUnsignedBlockCompressed1,
    cudaResViewFormatUnsignedBlockCompressed2,
    cudaResViewFormatUnsignedBlockCompressed3,
    cudaResViewFormatUnsignedBlockCompressed4,
    cudaResViewFormatSignedBlockCompressed4,
    cudaResViewFormatUnsignedBlockCompressed5,
    cudaResViewFormatSignedBlockCompressed5,
    cudaResViewFormatUnsignedBlockCompressed6H,
    cudaResViewFormatSignedBlockCompressed6H,
    cudaResViewFormatUnsignedBlockCompressed7
};
struct cudaChannelFormatDesc {
    int x, y, z, w; // bits of each channel
    cudaChannelFormatKind f;
};
struct cudaMipmappedArray;
typedef cudaMipmappedArray *cudaMipmappedArray_t;
typedef const cudaMipmappedArray *cudaMipmappedArray_const_t;
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned flags;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

// The type of a channel, and their number.
template <class T> struct rd_channels {
    using type = T;
    static constexpr int n = 1;
};
#define RD_CHANNELS_OF(T, name, count)                                                             \
    template <> struct rd_channels<name##count> {                                                  \
        using type = T;                                                                            \
        static constexpr int n = count;                                                            \
    };
#define RD_CHANNELS(T, name)                                                                       \
    RD_CHANNELS_OF(T, name, 1)                                                                     \
    RD_CHANNELS_OF(T, name, 2)                                                                     \
    RD_CHANNELS_OF(T, name, 3)                                                                     \
    RD_CHANNELS_OF(T, name, 4)
RD_CHANNELS(signed char, char)
RD_CHANNELS(unsigned char, uchar)
RD_CHANNELS(short, short)
RD_CHANNELS(unsigned short, ushort)
RD_CHANNELS(int, int)
RD_CHANNELS(unsigned, uint)
RD_CHANNELS(long, long)
RD_CHANNELS(unsigned long, ulong)
RD_CHANNELS(float, float)
#undef RD_CHANNELS
#undef RD_CHANNELS_OF

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind)
{
    return {x, y, z, w, kind};
}
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    using C = typename rd_channels<T>::type;
    const int bits = 8 * (int)sizeof(C), n = rd_channels<T>::n;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            !std::is_integral<C>::value ? cudaChannelFormatKindFloat
            : std::is_signed<C>::value  ? cudaChannelFormatKindSigned
                                        : cudaChannelFormatKindUnsigned};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height)
{
    return {pointer, pitch, width, height};
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return {x, y, z};
}

#endif
