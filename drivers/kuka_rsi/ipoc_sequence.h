#pragma once

#include <cstdint>

namespace hilda::kuka {

/// Which packets are news: the IPOC counts the controller's cycles and only grows.
///
/// A single packet whose IPOC leaps far ahead (a corrupted digit) must not shut out all that follow: as long as the
/// next one does not continue from there, the sequence before the leap is still taken up again. At 2^31 or 2^32 the
/// count may begin at zero again. One that falls back and goes on from there is another count: RSI was started anew.
class IpocSequence {
public:
  enum class Verdict { news, outdated };

  /// `step`: by how much IPOC grows a cycle.
  explicit IpocSequence(std::int64_t step = 4) : step_(step) {}

  /// `periods`: cycles since the last news by the arrivals; negative: not known.
  Verdict take(std::int64_t ipoc, std::int64_t periods = -1) {
    missing_ = 0, jumped_ = returned_ = false;
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
      if (before_leap_ < 0 || at <= before_leap_ || at - before_leap_ > far * step_) return fell_to(at);
      last_ = before_leap_, before_leap_ = -1;
      returned_ = true;
    }
    const std::int64_t gap = at - last_;
    const bool leap = gap > (periods >= 0 ? periods + slack : far) * step_ || gap > far * step_;
    before_leap_ = leap ? last_ : -1;
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
  /// whether the one before the last was a leap that did not go on: its IPOC was none of the robot's
  bool returned() const { return returned_; }
  /// of the last news, without the turns at 2^31 or 2^32
  std::int64_t position() const { return last_; }
  /// IPOC counts from a smaller number on
  bool restarted() const { return fallen_ >= enough; }
  /// the last number that was not news
  std::int64_t fallen_to() const { return fell_ - turned_; }

private:
  static constexpr std::int64_t far = 250, slack = 8;
  static constexpr int enough = 3;

  Verdict fell_to(std::int64_t at) {
    fallen_ = at == fell_ + step_ ? fallen_ + 1 : 1;
    fell_ = at;
    return Verdict::outdated;
  }
  /// By how much `at` continues behind the largest number of 31 or 32 bits; 0: it does not.
  std::int64_t turn_to(std::int64_t at) const {
    for (const std::int64_t turn : {std::int64_t{1} << 31, std::int64_t{1} << 32})
      if (at < last_ && at + turn > last_ && at + turn - last_ <= far * step_) return turn;
    return 0;
  }

  std::int64_t step_, last_ = -1, before_leap_ = -1, missing_ = 0, turned_ = 0, turn_ = 0, fell_ = -1;
  int fallen_ = 0;
  bool jumped_ = false, returned_ = false;
};

} // namespace hilda::kuka
