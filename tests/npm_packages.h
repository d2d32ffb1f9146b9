// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/shell.h"

#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <sys/file.h>

namespace hilda::test {

/// Installs npm's packages of SOURCES/package-lock.json in another folder, once for all tests, and puts scripts of
/// SOURCES next to them; an empty text, or why it cannot.
inline std::string install_packages(const std::filesystem::path& sources, const std::filesystem::path& installed,
                                    std::initializer_list<const char*> scripts) {
  if (run("node --version 2>&1").status != 0) return "node is not installed";
  std::filesystem::create_directories(installed);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> lock(std::fopen((installed / "lock").c_str(), "we"),
                                                             &std::fclose);
  if (!lock || ::flock(::fileno(lock.get()), LOCK_EX) != 0) return "the build folder cannot be written";
  const std::string up_to_date =
      "cmp -s '" + (sources / "package-lock.json").string() + "' '" + (installed / "installed.json").string() + "'";
  constexpr auto over = std::filesystem::copy_options::overwrite_existing;
  if (run(up_to_date).status != 0) {
    for (const char* name : {"package.json", "package-lock.json"})
      std::filesystem::copy_file(sources / name, installed / name, over);
    const Output npm = run("cd '" + installed.string() +
                           "' && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 2>&1");
    if (npm.status != 0)
      return "npm cannot install the packages of " + (sources / "package.json").string() + ":\n" + npm.text;
    std::filesystem::copy_file(sources / "package-lock.json", installed / "installed.json", over);
  }
  for (const char* script : scripts) std::filesystem::copy_file(sources / script, installed / script, over);
  return {};
}

} // namespace hilda::test
