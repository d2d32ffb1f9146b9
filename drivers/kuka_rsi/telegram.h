// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/ethernet_file.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace hilda::kuka {

/// X Y Z A B C (mm, deg) or A1 to A6 (deg), as on the wire.
using Six = std::array<double, 6>;

struct SixValues {
  Six value{};
  unsigned present = 0; ///< a bit each
  int decimals = 0;     ///< the most that a value was written with: the robot's resolution
  bool complete() const { return present == 0x3F; }
};

/// Robot to PC: `<Rob Type="KUKA">` with what the ethernet file's SEND lists. Wire units.
struct RobotTelegram {
  SixValues pose;            ///< RIst: actual
  SixValues setpoint;        ///< RSol
  SixValues joints;          ///< AIPos: actual
  SixValues joint_setpoints; ///< ASPos
  std::int64_t delay = 0;    ///< D: answers that did not come in time; -1: it came and is not a count
  bool has_delay = false;
  std::int64_t ipoc = -1;
  double status = 0; ///< of the channel that the user names
  bool has_status = false;
};

/// PC to robot: `<Sen Type="SENTYPE">`, one value for each channel of the ethernet file's RECEIVE. Wire units.
struct SensorTelegram {
  std::array<double, EthernetFile::most_channels> value{};
  std::uint64_t present = 0; ///< a bit a channel
  std::int64_t ipoc = -1;
};

/// How a telegram was read.
struct Reading {
  enum class Verdict {
    sound,
    unusable, ///< its IPOC is known, so it can be answered; a value is missing, no number or not finite
    malformed ///< no telegram, or one without an IPOC
  };
  Verdict verdict = Verdict::sound;
  const char* why = ""; ///< literal; empty where sound
  std::size_t at = 0;   ///< byte
};

/// Reads a robot's telegram. All that `file` says is sent must be there; what it does not know is let pass, but nothing
/// may come twice. `status` is a channel of file.send or null. Never allocates.
Reading read_robot_telegram(std::string_view bytes, const EthernetFile& file, const Channel* status,
                            RobotTelegram& telegram);
/// Reads a PC's telegram. Channels may be missing; see `present`. Never allocates.
Reading read_sensor_telegram(std::string_view bytes, const EthernetFile& file, SensorTelegram& telegram);

} // namespace hilda::kuka
