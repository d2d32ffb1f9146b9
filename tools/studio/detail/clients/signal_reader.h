// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

#include <span>
#include <string>
#include <vector>

namespace hilda::studio {

/// ServedSignals, or parts of them, as columns of numbers out of a run's samples.
class FrameReader {
public:
  /// One element of a signal.
  struct Column {
    std::string name, unit;
  };

  /// Why there is no such signal, in words; empty: its elements are columns now.
  std::string add(const std::string& signal, const ServedSignals& signals);
  const std::vector<Column>& columns() const { return columns_; }
  /// Is any column due at this tick? Those that are not keep their value.
  bool take(const TickSamples& samples);
  /// NaN before the first sample.
  std::span<const double> latest() const { return latest_; }

private:
  struct Source {
    std::size_t group = 0, offset = 0;
    LogElement element = LogElement::f64;
  };
  static double read(const Source& source, const std::byte* data);

  std::vector<Source> sources_;
  std::vector<Column> columns_;
  std::vector<double> latest_;
};

} // namespace hilda::studio
