// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/cpp_names.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace hilda::cli {
namespace {

/// What the text of a block calls by these names.
bool sdk_type(std::string_view name) {
  static const std::set<std::string_view> types{
      "Block",     "Choice",     "ContinuousState", "Crossing", "Cycle",      "Default",
      "Elements",  "Expression", "Fired",           "Fixed",    "Flag",       "Fresh",
      "Inference", "Input",      "Inputs",          "Instance", "Matrix",     "Output",
      "Outputs",   "Path",       "Parameter",       "Pose",     "Range",      "Ring",
      "Spaced",    "State",      "Summary",         "Text",     "Quaternion", "Tick",
      "Twist",     "Vector",     "Wrench"};
  return types.count(name) > 0;
}

/// Phases and other members of the base class, what declares a port or a parameter, and namespaces.
bool sdk_word(std::string_view name) {
  static const std::set<std::string_view> words{"above",         "acquire",      "actuation",
                                                "at_least",      "as_many_as",   "at_most",
                                                "await_cycle",   "below",        "between",
                                                "by_default",    "conditional",  "configure",
                                                "crossing",      "cycle_period", "derivative",
                                                "detail",        "emit",         "event",
                                                "expected",      "fate_of",      "feeds_through",
                                                "from_state",    "hilda",        "in_update",
                                                "infer",         "initialize",   "live",
                                                "load_state",    "measurement",  "modal",
                                                "optional",      "output",       "output_and_update",
                                                "patience",      "prepare",      "prime",
                                                "primes",        "project",      "reconfigure",
                                                "rest",          "rng",          "rotational",
                                                "save_state",    "sdk1",         "start",
                                                "state_output",  "std",          "stop",
                                                "stored_energy", "summarize",    "type_flags",
                                                "unrecorded",    "update"};
  return words.count(name) > 0;
}

/// NAN, EOF, M_PI; those of the C library with small letters are few.
bool may_be_macro(const std::string& name) {
  static const std::set<std::string_view> small{"assert",   "errno",   "linux",  "major",   "makedev", "minor",
                                                "offsetof", "setjmp",  "stderr", "stdin",   "stdout",  "unix",
                                                "va_arg",   "va_copy", "va_end", "va_start"};
  const bool capitals = name.size() > 1 && std::none_of(name.begin(), name.end(), [](char c) {
                          return std::islower(static_cast<unsigned char>(c)) != 0;
                        });
  return capitals || name.starts_with('_') || small.count(name) > 0;
}

bool is_taken(const std::string& name) {
  return reserved_word(name) || sdk_type(name) || sdk_word(name) || may_be_macro(name);
}

} // namespace

bool reserved_word(const std::string& name) {
  static const std::set<std::string_view> words{
      "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
      "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
      "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
      "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
      "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
      "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
      "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
      "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
      "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
      "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
      "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
      "true",        "try",      "typedef",    "typeid",    "typename",  "typeof",       "union",
      "unsigned",    "using",    "virtual",    "void",      "volatile",  "wchar_t",      "while",
      "xor",         "xor_eq",   "test",       "all",       "install"};
  return words.count(name) > 0;
}

std::string cpp_text(const std::string& text) {
  std::string literal;
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return "\"" + literal + "\"";
}

std::string class_name(const std::string& subsystem) {
  std::string name;
  bool first = true;
  for (const char c : subsystem.substr(subsystem.rfind('.') + 1)) {
    if (c != '_') name += first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    first = c == '_';
  }
  const bool none = name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0;
  return none || is_taken(name) ? "The" + name : name;
}

std::map<std::string, std::string> member_names(const std::vector<std::string>& names, const std::string& class_name) {
  std::map<std::string, std::string> members;
  std::set<std::string> given{class_name};
  const auto give = [&](const std::string& name, const std::string& member) {
    const bool fresh = given.insert(member).second;
    if (fresh) members[name] = member;
    return fresh;
  };
  for (const std::string& name : names) // those that can keep their names come first
    if (!is_taken(name) && name.find('.') == name.npos) give(name, name);
  for (const std::string& name : names) {
    std::string base = name;
    std::replace(base.begin(), base.end(), '.', '_'); // of a part of a port
    if (members.count(name) > 0 || give(name, base + "_")) continue;
    for (int i = 2; !give(name, base + "_" + std::to_string(i)); ++i) {}
  }
  return members;
}

} // namespace hilda::cli
