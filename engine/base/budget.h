// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace hilda::base {

/// What a piece of work may take. 0: no limit.
struct Budget {
  std::uint64_t memory = 0; ///< bytes that the process holds
  double time = 0;          ///< s of processor time
};

/// The budget of this process: of the environment's HILDA_BUDGET_MEMORY (bytes, or such as "4GB") and
/// HILDA_BUDGET_TIME (s), else half of the machine's memory, and 120 s to load a diagram. May be changed before work
/// begins.
Budget& budget();

/// The fault of HILDA_BUDGET_MEMORY or HILDA_BUDGET_TIME, which then has no effect; empty: there is none.
std::string fault_of_environment();

/// "4 GB", "512MB", "1000000"; false where it is not a size.
bool read_size(const std::string& text, std::uint64_t& bytes);

/// Where the work is: for the message that names what took so much. Any thread; costs two stores.
void working_at(Location where) noexcept;
/// ", while the work was at FILE:LINE", or nothing.
std::string working_place();

/// Watches a piece of work from a separate thread, for as long as it lives, and calls `spent` with an explanation
/// once more than the budget is taken. `spent` does not return to the work: it ends the process.
class BudgetGuard {
public:
  BudgetGuard(Budget most, std::function<void(const std::string&)> spent);
  ~BudgetGuard();
  BudgetGuard(const BudgetGuard&) = delete;
  BudgetGuard& operator=(const BudgetGuard&) = delete;

private:
  void watch();
  std::string excess() const;

  const Budget most_;
  const double began_;
  const std::function<void(const std::string&)> spent_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

/// Bytes of memory that the process holds now, and of address space that it has taken.
std::uint64_t memory_held();
std::uint64_t address_space();

} // namespace hilda::base
