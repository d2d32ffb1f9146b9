// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/study_schema.h"

#include "engine/diagram/solver_settings.h"

#include <initializer_list>
#include <vector>

namespace hilda::study {
namespace {

/// Attributes without their own rules, each of which may be left out.
std::string optional(std::initializer_list<const char*> names) {
  std::string text;
  for (const char* name : names)
    text += "        <optional><attribute name=\"" + std::string(name) + "\"/></optional>\n";
  return text;
}

std::string required(const char* name) { return "        <attribute name=\"" + std::string(name) + "\"/>\n"; }

std::string words(const char* name, const std::vector<std::string>& allowed, bool must = false) {
  std::string text = "<attribute name=\"" + std::string(name) + "\"><choice>";
  for (const std::string& word : allowed) text += "<value>" + word + "</value>";
  text += "</choice></attribute>";
  return "        " + (must ? text : "<optional>" + text + "</optional>") + "\n";
}

std::string element(const char* name, const std::string& content) {
  return "      <element name=\"" + std::string(name) + "\">\n" + content + "      </element>\n";
}

std::string group(const std::string& content) { return "        <group>\n" + content + "        </group>\n"; }
std::string choice(const std::string& content) { return "        <choice>\n" + content + "        </choice>\n"; }

} // namespace

std::string study_relax_ng() {
  const std::string ends = required("from") + required("to");
  const std::string parameter =
      group(required("path") + choice(required("values") + required("factors") +
                                      group(ends + required("count") + words("spacing", {"linear", "log"}))));
  const std::string files =
      group(choice(required("diagram") + required("overlay") + required("rig")) + optional({"folder"}));
  const std::string drawn = group(choice(group(required("normal") + required("deviation")) + group(ends)) +
                                  words("sampling", {"random", "latin", "sobol"}) + optional({"count"}));
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\">\n  <start>\n    <element name=\"study\">\n"
      "        <attribute name=\"format\"><value>1</value></attribute>\n";
  text += optional({"name", "diagram", "mode", "rig", "overlay", "seed", "timeout", "doc"});
  text += words("solver", solver_names()) + "      <zeroOrMore><choice>\n";
  text += element("set", required("path") + required("value") + optional({"when", "doc"}));
  text += element("axis", choice(parameter + files) + optional({"with", "when", "name", "doc"}));
  text += element("draw", required("path") + choice(required("repeat") + drawn) + optional({"doc"}));
  text += element("figure", required("name") + choice(required("from") + required("expression")) +
                                words("optional", {"true", "false"}) + optional({"unit", "doc"}));
  text += element("keep", words("log", {"all", "failed", "when"}, true) + optional({"condition", "most", "doc"}));
  return text + "      </choice></zeroOrMore>\n    </element>\n  </start>\n</grammar>\n";
}

} // namespace hilda::study
