// SPDX-License-Identifier: MIT
/* Files that the host code of a program opens: writes that the system refuses are noted, and in place of what nvcc would have made of
 * a file that was given stands its module's image. Calls of the C library, and of the C++ library's file streams, are wrapped in a
 * loaded file. */
#include "device/sim/api/hooks.h"
#include "device/sim/file/file.h"
#include "device/sim/runtime/runtime_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tells whether the file's own rights would have allowed it, so that what refuses it is the sandbox. */
static bool is_allowed_by_rights(const char *path)
{
    char folder[4096];
    if (access(path, W_OK) == 0)
        return true;
    if (errno != ENOENT || strlen(path) >= sizeof folder)
        return false;
    memcpy(folder, path, strlen(path) + 1);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    return access(slash ? folder : ".", W_OK) == 0;
}

/* Called behind a call that has failed; errno stays. */
static void note(const char *path)
{
    const int reason = errno;
    const struct rd_file_program *program = rd_sim_runtime_program();
    if (program && program->on_refused_write && path &&
        (reason == EROFS || (reason == EACCES && is_allowed_by_rights(path))))
        program->on_refused_write(program->how.self, path);
    errno = reason;
}

/* The file to be opened, where one of this name is asked for. */
static const char *meant(const char *path, bool reads)
{
    const char *image = path && reads ? rd_sim_module_image(path) : NULL;
    return image ? image : path;
}

static FILE *opened(FILE *file, const char *path, const char *mode)
{
    if (!file && path && mode[0] == 'r' && errno == ENOENT)
        rd_sim_module_image_lacks(path);
    if (!file && strpbrk(mode, "wa+"))
        note(path);
    return file;
}

RD_HOOK FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return opened(fopen(meant(path, mode[0] == 'r'), mode), path, mode);
}

RD_HOOK FILE *__wrap_fopen64(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return opened(fopen(meant(path, mode[0] == 'r'), mode), path, mode);
}

static int open_file(const char *path, int flags, mode_t mode)
{
    const int file = open(meant(path, (flags & O_ACCMODE) == O_RDONLY), flags, mode);
    if (file < 0 && flags & (O_WRONLY | O_RDWR | O_CREAT))
        note(path);
    return file;
}

#define WRAP_OPEN(name)                                                                            \
    RD_HOOK int __wrap_##name(const char *path, int flags, ...);                                   \
    int __wrap_##name(const char *path, int flags, ...)                                            \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        const bool makes = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;                    \
        const mode_t mode = makes ? va_arg(arguments, mode_t) : 0;                                 \
        va_end(arguments);                                                                         \
        return open_file(path, flags, mode);                                                       \
    }
WRAP_OPEN(open)
WRAP_OPEN(open64)

RD_HOOK int __wrap_creat(const char *path, mode_t mode);
int __wrap_creat(const char *path, mode_t mode)
{
    return open_file(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

RD_HOOK int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode)
{
    const int status = mkdir(path, mode);
    if (status != 0)
        note(path);
    return status;
}

/* ---- streams of C++ ---- */

/* Bits of std::ios_base::openmode in the GNU library: app, out and trunc. */
enum { APPENDS = 1, WRITES = 16, TRUNCATES = 32 };

/* A std::string, as far as it is read: the GNU library's. */
struct string {
    const char *text;
    size_t length;
    char room[16];
};

static void *open_to_read(const char *name, void *(*function)(void *, const void *, int),
                          void *stream, const void *path, int mode)
{
    const bool is_text = strstr(name, "EPKc") != NULL;
    const char *asked = is_text ? path : ((const struct string *)path)->text;
    const char *given = meant(asked, true);
    struct string image = {given, given ? strlen(given) : 0, ""};
    if (given == asked) {
        void *result = function(stream, path, mode);
        if (asked && errno == ENOENT)
            rd_sim_module_image_lacks(asked);
        return result;
    }
    return function(stream, is_text ? (const void *)given : (const void *)&image, mode);
}

/* What the program calls: where it has the C++ library linked in, another copy's functions make nothing of its streams. */
void *rd_sim_cxx_library_function(const char *name)
{
    void *function = dlsym(rd_sim_file_program()->handle, name);
    if (!function) /* a library by another name has no such functions: then they are none of this file's */
        abort();
    return function;
}

/* Opens a stream by the C++ library's own function. Of a std::string the text's address comes first. */
static void *open_stream(const char *name, void *stream, const void *path, int mode)
{
    void *(*function)(void *, const void *, int);
    *(void **)&function = rd_sim_cxx_library_function(name);
    errno = 0;
    if (!(mode & (APPENDS | WRITES | TRUNCATES)))
        return open_to_read(name, function, stream, path, mode);
    void *result = function(stream, path, mode);
    if (mode & (APPENDS | WRITES | TRUNCATES) && (errno == EACCES || errno == EROFS))
        note(strstr(name, "EPKc") ? path : *(const char *const *)path);
    return result;
}

/* By their names in the C++ ABI: constructors and open() of std::ifstream, std::ofstream and std::fstream, and the
 * open() of their buffers, which constructors that are compiled into the file call. All but the last return nothing:
 * what they leave in its place is passed on. */
#define WRAP_STREAM(name)                                                                          \
    RD_HOOK void *__wrap_##name(void *stream, const void *path, int mode);                         \
    void *__wrap_##name(void *stream, const void *path, int mode)                                  \
    {                                                                                              \
        return open_stream(#name, stream, path, mode);                                             \
    }
#define STREAM_FUNCTIONS(X)                                                                                     \
    X(_ZNSt14basic_ifstreamIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode)                                     \
    X(_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode)                                        \
    X(_ZNSt14basic_ifstreamIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode) \
    X(_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode)    \
    X(_ZNSt14basic_ofstreamIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode)                                     \
    X(_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode)                                        \
    X(_ZNSt13basic_fstreamIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode)                                      \
    X(_ZNSt13basic_fstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode)                                         \
    X(_ZNSt14basic_ofstreamIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode) \
    X(_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode)    \
    X(_ZNSt13basic_fstreamIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode)  \
    X(_ZNSt13basic_fstreamIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode)     \
    X(_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode)
STREAM_FUNCTIONS(WRAP_STREAM)

#define WRAP_OPTION(name) ",--wrap=" #name
const char rd_sim_files_link_option[] = "-Wl,--wrap=fopen,--wrap=fopen64,--wrap=open,--wrap=open64,"
                                        "--wrap=creat,--wrap=mkdir" STREAM_FUNCTIONS(WRAP_OPTION);
