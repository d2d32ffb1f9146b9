// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::session {

/// What a measured channel is like while its device is at rest. A negative number: not known.
struct ChannelQuality {
  std::string path;       ///< "rig.robot.pose"; of a pose the position
  std::string unit;       ///< "m"
  double resolution = -1; ///< smallest step that it can make, or the smallest that was seen
  double noise = -1;      ///< standard deviation of the worst element
  double age = -1;        ///< s, mean
  double rate = -1;       ///< fresh samples a second
  QualityIndex quality{}; ///< none: nothing is asked of it

  double value(QualityLimits::Kind kind) const;
};

/// The contact that a diagram is about, as far as its parameters tell.
struct ContactFacts {
  double speed = 0, stiffness = 0, mass = 0; ///< SI; 0: not reported
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

/// Whether each channel is what `<quality>` asks for.
bool meets_quality(const std::vector<ChannelQuality>& channels, const System& system);
/// Reports each that is not, with both figures, what it does to a contact and what to do.
void report_quality(const std::vector<ChannelQuality>& channels, const System& system, Diagnostics& diagnostics);

} // namespace hilda::session
