// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/diagrams.h"
#include "tests/project_folders.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace hilda::bench {
namespace {

/// Writes a diagram line by line.
class Xml {
public:
  explicit Xml(const char* name) { line(R"(<diagram format="1" name="{}" period="1 ms">)", name); }
  template <typename... A> void line(fmt::format_string<A...> text, A&&... arguments) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<A>(arguments)...);
    text_ += '\n';
  }
  void connect(const std::string& from, const std::string& to) { line(R"(  <connect from="{}" to="{}"/>)", from, to); }
  std::string text() { return text_ + "</diagram>\n"; }

private:
  std::string text_;
};

std::string output_of(const char* block, std::size_t i) {
  return i == 0 ? "source.y" : fmt::format("{}{}.y", block, i - 1);
}

std::string file(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replace(std::string& text, const std::string& old, const std::string& fresh) {
  const std::size_t at = text.find(old);
  if (at != std::string::npos) text.replace(at, old.size(), fresh);
}

} // namespace

std::string chain_diagram(std::size_t gains) {
  Xml xml("chain");
  xml.line(R"(  <block name="source" type="sources/Constant" value="1"/>)");
  for (std::size_t i = 0; i < gains; ++i) {
    xml.line(R"(  <block name="g{}" type="math/Gain" gain="{}"/>)", i, i % 2 == 0 ? "2" : "0.5");
    xml.connect(output_of("g", i), fmt::format("g{}.u", i));
  }
  return xml.text();
}

std::string loops_diagram(std::size_t count) {
  Xml xml("loops");
  xml.line(R"(  <block name="source" type="sources/Constant" value="1"/>)");
  for (std::size_t i = 0; i < count; ++i) {
    xml.line(
        R"(  <block name="pid{}" type="discrete/Pid" kp="20" ki="5 1/s" kd="1 s" filter_time="10 ms" lower="-1e6" upper="1e6"/>)",
        i);
    xml.line(
        R"(  <block name="plant{}" type="discrete/DiscreteStateSpace" A="1 0.001; -0.01 0.99;" B="0; 0.001;" C="1 0;"/>)",
        i);
    xml.connect("source.y", fmt::format("pid{}.setpoint", i));
    xml.connect(fmt::format("plant{}.y", i), fmt::format("pid{}.measured", i));
    xml.connect(fmt::format("pid{}.command", i), fmt::format("plant{}.u", i));
  }
  return xml.text();
}

std::string matrices_diagram(std::size_t count) {
  std::string gain;
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) gain += r == c ? "0.5 " : "0.1 ";
    gain += "; ";
  }
  Xml xml("matrices");
  xml.line(R"(  <block name="source" type="sources/Constant" value="1 1 1 1 1 1"/>)");
  for (std::size_t i = 0; i < count; ++i) {
    xml.line(R"(  <block name="k{}" type="math/MatrixGain" gain="{}"/>)", i, gain);
    xml.connect(output_of("k", i), fmt::format("k{}.u", i));
  }
  return xml.text();
}

std::string pida_diagram() { return file(test::source_folder() + "/benchmarks/pida.xml"); }

std::string force_torque_diagram(const std::string& pseudo_inverse) {
  std::string text = shipped_diagram("force_torque_control");
  replace(text, R"(name="pseudo_inverse" value="svd")",
          fmt::format(R"(name="pseudo_inverse" value="{}")", pseudo_inverse));
  replace(text, R"(name="sphere_stiffness" value="0.1 N m2")", R"(name="sphere_stiffness" value="1e-6 N m2")");
  return text;
}

std::string shipped_diagram(const std::string& name) {
  std::string text = file(fmt::format("{}/diagrams/{}.xml", test::source_folder(), name));
  replace(text, R"(name="contacts" value="5")", R"(name="contacts" value="0")");
  return text;
}

std::string large_diagram(std::size_t blocks) {
  Xml xml("large");
  xml.line(R"(  <block name="source" type="sources/Constant" value="1"/>)");
  for (std::size_t i = 0; i < blocks / 5; ++i) {
    xml.line(R"(  <block name="error{}" type="math/Sum" signs="+-"/>)", i);
    xml.line(R"(  <block name="pid{}" type="discrete/Pid" kp="0.4" ki="2 1/s"/>)", i);
    xml.line(R"(  <block name="gain{}" type="math/Gain" gain="0.5"/>)", i);
    xml.line(R"(  <block name="limit{}" type="math/Saturation" lower="-10" upper="10"/>)", i);
    xml.line(R"(  <block name="delay{}" type="discrete/UnitDelay"/>)", i);
    xml.connect(output_of("delay", i), fmt::format("error{}.u[0]", i));
    xml.connect(fmt::format("delay{}.y", i), fmt::format("error{}.u[1]", i));
    xml.connect(fmt::format("error{}.y", i), fmt::format("pid{}.setpoint", i));
    xml.connect(fmt::format("pid{}.command", i), fmt::format("gain{}.u", i));
    xml.connect(fmt::format("gain{}.y", i), fmt::format("limit{}.u", i));
    xml.connect(fmt::format("limit{}.y", i), fmt::format("delay{}.u", i));
  }
  return xml.text();
}

} // namespace hilda::bench
