// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/robot.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <numbers>

namespace witness {
namespace {

constexpr double degree = std::numbers::pi / 180;

std::string format(const char* form, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* form, ...) {
  char text[400];
  va_list values;
  va_start(values, form);
  vsnprintf(text, sizeof text, form, values);
  va_end(values);
  return text;
}

Eigen::Quaterniond from_abc(double a, double b, double c) {
  using Eigen::AngleAxisd, Eigen::Vector3d;
  return AngleAxisd(a * degree, Vector3d::UnitZ()) * AngleAxisd(b * degree, Vector3d::UnitY()) *
         AngleAxisd(c * degree, Vector3d::UnitX());
}

std::array<double, 3> to_abc(const Eigen::Matrix3d& r) {
  const double b = std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0)));
  return {std::atan2(r(1, 0), r(0, 0)) / degree, b / degree, std::atan2(r(2, 1), r(2, 2)) / degree};
}

std::string pose(const char* element, const Eigen::Isometry3d& at, int decimals) {
  const auto abc = to_abc(at.linear());
  const Eigen::Vector3d mm = 1e3 * at.translation();
  return format("<%s X=\"%.*f\" Y=\"%.*f\" Z=\"%.*f\" A=\"%.*f\" B=\"%.*f\" C=\"%.*f\"/>", element, decimals, mm.x(),
                decimals, mm.y(), decimals, mm.z(), decimals, abc[0], decimals, abc[1], decimals, abc[2]);
}

/// The number behind `before`, within the element that begins at `from`.
std::optional<double> value_after(const std::string& text, std::size_t from, const std::string& before) {
  const std::size_t end = text.find('>', from), at = text.find(before, from);
  if (at == std::string::npos || at > end) return std::nullopt;
  const char* begin = text.c_str() + at + before.size();
  char* stop = nullptr;
  const double value = std::strtod(begin, &stop);
  return stop == begin || *stop != '"' ? std::nullopt : std::optional(value); // the judge reads as strictly
}

std::optional<std::int64_t> ipoc_of(const std::string& answer) {
  const std::size_t at = answer.find("<IPOC>");
  if (at == std::string::npos || answer.find("</Sen>") == std::string::npos) return std::nullopt;
  char* stop = nullptr;
  const char* begin = answer.c_str() + at + 6;
  const long long ipoc = std::strtoll(begin, &stop, 10);
  return stop == begin || *stop != '<' ? std::nullopt : std::optional<std::int64_t>(ipoc);
}

std::optional<std::array<double, 6>> correction_of(const std::string& answer) {
  const std::size_t at = answer.find("<RKorr ");
  if (at == std::string::npos) return std::nullopt;
  std::array<double, 6> correction{};
  const char* names[] = {" X=\"", " Y=\"", " Z=\"", " A=\"", " B=\"", " C=\""};
  for (int i = 0; i < 6; ++i) {
    const auto value = value_after(answer, at, names[i]);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    correction[static_cast<std::size_t>(i)] = *value;
  }
  return correction;
}

} // namespace

Robot::Robot(const Script& script, Arm& arm, Capture& capture, Send send)
    : arm_(arm), capture_(capture), send_(std::move(send)), cycle_(static_cast<int>(script.number("cycle", 4))),
      ipoc_(static_cast<std::int64_t>(script.number("ipoc_start", 123456))),
      ipoc_step_(static_cast<std::int64_t>(script.number("ipoc_step", cycle_))),
      ipoc_modulus_(static_cast<std::int64_t>(script.number("ipoc_modulus", 0))),
      relative_(script.text("correction", "absolute") == "relative"), in_a_row_(script.text("late", "total") == "row"),
      decimals_(static_cast<int>(script.number("decimals", 6))),
      timeout_(static_cast<int>(script.number("timeout", 100))), clamp_(script.number("clamp", 0)),
      clamp_turn_(script.number("clamp_turn", 0)), monitor_(script.number("monitor", 0)),
      noise_(script.number("pose_noise", 0)), random_(static_cast<std::uint64_t>(script.number("seed", 1))),
      programmed_(arm.flange()) {}

std::string Robot::telegram() {
  Eigen::Isometry3d actual = arm_.flange();
  if (noise_ > 0)
    for (int i = 0; i < 3; ++i) actual.translation()[i] += std::normal_distribution<>(0, noise_ / 1e3)(random_);
  return "<Rob Type=\"KUKA\">" + pose("RIst", actual, decimals_) + pose("RSol", programmed_, decimals_) +
         "<AIPos A1=\"5.0\" A2=\"-90.0\" A3=\"100.0\" A4=\"5.0\" A5=\"10.0\" A6=\"-5.0\"/>"
         "<ASPos A1=\"5.0\" A2=\"-90.0\" A3=\"100.0\" A4=\"5.0\" A5=\"10.0\" A6=\"-5.0\"/>" +
         format("<Delay D=\"%lld\"/><Status Stopped=\"%d\"/><IPOC>%lld</IPOC></Rob>", static_cast<long long>(delay_),
                braked_ ? 1 : 0, static_cast<long long>(ipoc_));
}

void Robot::begin_cycle() {
  const std::string text = telegram();
  capture_.add(Seen::telegram_sent, text);
  send_(text);
}

void Robot::deliver(const std::string& answer) {
  capture_.add(Seen::answer_delivered, answer);
  if (running_ && !answered_) capture_.note("first answer");
  answered_ = true;
  if (!running_ || answer_ || ipoc_of(answer) != ipoc_) return;
  answer_ = correction_of(answer);
  const std::size_t stop = answer.find("<Stop>");
  if (stop != std::string::npos && std::strtod(answer.c_str() + stop + 6, nullptr) != 0) stop_asked_ = true;
}

void Robot::take(const std::array<double, 6>& c) {
  if (moved_at_ == never)
    for (const double each : c)
      if (std::fabs(each) > 0) moved_at_ = now();
  const Eigen::Vector3d metres = Eigen::Vector3d(c[0], c[1], c[2]) / 1e3;
  const Eigen::Quaterniond turn = from_abc(c[3], c[4], c[5]);
  if (relative_) {
    asked_.head<3>() += metres;
    asked_.tail<3>() = rotation_vector(turn * rotation_of(asked_.tail<3>()));
  } else {
    asked_.head<3>() = origin_.head<3>() + metres;
    asked_.tail<3>() = rotation_vector(turn * rotation_of(origin_.tail<3>()));
  }
  clamp();
}

/// POSCORR lets through no more than its limits and says nothing; POSCORRMON ends RSI.
void Robot::clamp() {
  const Offset from_start = asked_ - origin_;
  if (monitor_ > 0 && from_start.head<3>().norm() > monitor_ / 1e3) unplug("correction monitor");
  if (clamp_ > 0)
    for (int i = 0; i < 3; ++i) asked_[i] = origin_[i] + std::clamp(from_start[i], -clamp_ / 1e3, clamp_ / 1e3);
  const double turn = from_start.tail<3>().norm(), most = clamp_turn_ * degree;
  if (most > 0 && turn > most) asked_.tail<3>() = origin_.tail<3>() + from_start.tail<3>() * (most / turn);
}

void Robot::end_cycle() {
  way_from_ = asked_;
  if (answer_) {
    if (in_a_row_) delay_ = 0;
    if (!braked_) take(*answer_);
    answer_.reset();
  } else if (answered_ && ++delay_ >= timeout_) {
    unplug("time-out");
  }
  if (stop_asked_) unplug("stop channel");
  ipoc_ = next_ipoc_.value_or(ipoc_ + ipoc_step_);
  next_ipoc_.reset();
  if (ipoc_modulus_ > 0) ipoc_ %= ipoc_modulus_;
}

void Robot::tick() {
  const Instant late = now() - next_;
  // It has a separate clock: time that it misses is not a burst of cycles, but a longer cycle.
  if (tick_ == 0 && late > cycle_ * millisecond / 4) {
    capture_.note("robot late " + std::to_string(late / 1000) + " us");
    next_ += late;
  }
  if (tick_ == 0) {
    if (running_) end_cycle();
    if (running_) begin_cycle();
  }
  const double share = static_cast<double>(++tick_) / cycle_;
  arm_.step(way_from_ + share * (asked_ - way_from_));
  if (tick_ >= cycle_) tick_ = 0;
  next_ += millisecond;
}

void Robot::freeze(Instant until) {
  capture_.note("robot freezes");
  next_ = until;
}

void Robot::restart_rsi(Instant pause) {
  capture_.note("rsi restart");
  origin_ = asked_ = way_from_ = arm_.offset();
  programmed_ = arm_.flange();
  delay_ = 0, answered_ = false, answer_.reset();
  ipoc_ = 1000;
  tick_ = 0;
  next_ = now() + pause;
}

void Robot::restart_rsi_on_time(Instant pause) {
  const std::int64_t ipoc = ipoc_ + ipoc_step_ * (1 + pause / (cycle_ * millisecond));
  restart_rsi(pause);
  ipoc_ = ipoc;
}

void Robot::brake() {
  capture_.note("robot brakes");
  braked_ = true;
  asked_ = way_from_ = arm_.offset();
}

void Robot::unplug(const std::string& why) {
  if (!running_) return;
  capture_.note("rsi ends: " + why);
  running_ = false;
  asked_ = way_from_;
}

} // namespace witness
