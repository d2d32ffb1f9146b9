#pragma once

#include "engine/run/runtime.h"

#include <string>
#include <vector>

namespace hilda {

/// What a measured channel is like while its device stands still. A negative number: not known.
struct ChannelQuality {
  std::string path;       ///< "rig.robot.pose"; of a pose the position
  std::string unit;       ///< "m"
  double resolution = -1; ///< smallest step that it can make, or the smallest that was seen
  double noise = -1;      ///< standard deviation of the worst element
  double age = -1;        ///< s, mean
  double rate = -1;       ///< fresh samples a second
};

/// The look at the measured channels before arming: takes a sample of each in every cycle that is held, then tells
/// what they are like. Channels are outputs of devices that are metres or newtons; what a device says of them itself
/// goes by the names of its outputs `resolution`, `stale` and `age`.
class ChannelLook {
public:
  /// Takes all memory. @param seconds  how long to look
  void bind(const Runtime& runtime, double seconds);
  /// [loop] One held cycle.
  void sample() noexcept;
  /// [loop] Enough was seen, or there is nothing to look at.
  bool done() const noexcept { return taken_ >= wanted_ || channels_.empty(); }
  bool any() const { return !channels_.empty() && taken_ > 1; }
  std::vector<ChannelQuality> results() const;

private:
  struct Channel {
    std::string path, unit;
    const double* value = nullptr;
    std::size_t elements = 0;
    const double *resolution = nullptr, *age = nullptr; ///< of the same block, where it tells
    const unsigned char* stale = nullptr;
    std::vector<double> seen; ///< sample by sample
    double age_sum = 0;
    std::size_t fresh = 0;
  };
  double noise_of(const Channel& channel, std::size_t element) const;
  double step_of(const Channel& channel) const;

  std::vector<Channel> channels_;
  std::size_t taken_ = 0, wanted_ = 0;
  double period_ = 0;
};

/// The contact that a diagram is about, as far as its parameters tell.
struct ContactFacts {
  double speed = 0, stiffness = 0, mass = 0; ///< SI; 0: not told
  double period = 0;                         ///< s, of the loop

  static ContactFacts of(const System& system);
  /// How deep the tool goes in, m; 0: not known.
  double depth() const;
};

/// What a channel's coarseness and lateness do to the identified stiffness (a share) and to the energy of a contact (a
/// factor). Negative: not known.
struct ChannelEffect {
  double stiffness = -1, energy = -1;
};
ChannelEffect effect_of(const ChannelQuality& channel, const ContactFacts& contact);

/// The table, line by line.
std::string channel_table(const std::vector<ChannelQuality>& channels, const ContactFacts& contact);

} // namespace hilda
