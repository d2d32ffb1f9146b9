// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// When a contact begins and ends, and when its rebound may be read.

#include <cstdint>
#include <hilda/types.h>

namespace hilda {

/// The measured signs of one pair of walls at a tick.
struct ContactSigns {
  bool truth = false;    ///< the true wall force decides; else the measured one, through the gate
  bool touching = false; ///< the force that decides says that there is contact
  double force = 0.0;    ///< signed: above 0 on the wall that the normal points into; 0: does not tell
  bool gate = false;     ///< the measured force counts as contact
  bool pushed = false;   ///< a force still moves the body
};

/// Follows the contacts with one pair of walls.
///
/// With the true force a contact lasts as long as that: it ends where the force is over or the other wall is met, so
/// none is lost however short the flight is. With the measured force alone, which has noise, it ends where the gate has
/// been open for three ticks, or where the force changes to the other wall.
/// After its end the sensor's delay may still show it, and forces then act. It is released where that is quiet; where
/// the gate has not seen it at all, after a patience.
struct ContactPhase {
  enum Stage { idle, pressing, ringing, released };

  int stage = idle;
  double side = 0.0;      ///< of the wall that is or was touched: 1 or -1
  std::int64_t open = 0;  ///< ticks without touch since the contact
  std::int64_t quiet = 0; ///< ticks on end at which all is quiet
  bool seen = false;      ///< the gate has closed since the contact began
  bool gate = false;      ///< at the tick before

  /// What happened at this tick. Several may: a contact may end and the next begin at once.
  struct Events {
    bool ended = false;     ///< the contact is to be counted
    bool overtaken = false; ///< the next one begins before it was released
    bool begun = false;     ///< a contact begins
    bool released = false;  ///< its rebound is that of the first of these quiet ticks
  };

  static constexpr int packed_size = 6;
  Fixed<packed_size> packed() const {
    Fixed<packed_size> p;
    p << stage, side, static_cast<double>(open), static_cast<double>(quiet), seen ? 1.0 : 0.0, gate ? 1.0 : 0.0;
    return p;
  }
  static ContactPhase unpacked(const Fixed<packed_size>& p) {
    // what a checkpoint of another hand says may be no stage, and no number of ticks
    const auto whole = [](double number) {
      return number >= 0.0 && number < 1e15 ? static_cast<std::int64_t>(number) : std::int64_t{0};
    };
    ContactPhase c;
    const std::int64_t there = whole(p[0]);
    c.stage = there <= released ? static_cast<int>(there) : static_cast<int>(idle), c.side = p[1];
    c.open = whole(p[2]), c.quiet = whole(p[3]);
    c.seen = p[4] != 0.0, c.gate = p[5] != 0.0;
    return c;
  }

  /// @param speed     along the normal, for a contact whose force does not tell its side
  /// @param patience  ticks after which a contact that the gate has not seen was too weak for it
  Events step(const ContactSigns& now, double speed, std::int64_t patience) {
    Events events;
    const bool closing = now.gate && !gate;
    gate = now.gate;
    if (now.touching) {
      touched(now, speed, events);
      seen = seen || closing;
      return events;
    }
    seen = seen || closing;
    if (stage == idle) return events;
    if (stage == pressing) {
      stage = ringing, open = quiet = 0;
      events.ended = now.truth;
    }
    open += 1;
    if (!now.truth && open == chatter) events.ended = true;
    const bool still = stage == released || (!now.gate && !now.pushed);
    quiet = still ? quiet + 1 : 0;
    const std::int64_t needed = !now.truth ? chatter : seen ? 1 : patience;
    if (stage == ringing && still && (now.truth ? quiet : open) >= needed) {
      stage = released;
      events.released = true;
    }
    return events;
  }

private:
  static constexpr std::int64_t chatter = 3; ///< ticks: a gate that is open for less has only chattered

  void touched(const ContactSigns& now, double speed, Events& events) {
    const bool other = stage != idle && now.force * side < 0.0;
    if (stage == pressing && !other) return;
    if (stage == ringing && !now.truth && !other && open < chatter) {
      stage = pressing;
      return;
    }
    events.ended = stage == pressing || (stage == ringing && !now.truth && open < chatter);
    events.overtaken = stage == pressing || stage == ringing;
    events.begun = true;
    stage = pressing;
    side = (now.force != 0.0 ? now.force : speed) >= 0.0 ? 1.0 : -1.0;
    open = quiet = 0;
    seen = false;
  }
};

} // namespace hilda
