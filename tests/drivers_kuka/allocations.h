// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace hilda::kuka::test {

/// Counts what `new` is asked for on this thread, in the blocks' library too, since its own construction.
class Allocations {
public:
  Allocations();
  std::int64_t count() const;

private:
  std::int64_t before_;
};

} // namespace hilda::kuka::test
