// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/block_skeleton.h"

#include "engine/session/summary_parameters.h"
#include "tools/cli/detail/author/cpp_names.h"
#include "tools/cli/detail/author/recorded_test.h"
#include "tools/cli/detail/program/terminal.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace hilda::cli {
namespace {

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

using Members = std::map<std::string, std::string>;

/// Of ports and parameters, by name: what the class calls them. Diagrams know them by their names.
Members members_of(const SkeletonSource& source) {
  std::vector<std::string> names;
  for (const auto* side : {&source.ports.inputs, &source.ports.outputs})
    for (const SubsystemPort& port : *side) names.push_back(port.name);
  for (const NamedParameter* each : source.ports.parameters) names.push_back(last_name(each->path));
  return member_names(names, class_name(source.subsystem));
}

/// The SDK's type of a signal; empty where it has none.
std::string type_text(const SignalType& type) {
  switch (type.kind) {
  case HILDA_WRENCH: return "Wrench";
  case HILDA_TWIST: return "Twist";
  case HILDA_POSE: return "Pose";
  case HILDA_QUATERNION: return "Quaternion";
  default: break;
  }
  const bool one = type.elements() == 1;
  switch (type.element) {
  case HILDA_F64:
    if (one) return "double";
    return type.cols == 1 ? fmt::format("Fixed<{}>", type.rows) : fmt::format("Fixed<{}, {}>", type.rows, type.cols);
  case HILDA_U8: return one ? "bool" : "";
  case HILDA_I64: return one ? "std::int64_t" : "";
  case HILDA_U64: return one ? "std::uint64_t" : "";
  default: return "";
  }
}

bool has_unit(const SignalType& type) { return type.kind == HILDA_PLAIN && type.element == HILDA_F64; }

std::string unit_of(const SignalType& type) { return type.unit ? type.unit->text() : "1"; }

std::string zero(const SignalType& type) {
  const std::string name = type_text(type);
  if (name == "double") return "0.0";
  if (name == "bool") return "false";
  if (name == "Quaternion") return "Quaternion::Identity()";
  return name.starts_with("Fixed") ? name + "::Zero()" : name + "{}";
}

std::string port_line(const SubsystemPort& port, bool input, const Members& members) {
  const std::string flag = port.now ? "" : input ? ", in_update" : ", from_state";
  const std::string unit = has_unit(port.type) ? cpp_text(unit_of(port.type)) + ", " : "";
  const std::string doc = fmt::format("{} {} of the subsystem", input ? "Input" : "Output", port.name);
  return fmt::format("  {}<{}> {}{{*this, {}, {}{}{}}};\n", input ? "Input" : "Output", type_text(port.type),
                     members.at(port.name), cpp_text(port.name), unit, cpp_text(doc), flag);
}

/// A number with a unit; of others a remark, for the author to decide.
std::string parameter_line(const NamedParameter& parameter, const Members& members) {
  const std::string name = last_name(parameter.path);
  const nlohmann::ordered_json value = parameter_value(parameter.value);
  if (!value.is_number()) {
    std::string text = value.dump().substr(0, 60);
    while (text.ends_with('\\')) text.pop_back(); // it would carry the comment on
    return fmt::format("  // the subsystem's parameter {} is not a number: {}\n", name, text);
  }
  const std::string unit = parameter.value.unit().value_or(Unit()).text();
  const std::string given = fmt::format("{}{}{}", value.get<double>(), unit == "1" ? "" : " ", unit == "1" ? "" : unit);
  return fmt::format("  Parameter<double> {}{{*this, {}, {}, {}, by_default({})}};\n", members.at(name), cpp_text(name),
                     cpp_text(unit), cpp_text(parameter.doc.empty() ? "As in the subsystem" : parameter.doc),
                     cpp_text(given));
}

/// The phase that computes the outputs that follow from inputs, or those that do not.
std::string phase(const SkeletonSource& source, bool now, const Members& members) {
  std::string lines;
  for (const SubsystemPort& port : source.ports.outputs)
    if (port.now == now) lines += fmt::format("    {} = {};\n", members.at(port.name), zero(port.type));
  if (lines.empty()) return "";
  return fmt::format("\n  // to be written: {}\n  void {}(const Tick&) override {{\n{}  }}\n",
                     now ? "what follows from the inputs of this tick" : "what follows from states alone",
                     now ? "output" : "state_output", lines);
}

std::string block_text(const SkeletonSource& source) {
  const std::string name = class_name(source.subsystem);
  const Members members = members_of(source);
  std::string text =
      fmt::format("#include <hilda/block.h>\n\nnamespace {{\nusing namespace hilda;\n\n"
                  "/// Replaces the subsystem {} of {}. Its body is to be written: until then its outputs rest, and\n"
                  "/// {}_test says where they differ from what the subsystem gave.\n"
                  "struct {} : Block {{\n",
                  source.subsystem, source.diagram, source.plugin, name);
  for (const SubsystemPort& port : source.ports.inputs) text += port_line(port, true, members);
  for (const SubsystemPort& port : source.ports.outputs) text += port_line(port, false, members);
  for (const NamedParameter* each : source.ports.parameters) text += parameter_line(*each, members);
  text += "  // what it remembers from tick to tick: State<double> x{*this, \"x\", \"m\", \"what it is\"};\n";
  text += phase(source, false, members) + phase(source, true, members);
  text += "\n  // to be written: the states of the next tick, from inputs and outputs\n"
          "  void update(const Tick&) override {}\n};\n\n";
  text += fmt::format("HILDA_BLOCK({}, {})\n}} // namespace\n", name,
                      cpp_text("Replaces the subsystem " + last_name(source.subsystem) + "."));
  return text;
}

std::string number_list(const std::vector<SubsystemPort>& ports) {
  std::string list;
  for (const SubsystemPort& port : ports)
    list += fmt::format("{}{{{}, {{{}, {}}}}}", list.empty() ? "" : ", ", cpp_text(port.name), port.type.rows,
                        port.type.cols);
  return list;
}

RecordedTest test_of(const SkeletonSource& source) {
  const std::string name = class_name(source.subsystem);
  return {.plugin = source.plugin,
          .class_name = name,
          .origin = "the subsystem " + source.subsystem,
          .test = "GivesWhatTheSubsystemGave",
          .inputs = number_list(source.ports.inputs),
          .outputs = number_list(source.ports.outputs),
          .setup = fmt::format(".period = {:.17g}", source.recorded.period),
          .rows = source.recorded.rows.size()};
}

std::string readme_text(const SkeletonSource& source) {
  return fmt::format(
      "# {0}\n\nA plugin of hilda with one block, `{0}/{1}`, that is to replace the subsystem `{2}` of `{3}`.\n"
      "`{0}.cpp` has its ports, units and parameters; the body is yours to write. `recorded.csv` holds what the\n"
      "subsystem got and gave in {4} ticks of {5:.6g} s. The test fails until the block gives the same.\n\n"
      "```sh\ncmake -B build            # -Dhilda_DIR=PREFIX/lib/cmake/hilda where hilda is not in a standard place\n"
      "cmake --build build\nctest --test-dir build --output-on-failure\n```\n\n"
      "Then `<block name=\"{6}\" type=\"{0}/{1}\"/>` takes the subsystem's place, with\n"
      "`--plugins build/lib/hilda/plugins`. Wires stay as they are; one that went past the ports, to `a.b` in the "
      "subsystem,\n"
      "goes to `a_b` of the block. How to write a block: `author.md` in hilda's documentation.\n",
      source.plugin, class_name(source.subsystem), source.subsystem, source.diagram, source.recorded.rows.size(),
      source.recorded.period, last_name(source.subsystem));
}

} // namespace

std::vector<PluginFile> no_files(int& exit, int code, const std::string& text) {
  if (!text.empty()) print_error(text);
  exit = code;
  return {};
}

std::string fault_of(const SkeletonSource& source) {
  if (source.ports.outputs.empty())
    return "the subsystem has no outputs, so that there is nothing to hold a block against";
  for (const auto* side : {&source.ports.inputs, &source.ports.outputs})
    for (const SubsystemPort& port : *side)
      if (type_text(port.type).empty())
        return "the port '" + port.name +
               "' carries several booleans or integers, and the SDK has no signal of that kind";
  return "";
}

std::vector<PluginFile> skeleton(const SkeletonSource& source) {
  return {{"CMakeLists.txt", recorded_cmake_text(source.plugin)},
          {"README.md", readme_text(source)},
          {"recorded.csv", source.recorded.text()},
          {source.plugin + ".cpp", block_text(source)},
          {source.plugin + "_test.cpp", recorded_test_text(test_of(source))}};
}

} // namespace hilda::cli
