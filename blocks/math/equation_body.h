// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "equation_compiler.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace equations {

/// The beginning of a record; its slots follow.
struct RecordHead {
  const class Body* body;
  double* numbers; ///< of this record, made by configure
};

bool is_tag(const hilda_child& child, const char* tag);

/// Which of these names is meant by a word that is none of them: "; did you mean 'red'?", or nothing.
std::string near_miss(const std::string& word, const std::vector<std::string>& names);

/// Elements inside a block that declare names, and the slots that follow from them: what math/Equations and math/Chart
/// have in common.
class Body {
public:
  explicit Body(const hilda_body& body) : body_(body) {}
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  /// A table of slots, preceded by a pointer to this.
  const hilda_slot* slots() const { return reinterpret_cast<const hilda_slot*>(table_.data() + 1); }
  static const Body& of(const hilda_slot* slots) { return **(reinterpret_cast<const Body* const*>(slots) - 1); }

  std::uint64_t record_size = sizeof(RecordHead);
  std::uint32_t slot_count = 0;
  std::vector<double> numbers; ///< constants in their places; the time is first

protected:
  ~Body() = default;

  struct Declared {
    std::string name, unit, shape, doc, initial;
    Type type;
    std::uint64_t child = 0, at = 0;
    bool has_initial = false;
  };

  const hilda_child& child(std::uint64_t index) const;
  const char* attribute(std::uint64_t index, const char* name) const; ///< null: not given
  bool knows_attributes(std::uint64_t index, const std::vector<std::string>& known) const;
  /// Where no element names a unit, time is a plain number, too: x' = u of bare numbers.
  void take_plain_time();
  /// The words that every body has: t and pi.
  void add_constants();
  /// Name, unit and shape of an element; nothing after a report.
  std::optional<Declared> read_declared(std::uint64_t index);
  bool declare_port(std::uint64_t index); ///< an input, an output or a parameter
  /// The parameter NAME_initial.
  void add_initial(const Declared& of);
  void refuse(std::uint64_t index, const char* attribute, const std::string& what, const std::string& help) const;
  void warn(std::uint64_t index, const char* attribute, const std::string& what, const std::string& help) const;
  Powers seconds() const;
  Compiler::UnitText unit_text() const;

  std::uint64_t place(std::uint64_t bytes); ///< room in the record
  std::uint64_t place(const Type& type);
  void place_ports();
  hilda_slot& add_slot(std::uint32_t role, const Declared& what, std::uint32_t flags, std::uint64_t second = 0);
  /// After all slots are added.
  void close_slots();
  const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }
  /// Null where nothing has that name.
  template <typename List> static auto* find(List& in, const std::string& name) {
    const auto found = std::find_if(in.begin(), in.end(), [&](const auto& each) { return each.name == name; });
    return found == in.end() ? nullptr : &*found;
  }

  const hilda_body& body_;
  std::vector<Declared> inputs_, outputs_, parameters_;
  Symbols symbols_;

private:
  bool read_shape(std::uint64_t index, const std::string& text, Type& type) const;

  bool plain_time_ = false;
  std::deque<std::string> texts_;
  std::vector<hilda_slot> made_;
  std::vector<std::uint64_t> table_;
};

/// For `construct`'s sake records of all bodies are made, and taken apart, alike.
std::int32_t configure_record(void* record);
void destroy_record(void* record);

} // namespace equations
