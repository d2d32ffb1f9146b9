// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/from_python.h"

#include "engine/base/diagnostic.h"
#include "tools/cli/detail/author/captured_output.h"
#include "tools/cli/detail/author/cpp_names.h"
#include "tools/cli/detail/author/python_skeleton.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/plugin_trial.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

constexpr std::int64_t ticks = 600;

/// The block of this class. Null after a report.
const BlockType* type_in(const std::string& file, const std::string& class_name) {
  Diagnostics found;
  const std::vector<const BlockType*> types = installation().host().scripts().in_file(file, found);
  print_diagnostics(found);
  std::vector<std::string> names;
  for (const BlockType* type : types) {
    names.push_back(type->name.substr(type->name.find('/') + 1));
    if (names.back() == class_name) return type;
  }
  if (!found.ok()) return nullptr;
  const std::string near = nearest(class_name, names);
  print_error(fmt::format("{} has no block '{}'\nhelp: {}", file, class_name,
                          near.empty() ? "it has " + names.front() : "did you mean '" + near + "'?"));
  return nullptr;
}

/// Random numbers as the checks of a plugin have them. Real ones grow to 1, 10 and 100, so that limits are passed.
testing::Stimulus growing(const testing::Stimulus& stimulus) {
  return [stimulus](const testing::Piece& input, std::int64_t tick, std::vector<double>& numbers) {
    stimulus(input, tick, numbers);
    const bool plain = input.slot->element == HILDA_F64 && input.slot->kind == HILDA_PLAIN;
    for (double& number : numbers) number *= plain ? std::pow(10.0, static_cast<double>(tick / (ticks / 3))) : 1.0;
  };
}

bool is_recorded(const testing::Piece& piece, bool input) {
  const std::uint32_t role = piece.slot->role;
  return piece.data != nullptr && (input ? role == HILDA_INPUT : role == HILDA_OUTPUT || role == HILDA_STATE);
}

template <typename Each> void each_piece(const testing::Bench& bench, Each&& each) {
  for (const bool input : {true, false})
    for (const testing::Piece& piece : bench.pieces())
      if (is_recorded(piece, input)) each(piece, input);
}

/// "{"u", {1, 1}}, ...": the ports of the test, in the order of the columns.
void describe_ports(const testing::Bench& bench, PythonSource& source) {
  each_piece(bench, [&](const testing::Piece& piece, bool input) {
    std::string& list = input ? source.inputs : source.values;
    list += fmt::format("{}{{{}, {{{}, {}}}}}", list.empty() ? "" : ", ", cpp_text(piece.name()), piece.shape.rows,
                        piece.shape.cols);
    for (std::int64_t i = 0; i < piece.shape.count(); ++i)
      source.recorded.columns.push_back(fmt::format("{}[{}]", piece.name(), i));
    if (input) source.recorded.inputs = source.recorded.columns.size();
  });
}

/// Until the block ends the run, or computes a number that is not finite.
void record(testing::Bench& bench, const testing::Stimulus& stimulus, RecordedPorts& recorded) {
  for (std::int64_t k = 0; k < ticks && bench.verdict() == HILDA_GO; ++k) {
    testing::drive(bench, stimulus);
    bench.compute();
    std::vector<double> row;
    each_piece(bench, [&row](const testing::Piece& piece, bool) {
      const testing::Value value = testing::Record::read(piece);
      row.insert(row.end(), value.numbers.begin(), value.numbers.end());
    });
    if (bench.verdict() == HILDA_FAIL ||
        !std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); }))
      return;
    recorded.rows.push_back(std::move(row));
    bench.advance();
  }
}

/// Asks for the names that the methods use, chooses names for C++, and asks for the methods.
std::string translate(PythonSource& source) {
  const Scripts& scripts = installation().host().scripts();
  const auto ask = [&](const nlohmann::json& request) {
    return nlohmann::json::parse(scripts.translation(*source.type, request.dump()), nullptr, false);
  };
  const nlohmann::json first = ask(nlohmann::json::object());
  if (first.is_discarded() || first.contains("error")) return "its source is not there as text";
  std::vector<std::string> names;
  for (const Slot& slot : source.type->slots) names.push_back(slot.name);
  for (const nlohmann::json& each : first["names"]) names.push_back(each.get<std::string>());
  source.members = member_names(names, cpp_class_of(*source.type));
  source.answer = ask({{"members", source.members}});
  return "";
}

} // namespace

std::vector<PluginFile> files_from_python(const std::string& from, const std::string& plugin,
                                          std::vector<std::string>& left, int& exit) {
  const std::size_t colon = from.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == from.size())
    return no_files(exit, exit_usage,
                    "--from-python " + from + " names no class\nhelp: write FILE:CLASS, such as my_blocks.py:Filter");
  CapturedOutput captured;
  PythonSource source;
  source.plugin = plugin, source.file = from.substr(0, colon);
  source.type = type_in(source.file, from.substr(colon + 1));
  if (source.type == nullptr) return no_files(exit, exit_bad_file, "");
  const std::string name = source.type->name;
  if (const std::string fault = translate(source); !fault.empty())
    return no_files(exit, exit_bad_file, name + ": " + fault);
  try {
    const testing::Type type = trial_type(*source.type);
    const testing::Subject subject = testing::subject_of(type);
    testing::Bench bench(type, subject.setup);
    source.recorded.period = subject.setup.period;
    source.setup = fmt::format(".period = {:.17g}, .dimension_guess = {}, .value_guess = {:.17g}, .rising_guess = {}",
                               subject.setup.period, subject.setup.dimension_guess, subject.setup.value_guess,
                               subject.setup.rising_guess);
    describe_ports(bench, source);
    if (source.values.empty())
      return no_files(exit, exit_usage, name + " has no outputs and no states, so that there is nothing to compare");
    record(bench, growing(subject.stimulus), source.recorded);
  } catch (const std::exception& failed) {
    return no_files(exit, exit_bad_file,
                    name + " cannot be run alone: " + failed.what() +
                        "\nhelp: give its parameters defaults with which it runs");
  }
  if (!source.recorded.moves())
    return no_files(exit, exit_failed_run,
                    name + ": all outputs and states were 0: a block that does nothing would pass\nhelp: give its "
                           "parameters defaults with which it does something");
  left = unwritten(source);
  return skeleton(source);
}

} // namespace hilda::cli
