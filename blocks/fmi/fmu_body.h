// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <hilda/block.h>
#include <hilda/ports.h>
#include <memory>
#include <string>
#include <vector>

namespace fmu {

struct Running;

/// The beginning of a record; its slots follow.
struct RecordHead {
  const class Body* body;
  Running* running; ///< what configure has opened
};

/// The variables that are declared inside an fmi/Fmu, and the slots that follow from it.
class Body {
public:
  /// Null after a report.
  static std::unique_ptr<Body> read(const hilda_body& body);

  struct Declared {
    std::string name, variable, unit, doc, choices;
    std::uint32_t role = 0, element = HILDA_F64;
    bool direct = false, live = false;
    double factor = 1, offset = 0;
    std::int64_t rows = 1, cols = 1;
    std::uint64_t at = 0, bytes = 0;
  };

  bool saves_state() const { return saves_state_; }
  bool has(std::uint32_t role, bool direct) const;
  const std::vector<Declared>& declared() const { return declared_; }
  /// A table of slots, preceded by a pointer to this: the engine copies a type, and keeps its slots.
  const hilda_slot* slots() const { return reinterpret_cast<const hilda_slot*>(table_.data() + 1); }
  static const Body& of(const hilda_slot* slots) { return **(reinterpret_cast<const Body* const*>(slots) - 1); }
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(slots_.size()); }
  std::uint64_t record_size() const { return record_size_; }
  std::uint64_t file_at() const { return file_at_; }

private:
  explicit Body(const hilda_body& body) : body_(&body) {}
  bool read_all();
  bool read_state(std::uint64_t index);
  bool read_variable(std::uint64_t index);
  bool read_kind(std::uint64_t index, Declared& made) const;
  bool read_numbers(std::uint64_t index, Declared& made) const;
  bool knows(std::uint64_t index, const std::vector<std::string>& known) const;
  const hilda_child& child(std::uint64_t index) const;
  const char* attribute(std::uint64_t index, const char* name) const;
  std::string text(std::uint64_t index, const char* name) const;
  bool refuse(std::uint64_t index, const char* attribute, const std::string& what, const std::string& help) const;
  void add_slots();
  hilda_slot blank(std::uint32_t role, const Declared& of);
  const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

  const hilda_body* body_; ///< while it is read
  bool saves_state_ = false;
  std::vector<Declared> declared_;
  std::deque<std::string> texts_;
  std::vector<hilda_slot> slots_;
  std::vector<std::uint64_t> table_;
  std::uint64_t record_size_ = sizeof(RecordHead), file_at_ = 0;
};

} // namespace fmu
