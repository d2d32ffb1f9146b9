// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_BUFFERED_FILES_H
#define HILDA_TESTING_BUFFERED_FILES_H

// Files that a block reads or writes through a buffer in the loop: most of these calls make no system call, and now and
// then one does.

#include <cstdarg>
#include <cstdio>
#include <hilda/testing/call_watch.h>

namespace hilda::testing {

/// The C library's streams, and what C++'s streams write numbers and texts with.
struct BufferedFiles {
  static const std::vector<Replacement>& replacements() {
    static const std::vector<Replacement> all{
        HILDA_TESTING_PASS_ON(BufferedFiles, fopen, (const char* n, const char* m), (n, m)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fclose, (std::FILE * f), (f)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fflush, (std::FILE * f), (f)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fwrite, (const void* p, std::size_t n, std::size_t m, std::FILE* f),
                              (p, n, m, f)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fputs, (const char* t, std::FILE* f), (t, f)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fputc, (int c, std::FILE* f), (c, f)),
        HILDA_TESTING_PASS_ON(BufferedFiles, puts, (const char* t), (t)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fread, (void* p, std::size_t n, std::size_t m, std::FILE* f),
                              (p, n, m, f)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fgets, (char* t, int n, std::FILE* f), (t, n, f)),
        HILDA_TESTING_PASS_ON(BufferedFiles, fgetc, (std::FILE * f), (f)),
        replacement("printf", &on_printf),
        replacement("fprintf", &on_fprintf),
        replacement("__printf_chk", &on_fortified_printf),
        replacement("__fprintf_chk", &on_fortified_fprintf),
        of_stream<0, double>("_ZNSo9_M_insertIdEERSoT_"),
        of_stream<1, long>("_ZNSo9_M_insertIlEERSoT_"),
        of_stream<2, unsigned long>("_ZNSo9_M_insertImEERSoT_"),
        of_stream<3, bool>("_ZNSo9_M_insertIbEERSoT_"),
        of_stream<4, int>("_ZNSolsEi"),
        of_stream<5, char>("_ZNSo3putEc"),
        of_stream<6>("_ZNSo5flushEv"),
        of_stream<7, const char*, std::ptrdiff_t>("_ZNSo5writeEPKcl"),
        of_stream<8, const char*, std::ptrdiff_t>(
            "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l")};
    return all;
  }

private:
  static void note(const char* name) { CallWatch<BufferedFiles>::note(name); }

  __attribute__((format(printf, 1, 2))) static int on_printf(const char* format, ...) {
    note("printf");
    std::va_list arguments;
    va_start(arguments, format);
    const int written = std::vprintf(format, arguments);
    va_end(arguments);
    return written;
  }
  __attribute__((format(printf, 2, 3))) static int on_fprintf(std::FILE* file, const char* format, ...) {
    note("fprintf");
    std::va_list arguments;
    va_start(arguments, format);
    const int written = std::vfprintf(file, format, arguments);
    va_end(arguments);
    return written;
  }
  __attribute__((format(printf, 2, 3))) static int on_fortified_printf(int, const char* format, ...) {
    note("printf");
    std::va_list arguments;
    va_start(arguments, format);
    const int written = std::vprintf(format, arguments);
    va_end(arguments);
    return written;
  }
  __attribute__((format(printf, 3, 4))) static int on_fortified_fprintf(std::FILE* file, int, const char* format, ...) {
    note("fprintf");
    std::va_list arguments;
    va_start(arguments, format);
    const int written = std::vfprintf(file, format, arguments);
    va_end(arguments);
    return written;
  }

  /// A function of std::ostream by its name in the library: the stream, then the arguments.
  template <int number, typename... Arguments> struct OfStream {
    static inline void* (*real)(void*, Arguments...) = nullptr;
    static void* call(void* stream, Arguments... arguments) {
      note("a std::ostream");
      return real(stream, arguments...);
    }
  };
  template <int number, typename... Arguments> static Replacement of_stream(const char* symbol) {
    using Function = OfStream<number, Arguments...>;
    Function::real = reinterpret_cast<void* (*)(void*, Arguments...)>(dlsym(RTLD_DEFAULT, symbol));
    return {Function::real != nullptr ? symbol : "", reinterpret_cast<void*>(&Function::call)};
  }
};

/// Sees every call that reads or writes a file through a buffer.
using BufferedFileWatch = CallWatch<BufferedFiles>;

} // namespace hilda::testing

#endif
