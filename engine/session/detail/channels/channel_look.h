// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"
#include "engine/session/detail/channels/channel_quality.h"

#include <string>
#include <vector>

namespace hilda::session {

/// The look at the measured channels before arming: takes a sample of each in every cycle that is held, then shows
/// what they are like. Channels are outputs of devices that are lengths, forces or torques, and those that `<quality>`
/// is on; what a device says of them itself goes by the names of its outputs `resolution`, `stale` and `age`.
class ChannelLook {
public:
  /// Takes all memory. @param seconds  how long to look, 1 at most
  void bind(const Runtime& runtime, double seconds);
  /// [loop] One held cycle.
  void sample() noexcept;
  /// [loop] One cycle in which nothing came; counts from the first sample on.
  void miss() noexcept;
  /// [loop] Enough was seen, or there is nothing to look at.
  bool done() const noexcept { return cycles_ >= wanted_ || channels_.empty(); }
  bool any() const { return !channels_.empty() && taken_ > 1; }
  std::vector<ChannelQuality> results() const;

private:
  struct Channel {
    std::string path, unit;
    QualityIndex quality{}; ///< none: nothing is asked of it
    const double* value = nullptr;
    std::size_t elements = 0;
    const double *resolution = nullptr, *age = nullptr; ///< of the same block, where it shows
    const unsigned char* stale = nullptr;
    std::vector<double> seen; ///< sample by sample
    double age_sum = 0;
    double told = 0; ///< resolution, as its block reported last: the loop continues while the results are made
    std::size_t fresh = 0;
  };
  void look_back(const Channel& channel, ChannelQuality& quality) const;
  double noise_of(const Channel& channel, std::size_t element) const;
  double step_of(const Channel& channel) const;

  std::vector<Channel> channels_;
  std::size_t taken_ = 0, cycles_ = 0, wanted_ = 0; ///< cycles: with those in which nothing came
  double period_ = 0;
};

} // namespace hilda::session
