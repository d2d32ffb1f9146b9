// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/budget.h"

#include "engine/base/plain_number.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pthread.h>
#include <signal.h>
#include <string_view>
#include <unistd.h>

namespace hilda::base {
namespace {

constexpr double time_to_load = 120; // s
constexpr std::chrono::milliseconds between_looks{10};

std::atomic<const std::string*> current_file{nullptr};
std::atomic<int> current_line{0};

double processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr const char* memory_variable = "HILDA_BUDGET_MEMORY";
constexpr const char* time_variable = "HILDA_BUDGET_TIME";

/// Seconds from 0 on; none where it is something else.
std::optional<double> time_from(const std::string& text) {
  const std::optional<double> seconds = plain_number(text);
  return seconds && *seconds >= 0 ? seconds : std::nullopt;
}

Budget from_environment() {
  Budget made;
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  made.memory = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
  made.time = time_to_load;
  if (const char* text = std::getenv(memory_variable)) read_size(text, made.memory);
  if (const char* text = std::getenv(time_variable)) made.time = time_from(text).value_or(made.time);
  return made;
}

/// Bytes, by the place in /proc/self/statm, which counts pages: all, those in memory, ...; 0 where it cannot be read.
std::uint64_t memory_of_process(int place) {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  std::array<char, 128> line{};
  const bool read = std::fgets(line.data(), static_cast<int>(line.size()), file) != nullptr;
  std::fclose(file);
  if (!read) return 0;
  char* at = line.data();
  std::uint64_t pages = 0;
  for (int i = 0; i <= place; ++i) pages = std::strtoull(at, &at, 10);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

} // namespace

Budget& budget() {
  static Budget of_process = from_environment();
  return of_process;
}

std::string fault_of_environment() {
  std::uint64_t bytes = 0;
  if (const char* text = std::getenv(memory_variable); text != nullptr && *text != '\0' && !read_size(text, bytes))
    return std::string(memory_variable) + ": '" + text + "' is not a size, such as 4GB";
  if (const char* text = std::getenv(time_variable); text != nullptr && *text != '\0' && !time_from(text))
    return std::string(time_variable) + ": '" + text + "' is not a number of seconds from 0 on, such as 120";
  return {};
}

bool read_size(const std::string& text, std::uint64_t& bytes) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit[0] == ' ') unit.remove_prefix(1);
  const double factor = unit.empty() || unit == "B" ? 1
                        : unit == "kB"              ? 1e3
                        : unit == "MB"              ? 1e6
                        : unit == "GB"              ? 1e9
                                                    : 0;
  if (error != std::errc{} || factor == 0 || !(number >= 0) || number * factor > 1e18) return false;
  bytes = static_cast<std::uint64_t>(number * factor);
  return true;
}

void working_at(Location where) noexcept {
  current_line.store(where.line, std::memory_order_relaxed);
  current_file.store(where.file, std::memory_order_relaxed);
}

std::string working_place() {
  const std::string* const file = current_file.load(std::memory_order_relaxed);
  if (file == nullptr) return {};
  return ", while the work was at " + *file + ":" + std::to_string(current_line.load(std::memory_order_relaxed));
}

std::uint64_t memory_held() { return memory_of_process(1); }

std::uint64_t address_space() { return memory_of_process(0); }

BudgetGuard::BudgetGuard(Budget most, std::function<void(const std::string&)> spent)
    : most_(most), began_(processor_time()), spent_(std::move(spent)) {
  if (most_.memory == 0 && most_.time == 0) return;
  // signals are for the threads that know what to do about them
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

BudgetGuard::~BudgetGuard() {
  over_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
  working_at({});
}

void BudgetGuard::watch() {
  while (!over_.load(std::memory_order_relaxed)) {
    if (const std::string text = excess(); !text.empty()) return spent_(text);
    std::this_thread::sleep_for(between_looks);
  }
}

std::string BudgetGuard::excess() const {
  if (most_.memory > 0)
    if (const std::uint64_t held = memory_held(); held > most_.memory)
      return "the budget of memory, " + megabytes(most_.memory) + ", is spent: " + megabytes(held) + " are held" +
             working_place() + "\nhelp: make it smaller, or give more: --budget-memory SIZE or HILDA_BUDGET_MEMORY";
  if (most_.time > 0)
    if (const double took = processor_time() - began_; took > most_.time)
      return "the budget of time, " + std::to_string(static_cast<long long>(most_.time)) +
             " s of a processor, is spent" + working_place() +
             "\nhelp: make it smaller, or give more: --budget-time SECONDS or HILDA_BUDGET_TIME";
  return {};
}

} // namespace hilda::base
