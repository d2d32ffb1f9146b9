// SPDX-License-Identifier: BSD-3-Clause
// What a log says of the arithmetic behind its bits.

#include "engine/plugin/arithmetic.h"
#include "tests/modules.h"

#include <fstream>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

/// Logs of earlier releases hold it: with the same library it must stay.
TEST(Arithmetic, HasTheFingerprintThatItHadInEarlierReleases) {
  if (std::string(arithmetic().where) != "the same on every processor") GTEST_SKIP() << "of another library";
  EXPECT_EQ(arithmetic().mathematics, "musl 1.2.3 (fingerprint c8dc5d497232fa7e)");
}

TEST(Arithmetic, NamesTheProcessorAsTheSystemDoes) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string name;
  for (std::string line; std::getline(cpuinfo, line) && name.empty();)
    if (line.rfind("model name", 0) == 0) name = line.substr(std::min(line.find(": ") + 2, line.size()));
  if (name.empty()) GTEST_SKIP() << "the system does not say";
  EXPECT_EQ(arithmetic().processor.substr(0, name.size()), name);
}

#if defined(__x86_64__)
/// glibc chooses by these which sin it takes.
TEST(Arithmetic, NamesTheProcessorsUnitsAsTheSystemDoes) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string flags;
  for (std::string line; std::getline(cpuinfo, line) && flags.empty();)
    if (line.rfind("flags", 0) == 0) flags = line.substr(line.find(':') + 1) + " ";
  if (flags.empty()) GTEST_SKIP() << "the system does not say";
  std::string units = "(x86-64";
  for (const char* unit : {"avx", "avx2", "fma", "fma4", "avx512f"})
    if (flags.find(std::string(" ") + unit + " ") != std::string::npos) units += std::string(" ") + unit;
  const std::string& processor = arithmetic().processor;
  EXPECT_EQ(processor.substr(processor.rfind('(')), units + ")");
}
#endif

TEST(Arithmetic, OfAnotherLogIsSaidWhereItDiffers) {
  EXPECT_EQ(other_mathematics(arithmetic().mathematics), "");
  EXPECT_NE(other_mathematics("glibc 1.0 (fingerprint 0)").find("glibc 1.0 (fingerprint 0)"), std::string::npos);
}

} // namespace
} // namespace hilda::test
