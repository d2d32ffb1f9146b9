// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/python_skeleton.h"

#include "tools/cli/detail/author/cpp_names.h"
#include "tools/cli/detail/author/recorded_test.h"

#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <regex>
#include <sstream>

namespace hilda::cli {
namespace {

using nlohmann::json;

std::string python_class(const PythonSource& source) {
  return source.type->name.substr(source.type->name.find('/') + 1);
}

bool scalar(const Slot& slot) { return slot.kind == HILDA_PLAIN && slot.shape_text.empty(); }

/// The SDK's type of a slot's elements.
std::string element_type(const Slot& slot) {
  if (slot.kind != HILDA_PLAIN) {
    std::string name = kind_name(slot.kind);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
  }
  const bool repeated = slot.is(HILDA_REPEATED), one = slot.shape_text.empty() && !repeated;
  switch (slot.element) {
  case HILDA_I64: return one ? "std::int64_t" : "Integers";
  case HILDA_U8: return one ? "bool" : "Booleans";
  case HILDA_TEXT: return "Text";
  case HILDA_CHOICE: return "Choice";
  default: break;
  }
  if (one) return "double";
  if (!slot.shape.whole.empty()) return "Elements<>";
  const std::int64_t rows = slot.shape.rows.constant, cols = slot.shape.cols.constant;
  const bool column = slot.shape.cols.fixed() && cols == 1;
  if (slot.shape.fixed() && !repeated)
    return column ? fmt::format("Fixed<{}>", rows) : fmt::format("Fixed<{}, {}>", rows, cols);
  return column ? "Vector" : "Matrix";
}

/// Does its declaration in C++ have the shape, because the type does not?
bool names_shape(const Slot& slot) {
  if (slot.is(HILDA_REPEATED)) return true;
  return slot.kind == HILDA_PLAIN && !slot.shape_text.empty() && (slot.element != HILDA_F64 || !slot.shape.fixed());
}

const char* template_of(const Slot& slot) {
  switch (slot.role) {
  case HILDA_INPUT: return slot.is(HILDA_REPEATED) ? "Inputs" : "Input";
  case HILDA_OUTPUT: return slot.is(HILDA_REPEATED) ? "Outputs" : "Output";
  case HILDA_PARAMETER: return "Parameter";
  case HILDA_WORK: return "Crossing";
  default: return slot.is(HILDA_CONTINUOUS) ? "ContinuousState" : "State";
  }
}

std::string limits(const Slot& slot) {
  std::string text;
  if (slot.role != HILDA_PARAMETER) return text;
  if (std::isfinite(slot.minimum))
    text += fmt::format(", {}({:#})", slot.is(HILDA_ABOVE) ? "above" : "at_least", slot.minimum);
  if (std::isfinite(slot.maximum))
    text += fmt::format(", {}({:#})", slot.is(HILDA_BELOW) ? "below" : "at_most", slot.maximum);
  return text;
}

std::string slot_line(const Slot& slot, const PythonSource& source) {
  std::string text = fmt::format("  {}<{}> {}{{*this, {}", template_of(slot), element_type(slot),
                                 source.members.at(slot.name), cpp_text(slot.name));
  if (names_shape(slot)) text += ", " + cpp_text(slot.shape_text);
  std::string choices;
  for (const std::string& each : slot.choices) choices += (choices.empty() ? "" : "|") + each;
  if (slot.element == HILDA_CHOICE) text += ", " + cpp_text(choices);
  const bool real = slot.kind == HILDA_PLAIN && slot.element == HILDA_F64;
  if (real || names_shape(slot)) text += ", " + cpp_text(!real ? "" : slot.unit_text.empty() ? "1" : slot.unit_text);
  text += ", " + cpp_text(slot.doc.empty() ? "As in Python" : slot.doc);
  for (const auto& [flag, word] : {std::pair<std::uint32_t, const char*>{HILDA_IN_UPDATE, "in_update"},
                                   {HILDA_OPTIONAL, "optional"},
                                   {HILDA_STATE_OUTPUT, "from_state"},
                                   {HILDA_LIVE, "live"},
                                   {HILDA_MODE, "modal"}})
    if (slot.is(flag)) text += fmt::format(", {}", word);
  text += limits(slot);
  if (!slot.count.empty()) text += fmt::format(", as_many_as({})", cpp_text(slot.count));
  if (slot.initial) text += fmt::format(", by_default({})", cpp_text(*slot.initial));
  return text + "};\n";
}

/// What initialize has to write before the method of that name: states are 0 otherwise.
std::string initial_lines(const PythonSource& source) {
  std::string lines;
  for (const Slot& slot : source.type->slots) {
    const double value = slot.role == HILDA_STATE ? source.answer["initial"][slot.name].get<double>() : 0;
    if (value == 0) continue;
    const std::string& name = source.members.at(slot.name);
    const std::string number = fmt::format("{:#}", value), type = element_type(slot);
    if (scalar(slot))
      lines += fmt::format("    {} = {};\n", name,
                           slot.element == HILDA_F64 ? number : fmt::format("{}", static_cast<std::int64_t>(value)));
    else if (type.starts_with("Fixed"))
      lines += fmt::format("    {} = {}::Constant({});\n", name, type, number);
    else
      lines += fmt::format("    (*{}).setConstant({}); // each element\n", name, number);
  }
  return lines;
}

bool computed_from_state(const PythonSource& source) {
  for (const Slot& slot : source.type->slots)
    if (slot.role == HILDA_OUTPUT && slot.is(HILDA_STATE_OUTPUT)) return true;
  return false;
}

/// "void output(const Tick& t) override", with the names of those arguments that the body uses.
std::string head(const std::string& phase, const std::string& text, const PythonSource& source) {
  const std::string body = std::regex_replace(text, std::regex("(^|\n) *//[^\n]*"), "");
  const auto used = [&body](const std::string& name) {
    return std::regex_search(body, std::regex("(^|[^A-Za-z0-9_.])" + name + "\\b")) ? " " + name : std::string();
  };
  if (phase == "stop") return "void stop() override";
  if (phase == "summary") return "void summarize(const Summary&) const override";
  if (phase == "configure" || phase == "prepare" || phase == "initialize" || phase == "start")
    return fmt::format("void {}(const Instance&{}) override", phase, used("self"));
  const std::string name = phase == "derivatives"                             ? "derivative"
                           : phase == "output" && computed_from_state(source) ? "state_output"
                                                                              : phase;
  const std::string fired = phase == "event" ? ", const Fired&" + used("fired") : "";
  return fmt::format("void {}(const Tick&{}{}) override", name, used("t"), fired);
}

std::string file_name(const PythonSource& source) { return std::filesystem::path(source.file).filename().string(); }

/// The method in Python, as a comment.
std::string as_comment(const std::string& text) {
  std::istringstream in(text);
  std::string lines;
  for (std::string line; std::getline(in, line);) {
    while (line.ends_with('\\') || line.ends_with('\r')) line.pop_back(); // it would carry the comment on
    lines += "  //" + (line.empty() ? "" : " " + line) + "\n";
  }
  return lines;
}

std::string method_text(const std::string& phase, const json& method, const PythonSource& source) {
  const std::string first = phase == "initialize" ? initial_lines(source) : "";
  if (method.contains("body")) {
    const std::string body = first + method["body"].get<std::string>();
    return fmt::format("\n  {} {{\n{}\n  }}\n", head(phase, body, source), body);
  }
  const std::string place = fmt::format("{}:{}", file_name(source), method["line"].get<int>());
  const std::string words = cpp_text(fmt::format("{} is to be written in C++: see {}", phase, place));
  const bool in_loop = phase == "output" || phase == "update" || phase == "derivatives" || phase == "event";
  const std::string body =
      first + (in_loop                                 ? fmt::format("    t.fail({});", words)
               : phase == "stop" || phase == "summary" ? std::string()
                                                       : fmt::format("    self.report(nullptr, {});", words));
  return fmt::format("\n  // TO BE WRITTEN ({}:{}: {}). In Python:\n{}  {} {{\n{}\n  }}\n", file_name(source),
                     method["at"].get<int>(), method["why"].get<std::string>(),
                     as_comment(method["source"].get<std::string>()), head(phase, body, source), body);
}

std::string block_text(const PythonSource& source) {
  const std::string name = cpp_class_of(*source.type);
  std::string text = fmt::format(
      "#include <algorithm>\n#include <cmath>\n#include <hilda/block.h>\n#include <string_view>\n\nnamespace {{\n"
      "using namespace hilda;\n\n/// The class {} of {} in C++.\nstruct {} : Block {{\n",
      python_class(source), file_name(source), name);
  for (const Slot& slot : source.type->slots) text += slot_line(slot, source);
  const json& methods = source.answer["methods"];
  const std::string initial = initial_lines(source);
  if (!methods.contains("initialize") && !initial.empty())
    text += "\n  void initialize(const Instance&) override {\n" + initial + "  }\n";
  for (const char* phase :
       {"configure", "prepare", "initialize", "start", "stop", "summary", "output", "update", "derivatives", "event"})
    if (methods.contains(phase)) text += method_text(phase, methods[phase], source);
  std::string rest;
  for (const json& each : source.answer["helpers"]) rest += each.get<std::string>() + "\n";
  for (const json& each : source.answer["own"]) rest += each.get<std::string>() + "\n";
  if (!rest.empty()) text += "\nprivate:\n" + rest;
  const std::string doc = source.type->doc.empty() ? "As in Python." : source.type->doc;
  return text + fmt::format("}};\nHILDA_BLOCK({}, {})\n}} // namespace\n", name, cpp_text(doc));
}

std::string readme_text(const PythonSource& source) {
  const std::string name = cpp_class_of(*source.type);
  std::string rest;
  for (const std::string& each : unwritten(source)) rest += "- " + each + "\n";
  if (rest.empty())
    rest = "All of its methods are translated.\n";
  else
    rest = "These places are yours to write. The block fails the run, and the test, where it reaches one that is not "
           "written:\n\n" +
           rest;
  return fmt::format(
      "# {0}\n\nA plugin of hilda with one block, `{0}/{1}`, that replaces the block `{2}` of `{3}`.\n\n{4}\n"
      "`recorded.csv` has inputs, outputs and states of the Python block in {5} ticks of {6:.6g} s with random inputs. "
      "The\n"
      "test requires the same of the C++ block, to 1e-9 of the largest value. It uses the default parameters. It "
      "drives\n"
      "the block with a fixed step, where `event` is not called: test a block with events in a diagram, too.\n\n"
      "Python raises an exception where a number is divided by 0, and C++ computes an infinity. hilda ends the run for "
      "it\n"
      "where it reaches an output.\n\n"
      "```sh\ncmake -B build            # -Dhilda_DIR=PREFIX/lib/cmake/hilda where hilda is not in a standard place\n"
      "cmake --build build\nctest --test-dir build --output-on-failure\n```\n\n"
      "Then write `type=\"{0}/{1}\"` in the diagram, and `--plugins build/lib/hilda/plugins`. How to write a block:\n"
      "`author.md` in hilda's documentation.\n",
      source.plugin, name, source.type->name, file_name(source), rest, source.recorded.rows.size(),
      source.recorded.period);
}

} // namespace

std::string cpp_class_of(const BlockType& type) { return class_name(type.name.substr(type.name.find('/') + 1)); }

std::vector<std::string> unwritten(const PythonSource& source) {
  std::vector<std::string> lines;
  for (const auto& [phase, method] : source.answer["methods"].items())
    for (const json& place : method.contains("body") ? method["open"] : json::array({method}))
      lines.push_back(fmt::format("{} ({}:{}): {}", phase, file_name(source), place["at"].get<int>(),
                                  place["why"].get<std::string>()));
  return lines;
}

std::vector<PluginFile> skeleton(const PythonSource& source) {
  const RecordedTest test{.plugin = source.plugin,
                          .class_name = cpp_class_of(*source.type),
                          .origin = "the Python block " + source.type->name,
                          .test = "ComputesWhatThePythonBlockComputes",
                          .inputs = source.inputs,
                          .outputs = source.values,
                          .setup = source.setup,
                          .rows = source.recorded.rows.size()};
  return {{"CMakeLists.txt", recorded_cmake_text(source.plugin)},
          {"README.md", readme_text(source)},
          {"recorded.csv", source.recorded.text()},
          {source.plugin + ".cpp", block_text(source)},
          {source.plugin + "_test.cpp", recorded_test_text(test)}};
}

} // namespace hilda::cli
