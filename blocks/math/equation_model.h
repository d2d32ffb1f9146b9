#pragma once

#include "equation_compiler.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace equations {

/// What stands at the beginning of a record; its slots follow.
struct RecordHead {
  const class Model* model;
  double* numbers; ///< of this record, made by configure
};

/// One body of equations: its slots and its programs. A block of it has a record each.
class Model {
public:
  explicit Model(const hilda_body& body) : body_(body) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// False after a report.
  bool read();
  /// A table of slots, before which a pointer to this stands.
  const hilda_slot* slots() const { return reinterpret_cast<const hilda_slot*>(table_.data() + 1); }
  static const Model& of(const hilda_slot* slots) { return **(reinterpret_cast<const Model* const*>(slots) - 1); }

  /// A state, and where its parameter `initial` lies.
  struct State {
    std::string name;
    Type type;
    bool continuous = false, set = false;
    std::uint64_t child = 0, at = 0, derivative = 0, initial = 0;
  };

  std::uint64_t record_size = sizeof(RecordHead);
  std::uint32_t slot_count = 0;
  Program state_output, output, derivative, update;
  std::vector<double> numbers; ///< constants in their places
  std::vector<State> states;
  std::vector<std::uint64_t> conditions; ///< where the last values of the conditions of `when` lie

private:
  struct Declared {
    std::string name, unit, shape, doc, initial;
    Type type;
    std::uint64_t child = 0, at = 0;
    bool has_initial = false;
  };
  struct Line {
    Equation equation;
    Node when;
    bool has_when = false;
    std::uint64_t child = 0;
  };

  const char* attribute(const hilda_child& child, const char* name) const;
  bool declare(std::uint64_t index);
  bool read_line(std::uint64_t index);
  bool read_shape(std::uint64_t index, const std::string& text, Type& type);
  bool assign();
  bool sort_lines();
  bool compile();
  void compile_outputs(Compiler& compiler, bool from_inputs);
  void compile_updates(Compiler& compiler);
  void add_slots();
  void add_slot(std::uint32_t role, const Declared& what, std::uint32_t flags, std::uint64_t second = 0);
  bool reads_input(const Node& node) const;
  const char* keep(std::string text);
  void refuse(std::uint64_t child, const char* attribute, const std::string& what, const std::string& help) const;
  const Declared* find(const std::vector<Declared>& in, const std::string& name) const;
  State* state(const std::string& name);

  const hilda_body& body_;
  std::vector<Declared> inputs_, outputs_, parameters_;
  std::vector<Line> lines_, defining_; ///< all; and those that define a value, each before what uses it
  Symbols symbols_;
  std::map<std::string, bool> from_input_; ///< of what a line defines
  std::set<std::string> feeding_;          ///< inputs that an output follows from at once
  std::uint64_t at_fault_ = 0;             ///< the element that is worked on
  std::deque<std::string> texts_;
  std::vector<hilda_slot> made_;
  std::vector<std::uint64_t> table_;
};

} // namespace equations
