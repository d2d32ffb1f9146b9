// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/left_behind.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hilda::base {
namespace {

namespace fs = std::filesystem;

const std::string tasks = "/proc/self/task/";

/// The number that a text begins with; 0: none.
int number_of(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The entries of a folder that are numbers.
std::set<int> numbers_in(const std::string& folder) {
  std::set<int> all;
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone))
    if (const int number = number_of(at->path().filename().native()); number > 0) all.insert(number);
  return all;
}

std::set<int> threads_now() { return numbers_in(tasks); }

/// "123 (name) S 45 ...": 45. The name may have spaces and parentheses. 0: the process has gone.
int parent_of(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != text.npos && name_end + 4 < text.size() ? number_of(std::string_view(text).substr(name_end + 4))
                                                             : 0;
}

/// The list of all processes is long: it is read only where there is a child at all.
std::set<int> children_now() {
  siginfo_t unused;
  if (waitid(P_ALL, 0, &unused, WEXITED | WNOHANG | WNOWAIT) != 0) return {};
  std::set<int> all = numbers_in("/proc");
  std::erase_if(all, [self = getpid()](int process) { return parent_of(process) != self; });
  return all;
}

std::string name_of(const std::string& file) {
  std::ifstream stream(file);
  std::string name;
  std::getline(stream, name);
  return name.empty() ? "nameless" : name;
}

std::vector<int> new_ones(const std::set<int>& before, const std::set<int>& now) {
  std::vector<int> fresh;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(fresh));
  return fresh;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many, std::set<std::string> names) {
  constexpr std::size_t shown = 5;
  const bool more = names.size() > shown;
  if (more) names.erase(std::next(names.begin(), shown), names.end());
  return fmt::format("{} {} ({}{})", count, count == 1 ? one : many, fmt::join(names, ", "), more ? ", ..." : "");
}

} // namespace

LeftBehind::LeftBehind() : threads_(threads_now()), children_(children_now()) {}

std::vector<std::string> LeftBehind::found() const {
  using namespace std::chrono_literals;
  std::vector<int> threads = new_ones(threads_, threads_now());
  for (int look = 0; look < 100 && !threads.empty(); ++look) {
    std::this_thread::sleep_for(2ms);
    threads = new_ones(threads_, threads_now());
  }
  const std::vector<int> children = new_ones(children_, children_now());
  std::vector<std::string> all;
  std::set<std::string> names;
  for (const int thread : threads) names.insert(name_of(tasks + std::to_string(thread) + "/comm"));
  if (!threads.empty()) all.push_back(counted(threads.size(), "thread", "threads", names));
  names.clear();
  for (const int child : children) names.insert(name_of("/proc/" + std::to_string(child) + "/comm"));
  if (!children.empty()) all.push_back(counted(children.size(), "process", "processes", names));
  return all;
}

bool LeftBehind::report(const Location& where, const std::set<std::string>& plugins, Diagnostics& diagnostics) const {
  const std::vector<std::string> all = found();
  if (all.empty()) return true;
  std::set<std::string> names;
  for (const std::string& path : plugins) names.insert(fs::path(path).filename());
  diagnostics.warning(
      "plugin-leaves", where,
      fmt::format("a plugin has started what is still there after the run, when its blocks are gone: {}",
                  fmt::join(all, " and ")),
      fmt::format("let the block end them in stop or in its destructor; hilda test-plugin shows which block it is. "
                  "The plugins are: {}",
                  fmt::join(names, ", ")));
  return false;
}

} // namespace hilda::base
