// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log.h"
#include "tools/modules.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hilda::graphics::report {

/// One number of a log over time, as the page gets it.
struct PageSignal {
  std::string name;                         ///< "rig.sensor.measured.force.x"
  std::string block_type, unit, doc, field; ///< field: "measured.force" or "measured", for people
  std::size_t samples = 0;
  double low = 0, high = 0;   ///< of all finite samples
  bool constant = true;       ///< then `low` is its value, if it has any
  bool finite = true;         ///< false: NaN or infinities occur
  std::size_t kept = 0;       ///< numbers in `data`
  std::string data;           ///< encoded; empty where constant, or not requested
  std::vector<double> values; ///< as they are
  std::size_t width = 4;      ///< bytes a number
  int axis = -1;              ///< index into PageSignals::axes
  bool held = false;          ///< a value lasts until the next sample
  double gap = 0;             ///< s between samples from which on nothing is known in between; 0: there are none
};

/// Instants of samples: begin + i step while it is uniform, else encoded.
struct PageAxis {
  double begin = 0, step = 0; ///< s
  std::size_t count = 0;
  std::string data;
  std::size_t width = 8;
  std::vector<double> times; ///< each as it is, s
};

struct PageSignals {
  std::vector<PageSignal> signals; ///< every element, in the log's order
  std::vector<PageAxis> axes;
};

/// How much of a log a page keeps.
struct SignalLimits {
  std::size_t one = 2'000'000; ///< samples of a signal
  std::size_t all = 4'000'000; ///< samples of all signals together
  bool encoded = true;         ///< for scripts of the page, too
};

/// Reads every signal of a log, in two passes and with memory for what is kept.
///
/// A signal of more samples than the limits leave it is kept as least and greatest value of as many groups of samples
/// as fit.
PageSignals read_signals(Log& log, const SignalLimits& limits);

/// Every element of a log with its unit and range, without samples, in one pass.
std::vector<PageSignal> measured_signals(Log& log);

} // namespace hilda::graphics::report
