// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/logs/made_log.h"

#include "engine/base/error.h"
#include "engine/base/output_files.h"
#include "engine/log/child_answer.h"
#include "engine/log/sparse_log.h"
#include "tools/studio/hub.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace hilda::studio {
namespace {

constexpr double writing_patience = 20;                          // s
constexpr std::uint64_t writing_memory = std::uint64_t{2} << 30; // bytes
constexpr double off_tick = 1e-6, greatest_tick = 9e15;          // ticks
constexpr std::int64_t nanoseconds = 1'000'000'000;              // a second
constexpr const char* samples_shape = R"({"period": 0.001, "signals": [{"path", "unit", "times", "values"}]})";

double number_or_nan(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

/// Of the run, if all samples are at its ticks; else a nanosecond.
Rational period_of(const Json& request) {
  const std::optional<Rational> period = Rational::near(request.at("period").get<double>());
  if (!period || !(Rational() < *period)) return {1, nanoseconds};
  for (const Json& signal : request.at("signals"))
    for (const Json& each : signal.at("times")) {
      const double ticks = each.get<double>() / period->value();
      if (std::abs(ticks - std::round(ticks)) > off_tick) return {1, nanoseconds};
    }
  return *period;
}

SparseSignal signal_of(const Json& signal, const Rational& period) {
  const std::string path = signal.at("path").get<std::string>();
  const std::size_t dot = path.rfind('.');
  LogField field;
  field.name = path.substr(dot == std::string::npos ? 0 : dot + 1);
  field.unit = signal.value("unit", std::string());
  if (field.unit == "1") field.unit.clear();
  SparseSignal made;
  made.channel.path = dot == std::string::npos || dot == 0 ? "signal" : path.substr(0, dot);
  made.channel.fields = {field};
  const Json &times = signal.at("times"), &values = signal.at("values");
  if (times.size() != values.size() || times.empty())
    throw std::invalid_argument(in_quotes(path) + " has " + std::to_string(times.size()) + " times and " +
                                std::to_string(values.size()) + " values");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double tick = std::round(times[i].get<double>() / period.value());
    if (!(tick >= 0 && tick < greatest_tick) || (i > 0 && !(tick > static_cast<double>(made.ticks.back()))))
      throw std::invalid_argument(fmt::format("sample {} of {}, at {} s, is earlier than 0 s or not later than the one "
                                              "before it",
                                              i, in_quotes(path), times[i].get<double>()));
    made.ticks.push_back(static_cast<std::int64_t>(tick));
    made.numbers.push_back(number_or_nan(values[i]));
  }
  return made;
}

/// In the child: a sentence, or nothing.
std::string write_log(const std::string& text, const std::string& path) {
  const Json request = Json::parse(text, nullptr, false);
  try {
    const Rational period = period_of(request);
    std::vector<SparseSignal> signals;
    for (const Json& each : request.at("signals")) signals.push_back(signal_of(each, period));
    if (signals.empty()) return "no signal is to be written";
    OutputFiles files;
    auto file = files.open(path, OutputKind::file, FileContent::log);
    if (!file) return files.error();
    std::string error;
    return write_sparse_log(std::move(file), period, signals, error) ? "" : error;
  } catch (const Json::exception&) {
    return std::string("this is not ") + samples_shape;
  } catch (const std::invalid_argument& problem) { return problem.what(); }
}

} // namespace

std::string log_of_samples(const std::string& text, const std::string& path, std::string& error) {
  std::string why;
  const auto work = [&](const Tell& tell) {
    const std::string said = write_log(text, path);
    tell(std::as_bytes(std::span(said)));
  };
  constexpr std::uint64_t most_said = 10'000;
  const bool done = answer_of_child(work, {writing_patience, writing_memory, most_said}, why, error);
  std::ifstream in(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  if (done && why.empty() && !bytes.empty()) return bytes;
  error = "no log could be made of these samples: " + (done ? why : error) +
          "\nhelp: choose fewer signals, or a shorter time";
  return {};
}

} // namespace hilda::studio
