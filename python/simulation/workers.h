// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace hilda::python {

/// Threads that stay from one piece of work to the next. The caller's thread works, too. After a fork there is only
/// that one.
class Workers {
public:
  /// @param count  threads that work, with the caller's; 0 counts as 1
  explicit Workers(std::size_t count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Calls `work(i)` for each i below `count`. It must not throw.
  void run(std::size_t count, const std::function<void(std::size_t)>& work);

private:
  void serve();
  void work();

  const int owner_; ///< process
  std::vector<std::thread> threads_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};      ///< i that no thread has taken yet
  std::atomic<std::uint32_t> round_{0};   ///< a piece of work begins
  std::atomic<std::uint32_t> working_{0}; ///< threads that have not finished it
  std::atomic<bool> over_{false};
};

} // namespace hilda::python
