#pragma once

#include <cstdint>

namespace hilda::kuka {

/// Which packets are news: the IPOC counts the controller's cycles and only grows.
///
/// A single packet whose IPOC leaps far ahead (a corrupted digit) must not shut out all that follow: as long as the
/// next one does not continue from there, the sequence before the leap is still taken up again.
class IpocSequence {
public:
  enum class Verdict { news, outdated };

  /// `step`: by how much IPOC grows a cycle, ms.
  explicit IpocSequence(std::int64_t step = 4) : step_(step) {}

  Verdict take(std::int64_t ipoc) {
    missing_ = 0, jumped_ = false;
    if (last_ < 0) {
      last_ = ipoc;
      return Verdict::news;
    }
    if (ipoc <= last_) {
      if (before_leap_ < 0 || ipoc <= before_leap_ || ipoc - before_leap_ > far * step_) return Verdict::outdated;
      last_ = before_leap_, before_leap_ = -1;
    }
    const std::int64_t gap = ipoc - last_;
    const bool leap = gap > far * step_;
    before_leap_ = leap ? last_ : -1;
    jumped_ = gap != step_;
    missing_ = leap || gap < step_ ? 0 : gap / step_ - 1;
    last_ = ipoc;
    return Verdict::news;
  }
  /// cycles of which no packet was seen, between the last two that were news; 0 after a leap
  std::int64_t missing() const { return missing_; }
  /// whether the last one did not follow on the one before
  bool jumped() const { return jumped_; }

private:
  static constexpr std::int64_t far = 250;
  std::int64_t step_, last_ = -1, before_leap_ = -1, missing_ = 0;
  bool jumped_ = false;
};

} // namespace hilda::kuka
