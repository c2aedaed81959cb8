// SPDX-License-Identifier: MIT
// Options of a command line, "-n=3" or "--n=3", and where files are: as NVIDIA's samples call them.
#ifndef RD_HELPER_STRING_H
#define RD_HELPER_STRING_H

#include "reductio_cuda.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

// The text behind the option's name, from '=' on; NULL where it is not given. Case counts for nothing.
inline const char *rd_helper_option(int argc, const char **argv, const char *name)
{
    const size_t length = strlen(name);
    for (int k = 1; k < argc; k++) {
        const char *word = argv[k] + strspn(argv[k], "-");
        if (word > argv[k] && strncasecmp(word, name, length) == 0 &&
            (word[length] == '=' || !word[length]))
            return word + length;
    }
    return nullptr;
}
inline const char *rd_helper_value(int argc, const char **argv, const char *name)
{
    const char *behind = rd_helper_option(argc, argv, name);
    return behind && *behind ? behind + 1 : behind;
}
inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return rd_helper_option(argc, argv, name);
}
inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    const char *value = rd_helper_value(argc, argv, name);
    return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    const char *value = rd_helper_value(argc, argv, name);
    return value ? (float)atof(value) : 0;
}
inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value)
{
    *value = (char *)rd_helper_value(argc, argv, name);
    return *value;
}
template <class T>
inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *value)
{
    const char *text = rd_helper_value(argc, argv, name);
    if (text)
        *value = (T)atof(text);
    return text;
}
inline int stringRemoveDelimiter(char delimiter, const char *text)
{
    int n = 0;
    while (text[n] == delimiter)
        n++;
    return n;
}
inline int getFileExtension(char *name, char **extension)
{
    char *dot = strrchr(name, '.');
    *extension = dot ? dot + 1 : nullptr;
    return dot ? (int)(dot - name) + 1 : 0;
}

// A path to the file, of malloc(): here, in data, beside the program, or in a folder above; NULL where it is nowhere.
inline char *sdkFindFilePath(const char *name, const char *program)
{
    const char *const folders[] = {"",
                                   "data/",
                                   "../",
                                   "../data/",
                                   "../../data/",
                                   "../../../data/",
                                   "../../Common/data/",
                                   "../../../Common/data/"};
    const char *slash = program ? strrchr(program, '/') : nullptr;
    const std::string own = slash ? std::string(program, slash + 1 - program) : "";
    for (int beside = 0; beside < (own.empty() ? 1 : 2); beside++)
        for (const char *folder : folders) {
            const std::string path = (beside ? own : "") + folder + name;
            FILE *file = fopen(path.c_str(), "rb");
            if (file) {
                fclose(file);
                return strdup(path.c_str());
            }
        }
    printf("\nerror: sdkFindFilePath: file <%s> not found!\n", name);
    return nullptr;
}

#endif
