// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <vector>

namespace hilda::run {

/// A step of a method of which the states can be had at every time.
class DenseOutput {
public:
  virtual ~DenseOutput() = default;
  virtual double from() const = 0;
  virtual double to() const = 0;
  /// [loop] The states at a time between from() and to().
  virtual void at(double t, std::vector<double>& x) = 0;
};

} // namespace hilda::run
