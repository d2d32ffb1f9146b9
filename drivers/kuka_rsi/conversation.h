// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/answer_fate.h"
#include "drivers/kuka_rsi/cycle_clock.h"
#include "drivers/kuka_rsi/lost_cycles.h"
#include "drivers/kuka_rsi/robot_link.h"

namespace hilda::kuka {

/// The talk with the robot, cycle by cycle: what its telegrams show about the answers before them, about the time that
/// passed, and when the run cannot continue.
class Conversation {
public:
  struct Rules {
    double cycle = 4e-3;                          ///< s
    std::int64_t ipoc_step = 0;                   ///< 0: found out
    std::int64_t lost_in_a_row = 5, patience = 5; ///< patience: cycles in a row that the loop waits for
    double lost_share = 0.1, clock_drift = 0.01;
  };

  bool open(const EthernetFile& file, const Channel* status, const std::string& address, int port, const Rules& rules,
            std::string& problem);
  RobotLink& link() { return link_; }
  const RobotLink& link() const { return link_; }

  /// [loop] The next cycle of the robot. One that its count says was missed is LATE at once; one that comes after time
  /// continued without it has no tick and no answer.
  RobotLink::Awaited await(std::int64_t deadline, std::int64_t& arrival);
  /// [loop] A telegram came since the last time that this was asked.
  bool take_fresh() {
    const bool fresh = fresh_;
    if (fresh) fresh_ = unseen_ = false;
    return fresh;
  }
  /// [loop] From the tick that is called first on, lost cycles count.
  void count_from_now() { counting_ = true; }
  /// [loop] Answers the telegram taken last. What becomes of it the next ones tell.
  void answer(SensorTelegram& telegram);

  /// What the newest telegram shows about the last answer; unsaid before the first one.
  hilda_fate fate() const { return fate_; }
  /// In a row, without an answer that the robot took: now.
  std::int64_t missed() const { return lost_.in_a_row() + pending_ + silent_; }
  const LostCycles& lost() const { return lost_; }
  std::int64_t unwritten() const { return unwritten_; }
  /// Not in the loop: the next telegram before `deadline`, whatever was missed.
  RobotLink::Awaited await_last(std::int64_t deadline);

  /// RSI was restarted on the robot: nothing is sent any more.
  bool restarted() const { return anew_ || link_.sequence().restarted(); }

  /// Why the run cannot continue.
  enum class End : std::int64_t { none, in_a_row, share, drift, restart };
  End end() const;
  /// That in words; without a connection, as in a replay, in fewer of them.
  const char* words(End end);

private:
  std::int64_t time_since_tick(std::int64_t by_ipoc, const AnswerFate& answer) const;
  void hear();
  /// Telegrams are of the count that the robot began with: then they are answered.
  bool same_count() const;
  void ask_clock(AnswerFate& answer);
  void count(const AnswerFate& answer);
  void note_silence();

  RobotLink link_;
  Rules rules_;
  std::int64_t cycle_ = 4'000'000; ///< ns
  LostCycles lost_;
  CycleClock clock_;
  Sentence sentence_;

  bool ever_answered_ = false, answered_ = false, answered_late_ = false, counting_ = false;
  bool fresh_ = false, waiting_ = false;            ///< waiting: a telegram came, missed cycles are reported first
  bool delay_counts_ = false, delay_falls_ = false; ///< Delay was seen to rise, to fall
  bool anew_ = false;                               ///< Delay shows that RSI was restarted
  bool unseen_ = false;                             ///< the fate was not read yet
  std::int64_t answered_at_ = -1, answered_arrival_ = 0,
               delay_then_ = 0;                      ///< the telegram that was answered, or settled
  std::int64_t ticked_at_ = -1, ticked_arrival_ = 0; ///< the one of the last tick
  std::int64_t owed_ = 0, ahead_ = 0;                ///< missed cycles: not reported yet; reported too early
  std::int64_t pending_ = 0, silent_ = 0, unwritten_ = 0;
  std::int64_t heard_ = 0;        ///< telegrams since the one that was answered
  std::int64_t repeats_then_ = 0; ///< what the link had counted at that one
  std::int64_t stalled_ = 0;      ///< cycles since the last telegram for which this process did not run
  std::int64_t agreed_ = 0;       ///< telegrams in a row by whose clock the answer was lost, or not
  bool agreed_lost_ = false;
  hilda_fate fate_ = HILDA_FATE_UNSAID;
};

} // namespace hilda::kuka
