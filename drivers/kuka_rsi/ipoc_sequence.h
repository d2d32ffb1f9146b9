// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace hilda::kuka {

/// Which packets are news: the IPOC counts the controller's cycles and only grows, in step with the clock.
///
/// A packet whose IPOC leaps ahead of the clock may be a corrupted digit, which must not shut out all that follow: as
/// long as the next one does not continue from there, the sequence before the leap is still taken up again. A leap that
/// is continued, and an IPOC that falls back and counts on from there, are another count: RSI was restarted. At 2^31
/// or 2^32 the count may begin at zero again.
class IpocSequence {
public:
  enum class Verdict { news, outdated };

  /// `step`: by how much IPOC grows a cycle.
  explicit IpocSequence(std::int64_t step = 4) : step_(step) {}

  /// `periods`: cycles since the last news by the arrivals; negative: not known.
  Verdict take(std::int64_t ipoc, std::int64_t periods = -1) {
    missing_ = 0, jumped_ = false;
    if (last_ < 0) {
      last_ = ipoc;
      return Verdict::news;
    }
    std::int64_t at = ipoc + turned_;
    if (const std::int64_t turn = turn_to(at); turn > 0) {
      turned_ += turn, at += turn, turn_ = turn;
    } else if (turn_ > 0 && at - turn_ <= last_ && last_ - (at - turn_) <= far * step_) {
      at -= turn_; // of before the turn, and late
    }
    if (at <= last_) {
      if (!returns(at, periods)) return fell_to(at, periods);
      if (periods >= 0 && leap_periods_ >= 0) periods += leap_periods_;
      last_ = before_leap_, before_leap_ = -1;
    }
    const std::int64_t gap = at - last_;
    const bool leap = gap > (periods >= 0 ? periods + slack : far) * step_;
    if (before_leap_ >= 0 && !leap && !restarted_) restarted_ = true, leapt_by_ = last_ - before_leap_;
    if (!leap)
      before_leap_ = -1;
    else if (before_leap_ < 0)
      before_leap_ = last_, leap_periods_ = periods;
    else // two leaps, and none continues
      leap_periods_ = std::min(leap_periods_, periods) < 0 ? -1 : leap_periods_ + periods;
    jumped_ = gap != step_;
    missing_ = leap || gap < step_ ? 0 : gap / step_ - 1;
    last_ = at;
    fallen_ = 0;
    return Verdict::news;
  }
  /// cycles of which no packet was seen, between the last two that were news; 0 after a leap
  std::int64_t missing() const { return missing_; }
  /// whether the last one did not follow on the one before
  bool jumped() const { return jumped_; }
  /// whether it leapt there: is it a corrupted one, or another count? The next one shows it
  bool leapt() const { return before_leap_ >= 0; }
  /// of the last news, without the turns at 2^31 or 2^32
  std::int64_t position() const { return last_; }
  /// IPOC counts from another number on, and stays so
  bool restarted() const { return restarted_; }
  /// the last number that was not news
  std::int64_t fallen_to() const { return fell_ - turned_; }
  /// by how much it leapt ahead; 0: it fell
  std::int64_t leapt_by() const { return leapt_by_; }

private:
  static constexpr std::int64_t far = 250, slack = 8, lateness = 3;
  static constexpr int enough = 3;

  /// Whether `at` continues from before the leap, in the time that has passed since. A number near the leap instead is
  /// the leap's packet once more, or one that it overtook.
  bool returns(std::int64_t at, std::int64_t periods) const {
    if (before_leap_ < 0 || at <= before_leap_ || at == last_) return false;
    const bool timed = periods >= 0 && leap_periods_ >= 0;
    return at - before_leap_ <= std::min(timed ? leap_periods_ + periods + lateness : far, far) * step_;
  }
  /// Late packets may count on too, but come all at once.
  Verdict fell_to(std::int64_t at, std::int64_t periods) {
    fallen_ = at == fell_ + step_ ? fallen_ + 1 : 1;
    if (fallen_ == 1) fell_at_ = periods;
    fell_ = at;
    if (fallen_ >= enough && (periods < 0 || periods - fell_at_ >= enough - 1)) restarted_ = true;
    return Verdict::outdated;
  }
  /// By how much `at` continues behind the largest number of 31 or 32 bits; 0: it does not.
  std::int64_t turn_to(std::int64_t at) const {
    for (const std::int64_t turn : {std::int64_t{1} << 31, std::int64_t{1} << 32})
      if (at < last_ && at + turn > last_ && at + turn - last_ <= far * step_) return turn;
    return 0;
  }

  std::int64_t step_, last_ = -1, before_leap_ = -1, leap_periods_ = -1, missing_ = 0, turned_ = 0, turn_ = 0,
                      fell_ = -1, fell_at_ = -1, leapt_by_ = 0;
  int fallen_ = 0;
  bool jumped_ = false, restarted_ = false;
};

} // namespace hilda::kuka
