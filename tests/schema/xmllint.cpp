// SPDX-License-Identifier: BSD-3-Clause
#include "xmllint.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

namespace hilda::test {

std::set<std::string> accepted(const Workplace& place, const std::string& schema,
                               const std::vector<std::string>& files) {
  std::string names;
  for (const std::string& file : files) names += file + "\n";
  place.write("files.txt", names);
  const std::string kind = schema.ends_with(".rng") ? "--relaxng " : "--schema ";
  const std::string line = "cd '" + place.path().string() + "' && xargs -d '\\n' xmllint --noout " + kind + schema +
                           " <files.txt >verdicts.txt 2>&1";
  const int status = std::system(line.c_str());
  constexpr int not_found = 127;
  EXPECT_NE(WEXITSTATUS(status), not_found) << "xmllint is missing: apt-get install libxml2-utils";
  std::set<std::string> good;
  std::istringstream verdicts(place.read("verdicts.txt"));
  const std::string end = " validates";
  for (std::string verdict; std::getline(verdicts, verdict);)
    if (verdict.ends_with(end)) good.insert(verdict.substr(0, verdict.size() - end.size()));
  return good;
}

} // namespace hilda::test
