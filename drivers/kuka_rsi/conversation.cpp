// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/conversation.h"

#include <algorithm>

namespace hilda::kuka {

namespace {

/// Cycles of silence from which on RSI may have been restarted on the robot.
constexpr std::int64_t shortest_restart = 5;

} // namespace

bool Conversation::open(const EthernetFile& file, const Channel* status, const std::string& address, int port,
                        const Rules& rules, std::string& problem) {
  rules_ = rules;
  cycle_ = std::llround(rules.cycle * 1e9);
  lost_.begin({rules.lost_in_a_row, rules.lost_share, 2, rules.cycle});
  clock_.begin(cycle_);
  ever_answered_ = answered_ = answered_late_ = counting_ = fresh_ = waiting_ = unseen_ = delay_counts_ = delay_falls_ =
      anew_ = false;
  answered_at_ = ticked_at_ = -1;
  owed_ = ahead_ = pending_ = silent_ = unwritten_ = agreed_ = stalled_ = heard_ = repeats_then_ = 0;
  fate_ = HILDA_FATE_UNSAID;
  return link_.open(file, status, address, port, cycle_, rules.ipoc_step, problem);
}

RobotLink::Awaited Conversation::await(std::int64_t deadline, std::int64_t& arrival) {
  using Awaited = RobotLink::Awaited;
  if (owed_ > 0) return --owed_, Awaited::late;
  while (!waiting_) {
    const Awaited awaited = link_.await(deadline, arrival);
    if (awaited == Awaited::late) note_silence();
    if (awaited != Awaited::came) return awaited;
    hear();
    // Its cycle was reported before it came. The loop counts its deadline from an older one: the next must not be
    // reported early, too.
    if (!waiting_ && same_count())
      deadline = std::max(deadline, link_.arrival() + (2 * rules_.patience + 3) * cycle_ / 2);
  }
  if (owed_ > 0) return --owed_, Awaited::late;
  waiting_ = false;
  fresh_ = true;
  arrival = link_.arrival();
  return Awaited::came;
}

bool Conversation::same_count() const { return !restarted() && !link_.sequence().leapt(); }

/// The device is silent, and time continues without it.
void Conversation::note_silence() {
  ++ahead_;
  stalled_ = std::max(stalled_, link_.waited());
  if (!counting_ || ticked_at_ < 0) return;
  silent_ = std::max<std::int64_t>((net::monotonic_now() - ticked_arrival_) / cycle_ - 1, 0);
}

/// Evaluates the telegram that has just come. Sets `waiting_` if it has a separate tick.
void Conversation::hear() {
  const std::int64_t at = link_.sequence().position(), arrival = link_.arrival(), step = link_.ipoc_step();
  if (!same_count()) return link_.leave_unanswered();
  const auto by_clock = [&](std::int64_t since) { return (arrival - since + cycle_ / 2) / cycle_; };
  if (silent_ > rules_.lost_in_a_row) ahead_ = 0; // the run ends: what matters now is the robot's rest
  silent_ = 0;
  delay_falls_ = delay_falls_ || (answered_ && link_.newest_delay() >= 0 && link_.newest_delay() < delay_then_);
  delay_counts_ = delay_counts_ || (answered_ && link_.newest_delay() > delay_then_);
  if (ticked_at_ < 0) {
    if (link_.newest_delay() < 0) return link_.leave_unanswered();
    answered_at_ = ticked_at_ = at, answered_arrival_ = ticked_arrival_ = arrival;
    delay_then_ = link_.newest_delay();
    waiting_ = true, ahead_ = 0;
    clock_.add(arrival, 1);
    return;
  }
  AnswerFate answer{ever_answered_ ? HILDA_FATE_STOOD : HILDA_FATE_UNSAID,
                    std::max<std::int64_t>((at - answered_at_) / step, 1)};
  ++heard_;
  const AnswerTrace trace{.by_ipoc = (at - answered_at_) / step,
                          .by_clock = by_clock(answered_arrival_),
                          .delay_then = delay_then_,
                          .delay_now = link_.newest_delay(),
                          .delay_counts = delay_counts_,
                          .delay_falls = delay_falls_,
                          .heard = heard_,
                          .repeats = link_.repeats() - repeats_then_};
  anew_ = ever_answered_ && std::min(trace.by_ipoc, trace.by_clock) > shortest_restart && !counted_on(trace);
  if (anew_) return link_.leave_unanswered();
  if (answered_)
    answer = answer_fate(trace);
  else if (link_.newest_delay() < 0)
    answer.fate = HILDA_FATE_UNKNOWN;
  if (answer.fate == HILDA_FATE_UNKNOWN) ask_clock(answer);
  const std::int64_t cycles = time_since_tick((at - ticked_at_) / step, answer);
  clock_.add(arrival, cycles);
  count(answer);
  stalled_ = 0;
  const bool taken_back = unseen_ && fate_ == HILDA_FATE_LOST; // and not reported yet
  fate_ = taken_back && answer.fate == HILDA_FATE_STOOD ? HILDA_FATE_LOST : answer.fate;
  unseen_ = true;
  ticked_at_ = at, ticked_arrival_ = arrival;
  if (fate_ != HILDA_FATE_UNKNOWN) { // settled: from here on nothing is in force but what the robot has
    agreed_ = heard_ = 0;
    answered_ = false;
    answered_at_ = at, answered_arrival_ = arrival, delay_then_ = link_.newest_delay();
    repeats_then_ = link_.repeats();
  }
  if (cycles <= ahead_) { // its cycle was reported as missed already
    ahead_ -= cycles;
    link_.leave_unanswered();
    return;
  }
  const std::int64_t missing = cycles - 1 - ahead_;
  owed_ = missing <= rules_.lost_in_a_row ? missing : 0; // with more the run ends
  ahead_ = 0;
  waiting_ = true;
}

/// IPOC and Delay contradict each other. While the robot stands for want of an answer, the clock may tell: where three
/// telegrams, each close to a whole number of cycles after the one that was answered, agree with Delay.
void Conversation::ask_clock(AnswerFate& answer) {
  const double exact = static_cast<double>(link_.arrival() - answered_arrival_) / static_cast<double>(cycle_);
  const std::int64_t cycles = std::llround(exact), grown = link_.newest_delay() - delay_then_;
  answer.cycles = std::clamp<std::int64_t>(answer.cycles, 1, std::max<std::int64_t>(cycles, 1));
  const bool lost = grown == cycles, clear = std::fabs(exact - static_cast<double>(cycles)) < 0.25;
  if (link_.newest_delay() < 0 || !answered_ || !clear || !(lost || grown == cycles - 1)) {
    agreed_ = 0;
    return;
  }
  agreed_ = lost == agreed_lost_ ? agreed_ + 1 : 1;
  agreed_lost_ = lost;
  if (agreed_ >= 3) answer = {lost ? HILDA_FATE_LOST : HILDA_FATE_STOOD, cycles};
}

/// By the robot's count, as long as it is one.
std::int64_t Conversation::time_since_tick(std::int64_t by_ipoc, const AnswerFate& answer) const {
  if (answered_ && answer.cycles < by_ipoc && answered_at_ == ticked_at_) return answer.cycles; // IPOC leapt
  return by_ipoc;
}

void Conversation::count(const AnswerFate& answer) {
  if (!counting_ || !ever_answered_) return;
  if (answer.fate == HILDA_FATE_UNKNOWN) {
    pending_ = answer.cycles;
    return;
  }
  pending_ = 0;
  std::int64_t lost = answer.cycles;
  if (answered_ && answer.fate != HILDA_FATE_LOST) --lost, lost_.took();
  if (answered_ && answer.fate == HILDA_FATE_LOST)
    --lost, lost_.lost(answered_late_ ? LostCycles::process : LostCycles::answer, 1);
  const std::int64_t here = std::min(lost, std::max(link_.waited(), stalled_));
  lost_.lost(LostCycles::process, here);
  lost_.lost(LostCycles::telegram, lost - here);
}

void Conversation::answer(SensorTelegram& telegram) {
  if (!link_.answerable()) return;
  const bool late = link_.over();
  ever_answered_ = answered_ = true;
  answered_late_ = late || net::monotonic_now() - link_.arrival() > cycle_;
  if (late)
    link_.leave_unanswered();
  else if (!link_.answer(telegram))
    ++unwritten_;
}

RobotLink::Awaited Conversation::await_last(std::int64_t deadline) {
  std::int64_t arrival = 0;
  const RobotLink::Awaited awaited = link_.await(deadline, arrival);
  if (awaited != RobotLink::Awaited::came) return awaited;
  ahead_ = 0;
  hear();
  owed_ = 0, waiting_ = false;
  return awaited;
}

Conversation::End Conversation::end() const {
  if (!counting_) return End::none;
  if (restarted()) return End::restart;
  if (missed() > rules_.lost_in_a_row) return End::in_a_row;
  if (lost_.too_large_a_share()) return End::share;
  if (rules_.clock_drift > 0 && std::fabs(clock_.drift()) > rules_.clock_drift) return End::drift;
  return End::none;
}

const char* Conversation::words(End end) {
  switch (end) {
  case End::none: return "";
  case End::in_a_row: {
    if (!counting_) return "too many cycles in a row in which the robot took no answer (lost_in_a_row)";
    LostCycles all = lost_;
    all.lost(LostCycles::process, std::min(silent_, stalled_));
    all.lost(LostCycles::telegram, silent_ - std::min(silent_, stalled_));
    all.lost(LostCycles::answer, pending_);
    all.say_row(sentence_);
    break;
  }
  case End::share:
    if (!counting_) return "too large a share of the cycles in which the robot took no answer (lost_share)";
    lost_.say_share(sentence_);
    break;
  case End::drift:
    if (!counting_) return "the robot's clock is not this rig's (clock_drift)";
    sentence_.begin() << "the robot's clock is not this rig's: IPOC counted " << clock_.counted() / 1e6 << " ms while "
                      << clock_.passed() / 1e6 << " ms passed here (clock_drift allows " << rules_.clock_drift * 100
                      << " %)";
    break;
  case End::restart:
    if (!counting_) return "RSI was restarted on the robot";
    if (anew_)
      sentence_.begin() << "Delay did not rise while the robot had no answer";
    else if (link_.sequence().leapt_by() > 0)
      sentence_.begin() << "IPOC leapt ahead of the clock by " << link_.sequence().leapt_by()
                        << " and counts on from there";
    else
      sentence_.begin() << "IPOC fell to " << link_.sequence().fallen_to() << " (it had reached " << link_.ipoc()
                        << ") and counts on from there";
    sentence_ << ": RSI was restarted on the robot, and corrections count from another pose; restart this run";
    break;
  }
  return sentence_.text();
}

} // namespace hilda::kuka
