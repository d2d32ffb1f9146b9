// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <hilda/abi.h>

namespace hilda::kuka {

/// What a telegram shows about the last answer, and about the time since.
struct AnswerFate {
  hilda_fate fate = HILDA_FATE_UNSAID;
  std::int64_t cycles = 1; ///< of the robot since the telegram that was answered
};

/// Facts about it, between the telegram that was answered and the newest.
struct AnswerTrace {
  std::int64_t by_ipoc = 1;                   ///< cycles by IPOC, at least 1
  std::int64_t by_clock = 1;                  ///< cycles by the arrivals, rounded
  std::int64_t delay_then = 0, delay_now = 0; ///< negative: not readable
  bool delay_counts = false;                  ///< it was seen to rise
  bool delay_falls = false;                   ///< it was seen to fall: it counts in a row
  std::int64_t heard = 1;                     ///< telegrams that came since: so many cycles at least
  std::int64_t repeats = 0;                   ///< telegrams that came half a cycle or more later with the same IPOC
};

/// The robot's Delay rises by one in each cycle without an answer; on some it begins at zero with each that it takes.
/// All cycles but the first can have had none, since their telegrams were not answered. So Delay has risen by all of
/// them, and the answer was lost, or by one less, and it was taken. Anything else is a contradiction. Where it has not
/// risen at all, IPOC leapt, or, by the clock, the robot does not count; else nothing is known, and a cycle without an
/// answer has to clear it.
///
/// IPOC may keep its value for a cycle: its telegram comes again and gets no answer. Then the cycles by IPOC are too
/// few, and an answer that was taken looks like a lost one. The wire may repeat a telegram too: the clock decides.
inline AnswerFate answer_fate(const AnswerTrace& t) {
  const std::int64_t cycles = t.by_ipoc > 1 ? t.by_ipoc : 1;
  if (t.delay_now < 0 || t.delay_then < 0) return {HILDA_FATE_UNKNOWN, cycles};
  const std::int64_t grown = t.delay_now - t.delay_then;
  const bool in_a_row = t.delay_falls || grown < 0;
  if (grown == cycles && t.repeats > 0) return {HILDA_FATE_UNKNOWN, cycles};
  if (grown == cycles) return {HILDA_FATE_LOST, cycles};
  if (grown == cycles - 1 || (in_a_row && t.delay_now == cycles - 1))
    return {cycles == 1 ? HILDA_FATE_TAKEN : HILDA_FATE_STOOD, cycles};
  // It counts from the answer that it took, whatever IPOC says.
  if (in_a_row && t.heard > 1 && t.delay_now == t.heard - 1) return {HILDA_FATE_STOOD, t.heard};
  if (grown != 0) return {HILDA_FATE_UNKNOWN, cycles};
  const bool leapt = t.delay_counts || t.by_clock <= 1;
  if (leapt && t.heard > 1) return {HILDA_FATE_UNKNOWN, cycles}; // it was at rest meanwhile, and does not report that
  return leapt ? AnswerFate{HILDA_FATE_TAKEN, 1} : AnswerFate{HILDA_FATE_STOOD, cycles};
}

/// Whether the robot's Delay has risen by the cycles of a silence, in which it can have taken no answer. Where it has
/// not, RSI was restarted meanwhile: corrections count from another pose.
inline bool counted_on(const AnswerTrace& t) {
  constexpr std::int64_t rounding = 1;
  return t.delay_now < 0 || t.delay_now + 1 + rounding >= std::min(t.by_ipoc, t.by_clock);
}

} // namespace hilda::kuka
