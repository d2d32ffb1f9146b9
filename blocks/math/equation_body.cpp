// SPDX-License-Identifier: BSD-3-Clause
#include "equation_body.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace equations {
namespace {

constexpr int largest_side = 10'000;

/// "0 0 0", or "0 0; 0 0" of a matrix.
std::string zeros(const Type& type) {
  std::string text;
  for (int i = 0; i < type.rows; ++i) {
    for (int j = 0; j < type.cols; ++j) text += text.empty() || text.ends_with(' ') ? "0" : " 0";
    if (type.cols > 1 && (i + 1 < type.rows || type.rows == 1)) text += "; ";
  }
  return text;
}

/// How many letters differ, are missing or are too much.
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

} // namespace

bool is_tag(const hilda_child& child, const char* tag) { return std::strcmp(child.tag, tag) == 0; }

std::string near_miss(const std::string& word, const std::vector<std::string>& names) {
  const std::size_t most = std::max<std::size_t>(word.size() / 3, 1);
  std::size_t least = word.size() + 1;
  std::string meant;
  for (const std::string& each : names) {
    // a third of its letters; of a short word two, which may have changed places
    const std::size_t allowed = each.size() == word.size() && word.size() > 3 ? std::max<std::size_t>(most, 2) : most;
    const std::size_t edits = edits_between(word, each);
    if (edits <= allowed && edits < least && edits < each.size()) least = edits, meant = each;
  }
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

const hilda_child& Body::child(std::uint64_t index) const {
  return *reinterpret_cast<const hilda_child*>(reinterpret_cast<const char*>(body_.children) +
                                               index * body_.child_stride);
}

const char* Body::attribute(std::uint64_t index, const char* name) const {
  const hilda_child& of = child(index);
  for (std::uint32_t i = 0; i < of.attribute_count; ++i)
    if (std::strcmp(of.names[i], name) == 0) return of.texts[i];
  return nullptr;
}

bool Body::knows_attributes(std::uint64_t index, const std::vector<std::string>& known) const {
  const hilda_child& of = child(index);
  bool good = true;
  for (std::uint32_t a = 0; a < of.attribute_count; ++a) {
    if (std::find(known.begin(), known.end(), of.names[a]) != known.end()) continue;
    std::string list;
    for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
    refuse(index, of.names[a], std::string("knows no attribute '") + of.names[a] + "'", "it may have: " + list);
    good = false;
  }
  return good;
}

void Body::take_plain_time() {
  plain_time_ = true;
  for (std::uint64_t i = 0; i < body_.child_count; ++i) {
    const char* const unit = attribute(i, "unit");
    if (unit != nullptr && *unit != 0) plain_time_ = false;
  }
}

void Body::add_constants() {
  numbers.assign(1, 0); // the time
  symbols_["t"] = {.kind = Symbol::Kind::time};
  symbols_["t"].type.unit = seconds();
  symbols_["pi"] = {.kind = Symbol::Kind::constant, .number = M_PI};
}

void Body::refuse(std::uint64_t index, const char* attribute, const std::string& what, const std::string& help) const {
  body_.report(body_.engine, index, attribute, what.c_str(), help.c_str());
}

void Body::warn(std::uint64_t index, const char* attribute, const std::string& what, const std::string& help) const {
  if (body_.size > offsetof(hilda_body, warn)) body_.warn(body_.engine, index, attribute, what.c_str(), help.c_str());
}

Powers Body::seconds() const {
  if (plain_time_) return {};
  double factor = 1;
  Powers powers{};
  body_.unit(body_.engine, body_.child_count, "s", powers.data(), &factor);
  return powers;
}

Compiler::UnitText Body::unit_text() const {
  return [this](const Powers& powers) {
    char text[80] = "";
    body_.unit_text(body_.engine, powers.data(), text, sizeof text);
    return std::string(text);
  };
}

bool Body::read_shape(std::uint64_t index, const std::string& text, Type& type) const {
  const char *at = text.data(), *const end = at + text.size();
  int sides[2] = {1, 1};
  std::size_t count = 0;
  while (at != end) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    if (count == 2) break;
    const auto [after, error] = std::from_chars(at, end, sides[count]);
    if (error != std::errc() || sides[count] < 1 || sides[count] > largest_side) break;
    ++count, at = after;
  }
  if (at != end) {
    refuse(index, "shape", "has the shape '" + text + "', which is none",
           "a shape is a number for a vector, two for a matrix; a wrench or a pose comes in by its parts");
    return false;
  }
  type.rows = sides[0], type.cols = sides[1];
  return true;
}

std::optional<Body::Declared> Body::read_declared(std::uint64_t index) {
  Declared made;
  made.child = index;
  const char* name = attribute(index, "name");
  if (name == nullptr || !is_identifier(name) || std::strcmp(name, "t") == 0 || std::strcmp(name, "pi") == 0) {
    refuse(index, "name",
           name == nullptr ? "has no name" : std::string("has the name '") + name + "', which equations cannot use",
           "a name is letters, digits and '_', not beginning with a digit, and neither t nor pi");
    return std::nullopt;
  }
  made.name = name;
  if (symbols_.contains(made.name)) {
    refuse(index, "name", "has the name '" + made.name + "', which is taken", "each name is declared once");
    return std::nullopt;
  }
  const auto text = [&](const char* what) { return attribute(index, what) == nullptr ? "" : attribute(index, what); };
  made.unit = text("unit"), made.shape = text("shape"), made.doc = text("doc");
  double factor = 1;
  if (body_.unit(body_.engine, index, made.unit.c_str(), made.type.unit.data(), &factor) != 0) return std::nullopt;
  if (!is_tag(child(index), "parameter") && factor != 1) {
    refuse(index, "unit", "is in '" + made.unit + "', but signals and states are in SI",
           "give the unit in SI: m and not mm, rad/s and not Hz");
    return std::nullopt;
  }
  if (!read_shape(index, made.shape, made.type)) return std::nullopt;
  return made;
}

bool Body::declare_port(std::uint64_t index) {
  std::optional<Declared> made = read_declared(index);
  if (!made) return false;
  const bool input = is_tag(child(index), "input"), output = is_tag(child(index), "output");
  symbols_[made->name] = {.kind = input    ? Symbol::Kind::input
                                  : output ? Symbol::Kind::defined
                                           : Symbol::Kind::memory,
                          .type = made->type};
  (input ? inputs_ : output ? outputs_ : parameters_).push_back(std::move(*made));
  return true;
}

void Body::add_initial(const Declared& of) {
  Declared initial = of;
  initial.name += "_initial";
  initial.doc = "Value of " + of.name + " at the start";
  initial.has_initial = true, initial.initial = zeros(of.type);
  symbols_[initial.name] = {.kind = Symbol::Kind::memory, .type = of.type};
  parameters_.push_back(std::move(initial));
}

std::uint64_t Body::place(std::uint64_t bytes) {
  const std::uint64_t at = record_size;
  record_size += bytes;
  return at;
}

std::uint64_t Body::place(const Type& type) { return place(static_cast<std::uint64_t>(type.count()) * sizeof(double)); }

void Body::place_ports() {
  for (Declared& each : inputs_) symbols_[each.name].offset = each.at = place(sizeof(double*));
  for (auto* list : {&outputs_, &parameters_})
    for (Declared& each : *list) symbols_[each.name].offset = each.at = place(each.type);
}

hilda_slot& Body::add_slot(std::uint32_t role, const Declared& what, std::uint32_t flags, std::uint64_t second) {
  hilda_slot slot{};
  slot.size = sizeof slot;
  slot.role = role;
  slot.element = HILDA_F64;
  slot.flags = flags;
  slot.name = keep(what.name);
  slot.shape = keep(what.type.scalar()    ? ""
                    : what.type.cols == 1 ? std::to_string(what.type.rows)
                                          : std::to_string(what.type.rows) + " " + std::to_string(what.type.cols));
  slot.unit = keep(what.unit);
  slot.doc = keep(what.doc.empty() ? "As the diagram declares it" : what.doc);
  slot.initial = what.has_initial ? keep(what.initial) : nullptr;
  slot.minimum = -std::numeric_limits<double>::infinity();
  slot.maximum = std::numeric_limits<double>::infinity();
  slot.offset = what.at;
  slot.second_offset = second;
  return made_.emplace_back(slot);
}

void Body::close_slots() {
  slot_count = static_cast<std::uint32_t>(made_.size());
  table_.resize(1 + (made_.size() * sizeof(hilda_slot) + 7) / 8);
  const Body* const self = this;
  std::memcpy(table_.data(), &self, sizeof self);
  if (!made_.empty()) std::memcpy(table_.data() + 1, made_.data(), made_.size() * sizeof(hilda_slot));
}

std::int32_t configure_record(void* record) {
  RecordHead& head = *static_cast<RecordHead*>(record);
  delete[] head.numbers;
  head.numbers = new double[head.body->numbers.size()];
  std::copy(head.body->numbers.begin(), head.body->numbers.end(), head.numbers);
  return 0;
}

void destroy_record(void* record) {
  RecordHead& head = *static_cast<RecordHead*>(record);
  delete[] head.numbers;
  head.numbers = nullptr;
}

} // namespace equations
