// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace hilda::test {

inline const std::string diagrams = source_folder() + "/diagrams/";

inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

inline double number_after(const std::string& text, const std::string& name, std::size_t from) {
  const std::size_t at = text.find(" " + name + "=\"", from);
  return at == std::string::npos ? NAN : std::stod(text.substr(at + name.size() + 3));
}

/// The outline of the symbol with this path.
inline Box box_of(const std::string& svg, const std::string& path) {
  const std::size_t at = svg.find("<title>" + path + "</title>");
  if (at == std::string::npos) return {};
  return {number_after(svg, "x", at), number_after(svg, "y", at), number_after(svg, "width", at),
          number_after(svg, "height", at)};
}

inline double left_of(const std::string& svg, const std::string& path) { return box_of(svg, path).x; }

/// Paths of all symbols with an outline.
inline std::vector<std::string> paths_in(const std::string& svg) {
  std::vector<std::string> paths;
  for (std::size_t at = svg.find("<title>"); at != std::string::npos; at = svg.find("<title>", at + 1))
    if (svg.compare(svg.find('\n', at) + 1, 5, "<rect") == 0)
      paths.push_back(svg.substr(at + 7, svg.find('<', at + 7) - at - 7));
  return paths;
}

inline std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A figure that `hilda draw --measure` prints.
inline double measured(const Result& drawn, const std::string& name) {
  const std::size_t at = drawn.out.find(name + " ");
  return at == std::string::npos ? NAN : std::stod(drawn.out.substr(at + name.size() + 1));
}

/// The loop of a controller and its plant with a block that watches.
inline std::string servo(const std::string& more, const std::string& feedback = "") {
  return "<diagram format=\"1\" name=\"servo\" period=\"1 ms\">\n"
         "  <block name=\"aim\" type=\"sources/Constant\" value=\"1\"/>\n"
         "  <block name=\"error\" type=\"math/Sum\" signs=\"+-\"/>\n"
         "  <block name=\"gain\" type=\"math/Gain\" gain=\"2\" " +
         more +
         "/>\n  <block name=\"plant\" type=\"discrete/LowPass\" cutoff=\"1 Hz\"/>\n"
         "  <block name=\"late\" type=\"discrete/UnitDelay\"/>\n"
         "  <connect from=\"aim.y\" to=\"error.u[0]\"/>\n  <connect from=\"error.y\" to=\"gain.u\"/>\n"
         "  <connect from=\"gain.y\" to=\"plant.u\"/>\n  <connect from=\"plant.y\" to=\"late.u\"/>\n"
         "  <connect from=\"late.y\" to=\"error.u[1]\" " +
         feedback + "/>\n</diagram>\n";
}

} // namespace hilda::test
