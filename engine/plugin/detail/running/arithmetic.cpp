// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/arithmetic.h"

#include "engine/base/fnv.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <string>
#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/utsname.h>
#endif

#ifdef HILDA_MUSL
/// Of musl, as it was linked (cmake/Mathematics.cmake).
extern "C" const char hilda_musl_version[];
#endif

namespace hilda::plugin {
namespace {

using OfOne = double (*)(double);
using OfTwo = double (*)(double, double);

// Called through volatile pointers: a compiler folds sin(0.7) to its own value.
const volatile OfOne of_one[] = {std::sin,   std::cos,  std::tan,   std::asin,  std::acos,   std::atan,
                                 std::sinh,  std::cosh, std::tanh,  std::asinh, std::acosh,  std::atanh,
                                 std::exp,   std::exp2, std::expm1, std::log,   std::log2,   std::log10,
                                 std::log1p, std::cbrt, std::erf,   std::erfc,  std::lgamma, std::tgamma};
const volatile OfTwo of_two[] = {std::pow, std::atan2, std::hypot};

/// A value that is not a number counts as that alone: no one promises its sign and payload.
void add(Fnv& hash, double value) {
  if (std::isnan(value)) value = 0;
  hash.bytes(&value, sizeof value);
}

/// Arguments of every size that a diagram meets: an arithmetic sequence scaled by powers of two, nothing rounded.
/// glibc's variants give other bits for 0.25 to 1 of 1000 arguments of a function: of 20000 values about ten differ.
std::uint64_t fingerprint() {
  Fnv hash;
  constexpr int count = 400;
  for (int i = 0; i < count; ++i) {
    const double x = (i * 7919 % 20011 - 10005.5) * std::ldexp(1.0, i % 23 - 20);
    const double within = (i * 7919 % 20011 - 10005.5) / 16384;
    for (const volatile OfOne& function : of_one) add(hash, function(x)), add(hash, function(within));
    for (const volatile OfTwo& function : of_two)
      add(hash, function(std::abs(x), within)), add(hash, function(within, x));
  }
  return hash.value();
}

/// Its name and those of its units that glibc looks at. Asked of the processor itself, which an emulator answers too.
std::string processor() {
#if defined(__x86_64__)
  char name[49] = {};
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned words[4] = {};
    if (__get_cpuid(0x80000002u + leaf, &words[0], &words[1], &words[2], &words[3]) == 0) break;
    std::memcpy(name + leaf * sizeof words, words, sizeof words);
  }
  std::string units = "x86-64";
  if (__builtin_cpu_supports("avx")) units += " avx";
  if (__builtin_cpu_supports("avx2")) units += " avx2";
  if (__builtin_cpu_supports("fma")) units += " fma";
  if (__builtin_cpu_supports("fma4")) units += " fma4";
  if (__builtin_cpu_supports("avx512f")) units += " avx512f";
  const std::string text = name;
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return fmt::format("{} ({})", begin < text.size() ? text.substr(begin) : "unnamed", units);
#else
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown";
#endif
}

Arithmetic look() {
  Arithmetic found;
  found.c_library = std::string("glibc ") + gnu_get_libc_version();
#if defined(HILDA_MUSL_FUSED)
  found.where = "other bits of log, log2 and pow than on x86-64";
#elif defined(HILDA_MUSL)
  found.where = "the same on every processor";
#else
  found.where = "chosen by the processor";
#endif
#ifdef HILDA_MUSL
  const std::string library = std::string("musl ") + hilda_musl_version;
#else
  const std::string library = found.c_library;
#endif
  found.mathematics = fmt::format("{} (fingerprint {:016x})", library, fingerprint());
  found.processor = processor();
  return found;
}

} // namespace

const Arithmetic& arithmetic() {
  static const Arithmetic found = look();
  return found;
}

std::string other_mathematics(const std::string& recorded) {
  const std::string& here = arithmetic().mathematics;
  if (recorded == here) return {};
  if (recorded.empty())
    return "the log does not say which mathematical library it was made with (hilda 0.1.0 took the processor's own); "
           "here it is " +
           here + ": the last bits of sin, exp, pow and what follows from them may differ";
  return "the log was made with another mathematical library: " + recorded + ", here it is " + here +
         ": the last bits of sin, exp, pow and what follows from them may differ";
}

} // namespace hilda::plugin
