// SPDX-License-Identifier: MIT
// Exceptions that say where they come from, as NVIDIA's samples throw them.
#ifndef RD_EXCEPTION_H
#define RD_EXCEPTION_H

#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

template <class T> class Exception : public T
{
  public:
    Exception(const std::string &detail = "", const char *file = "", int line = 0)
        : T(place_of(file, line) + detail)
    {
    }
    // Throws one of them.
    static void throw_it(const char *file, int line, const char *detail = "-")
    {
        throw Exception(detail, file, line);
    }
    static void throw_it(const char *file, int line, const std::string &detail)
    {
        throw_it(file, line, detail.c_str());
    }

  private:
    static std::string place_of(const char *file, int line)
    {
        std::ostringstream text;
        text << "Exception in file '" << file << "' in line " << line << "\nDetailed description: ";
        return text.str();
    }
};
template <class T> inline void handleException(const T &exception)
{
    std::cerr << exception.what() << std::endl;
    exit(EXIT_FAILURE);
}
#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text)   Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text)   Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)

#endif
