// SPDX-License-Identifier: BSD-3-Clause
#include "tests/pictures/browser.h"
#include "tests/project_folders.h"

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <sys/file.h>
#include <sys/wait.h>

namespace hilda::test {
namespace {

const std::filesystem::path sources = source_folder() + "/tests/pictures";
const std::filesystem::path installed = build_folder() + "/tests/pictures";

} // namespace

std::filesystem::path page_pictures() { return build_folder() + "/artefacts/page"; }

std::string browser() {
  std::string path = run("command -v chromium || command -v chromium-browser || command -v google-chrome").text;
  if (!path.empty()) path.pop_back();
  return path;
}

std::string install_driver() {
  std::filesystem::create_directories(installed);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> lock(std::fopen((installed / "lock").c_str(), "we"),
                                                             &std::fclose);
  if (!lock || ::flock(::fileno(lock.get()), LOCK_EX) != 0) return "the build folder cannot be written";
  constexpr auto replace = std::filesystem::copy_options::overwrite_existing;
  const std::string up_to_date =
      "cmp -s '" + (sources / "package-lock.json").string() + "' '" + (installed / "installed.json").string() + "'";
  if (run(up_to_date).status != 0) {
    for (const char* name : {"package.json", "package-lock.json"})
      std::filesystem::copy_file(sources / name, installed / name, replace);
    const Output npm =
        run("cd '" + installed.string() + "' && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 2>&1");
    if (npm.status != 0) return "npm cannot install the packages of tests/pictures/package.json:\n" + npm.text;
    std::filesystem::copy_file(sources / "package-lock.json", installed / "installed.json", replace);
  }
  for (const char* script : {"look_at_page.mjs", "look_at_still_page.mjs"})
    std::filesystem::copy_file(sources / script, installed / script, replace);
  return {};
}

nlohmann::json looked_at(const std::filesystem::path& page, const std::string& name, const std::string& script) {
  std::filesystem::create_directories(page_pictures() / name);
  const Output node = run("cd '" + installed.string() + "' && timeout 200 node " + script + " '" + browser() + "' '" +
                          page.string() + "' '" + (page_pictures() / name).string() + "' 2>&1");
  if (node.status != 0) throw std::runtime_error(node.text);
  return nlohmann::json::parse(node.text);
}

} // namespace hilda::test
