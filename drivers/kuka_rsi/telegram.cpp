// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/telegram.h"

#include "drivers/kuka_rsi/telegram_scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hilda::kuka {
namespace {

using Token = TelegramScanner::Token;
using Verdict = Reading::Verdict;

bool read_real(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

bool read_integer(std::string_view text, std::int64_t& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Digits alone, so that "-1" and "+1" are not an IPOC.
bool read_ipoc(std::string_view text, std::int64_t& value) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9' && read_integer(text, value);
}

bool is_type(std::string_view name) { return name == "Type" || name == "TYPE" || name == "type"; }

/// The walk that both directions share: the root, its Type, each value below it, the IPOC. `take(element, attribute,
/// text)` returns why a value cannot be used, or null; `twice` is for a value that came before.
class Walk {
public:
  static constexpr const char* twice = "a value comes twice";

  Walk(std::string_view bytes, std::string_view root) : scanner_(bytes), root_(root) {}

  template <typename Take> Reading run(Take take) {
    if (scanner_.next() != Token::open || scanner_.name() != root_)
      return malformed(scanner_.problem() != nullptr ? scanner_.problem() : "its root is not the one expected");
    for (;;) {
      switch (scanner_.next()) {
      case Token::open:
        if (scanner_.depth() == 2) element_ = scanner_.name();
        if (scanner_.depth() == 2 && element_ == "IPOC" && ipoc_seen_++ > 0) return malformed("IPOC comes twice");
        break;
      case Token::attribute: attribute(take); break;
      case Token::text: text(take); break;
      case Token::close: break;
      case Token::end: return result();
      case Token::error: return malformed(scanner_.problem());
      }
      if (twice_) return malformed(twice);
    }
  }
  std::int64_t ipoc() const { return ipoc_; }
  std::string_view type() const { return type_; }

private:
  Reading malformed(const char* why) const { return {Verdict::malformed, why, scanner_.at()}; }

  template <typename Take> void attribute(Take& take) {
    if (scanner_.depth() == 1 && is_type(scanner_.name())) {
      if (type_seen_) twice_ = true;
      type_ = scanner_.value(), type_seen_ = true;
    } else if (scanner_.depth() == 2) {
      note(take(element_, scanner_.name(), scanner_.value()));
    }
  }
  template <typename Take> void text(Take& take) {
    if (scanner_.depth() != 2) return;
    if (element_ == "IPOC") {
      if (ipoc_ >= 0) twice_ = true;
      if (!read_ipoc(scanner_.value(), ipoc_)) ipoc_ = -1;
    } else {
      note(take(element_, std::string_view{}, scanner_.value()));
    }
  }
  void note(const char* problem) {
    if (problem == nullptr) return;
    if (problem == twice) twice_ = true;
    if (unusable_ == nullptr) unusable_ = problem, unusable_at_ = scanner_.at();
  }
  Reading result() const {
    if (ipoc_ < 0) return malformed("it has no IPOC that is a number");
    if (unusable_ != nullptr) return {Verdict::unusable, unusable_, unusable_at_};
    return {};
  }

  TelegramScanner scanner_;
  std::string_view root_, element_, type_;
  std::int64_t ipoc_ = -1;
  int ipoc_seen_ = 0;
  bool type_seen_ = false, twice_ = false;
  const char* unusable_ = nullptr;
  std::size_t unusable_at_ = 0;
};

/// Index of X Y Z A B C, or of A1 to A6; -1 for anything else (external axes).
int place_of(std::string_view attribute, bool joints) {
  if (joints)
    return attribute.size() == 2 && attribute[0] == 'A' && attribute[1] >= '1' && attribute[1] <= '6'
               ? attribute[1] - '1'
               : -1;
  const std::size_t place = attribute.size() == 1 ? std::string_view("XYZABC").find(attribute) : std::string_view::npos;
  return place == std::string_view::npos ? -1 : static_cast<int>(place);
}

/// Behind the point; one with an exponent is as fine as a double.
int decimals_of(std::string_view text) {
  constexpr int all = 15;
  if (text.find_first_of("eE") != std::string_view::npos) return all;
  const std::size_t point = text.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

const char* take_six(SixValues& six, std::string_view attribute, bool joints, std::string_view text) {
  const int place = place_of(attribute, joints);
  if (place < 0) return nullptr;
  const unsigned bit = 1u << static_cast<unsigned>(place);
  if ((six.present & bit) != 0) return Walk::twice;
  six.present |= bit;
  six.decimals = std::max(six.decimals, decimals_of(text));
  return read_real(text, six.value[static_cast<std::size_t>(place)])
             ? nullptr
             : "a coordinate of RIst, RSol, AIPos or ASPos is not a finite number";
}

const char* missing(const EthernetFile& file, const RobotTelegram& t, const Channel* status) {
  if (file.sent("DEF_RIst") != nullptr && !t.pose.complete()) return "RIst is not complete";
  if (file.sent("DEF_RSol") != nullptr && !t.setpoint.complete()) return "RSol is not complete";
  if (file.sent("DEF_AIPos") != nullptr && !t.joints.complete()) return "AIPos is not complete";
  if (file.sent("DEF_ASPos") != nullptr && !t.joint_setpoints.complete()) return "ASPos is not complete";
  if (file.sent("DEF_Delay") != nullptr && !t.has_delay) return "Delay is missing";
  if (status != nullptr && !t.has_status) return "the status element is missing";
  return nullptr;
}

} // namespace

Reading read_robot_telegram(std::string_view bytes, const EthernetFile& file, const Channel* status,
                            RobotTelegram& telegram) {
  telegram = {};
  RobotTelegram& t = telegram;
  Walk walk(bytes, "Rob");
  Reading reading = walk.run([&](std::string_view element, std::string_view attribute, std::string_view text) {
    const char* problem = nullptr;
    if (status != nullptr && element == status->element && attribute == status->attribute) {
      if (t.has_status) return Walk::twice;
      t.has_status = true;
      if (!read_real(text, t.status)) problem = "the status is not a number";
    }
    if (element == "RIst") return take_six(t.pose, attribute, false, text);
    if (element == "RSol") return take_six(t.setpoint, attribute, false, text);
    if (element == "AIPos") return take_six(t.joints, attribute, true, text);
    if (element == "ASPos") return take_six(t.joint_setpoints, attribute, true, text);
    if (element == "Delay" && attribute == "D") {
      if (t.has_delay) return Walk::twice;
      t.has_delay = true;
      if (!read_integer(text, t.delay) || t.delay < 0) t.delay = -1, problem = "Delay is not a count";
    }
    return problem;
  });
  t.ipoc = walk.ipoc();
  if (reading.verdict != Verdict::sound) return reading;
  if (const char* what = missing(file, t, status)) return {Verdict::unusable, what, bytes.size()};
  return reading;
}

Reading read_sensor_telegram(std::string_view bytes, const EthernetFile& file, SensorTelegram& telegram) {
  telegram = {};
  Walk walk(bytes, "Sen");
  const Reading reading = walk.run([&](std::string_view element, std::string_view attribute, std::string_view text) {
    const char* problem = nullptr;
    for (std::size_t i = 0; i < file.receive.size(); ++i) {
      const Channel& channel = file.receive[i];
      if (channel.element != element || channel.attribute != attribute) continue;
      const std::uint64_t bit = std::uint64_t{1} << i;
      if ((telegram.present & bit) != 0) return Walk::twice;
      telegram.present |= bit;
      if (channel.type != ChannelType::text && !read_real(text, telegram.value[i]))
        problem = "a value is not a finite number";
      break;
    }
    return problem;
  });
  telegram.ipoc = walk.ipoc();
  if (reading.verdict == Verdict::sound && walk.type() != file.sensor_type)
    return {Verdict::malformed, "its Type is not the SENTYPE of the ethernet file", 0};
  return reading;
}

} // namespace hilda::kuka
