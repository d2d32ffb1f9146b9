// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/fmi/fmu_body.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace fmu {
namespace {

constexpr std::int64_t largest_side = 1'000'000;

bool is_tag(const hilda_child& child, const char* tag) { return std::strcmp(child.tag, tag) == 0; }

std::string shape_text(const Body::Declared& of) {
  if (of.rows == 1 && of.cols == 1) return "";
  return of.cols == 1 ? std::to_string(of.rows) : std::to_string(of.rows) + " " + std::to_string(of.cols);
}

} // namespace

const hilda_child& Body::child(std::uint64_t index) const {
  return *reinterpret_cast<const hilda_child*>(reinterpret_cast<const char*>(body_->children) +
                                               index * body_->child_stride);
}

const char* Body::attribute(std::uint64_t index, const char* name) const {
  const hilda_child& of = child(index);
  for (std::uint32_t i = 0; i < of.attribute_count; ++i)
    if (std::strcmp(of.names[i], name) == 0) return of.texts[i];
  return nullptr;
}

std::string Body::text(std::uint64_t index, const char* name) const {
  const char* const found = attribute(index, name);
  return found == nullptr ? "" : found;
}

bool Body::refuse(std::uint64_t index, const char* attribute, const std::string& what, const std::string& help) const {
  body_->report(body_->engine, index, attribute, what.c_str(), help.c_str());
  return false;
}

bool Body::knows(std::uint64_t index, const std::vector<std::string>& known) const {
  const hilda_child& of = child(index);
  bool good = true;
  for (std::uint32_t a = 0; a < of.attribute_count; ++a) {
    if (std::find(known.begin(), known.end(), of.names[a]) != known.end()) continue;
    std::string list;
    for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
    good = refuse(index, of.names[a], std::string("knows no attribute '") + of.names[a] + "'", "it may have: " + list);
  }
  return good;
}

bool Body::has(std::uint32_t role, bool direct) const {
  return std::any_of(declared_.begin(), declared_.end(),
                     [&](const Declared& each) { return each.role == role && each.direct == direct; });
}

std::unique_ptr<Body> Body::read(const hilda_body& body) {
  std::unique_ptr<Body> made(new Body(body));
  if (!made->read_all()) return nullptr;
  made->add_slots();
  made->body_ = nullptr;
  return made;
}

bool Body::read_all() {
  bool good = true;
  for (std::uint64_t i = 0; i < body_->child_count; ++i)
    good = (is_tag(child(i), "state") ? read_state(i) : read_variable(i)) && good;
  if (good && declared_.empty())
    return refuse(body_->child_count, nullptr, "names no variable of the FMU",
                  "hilda import-fmu FILE.fmu -o FILE.xml writes this block with all of them");
  return good;
}

bool Body::read_state(std::uint64_t index) {
  if (!knows(index, {"name", "doc"})) return false;
  if (text(index, "name") != "saved")
    return refuse(index, "name", "is not 'saved'",
                  "<state name=\"saved\"/> says that the FMU can save its state; hilda import-fmu writes it");
  return saves_state_ = true;
}

bool Body::read_kind(std::uint64_t index, Declared& made) const {
  static constexpr std::pair<const char*, std::uint32_t> kinds[] = {{"real", HILDA_F64},    {"integer", HILDA_I64},
                                                                    {"natural", HILDA_U64}, {"boolean", HILDA_U8},
                                                                    {"text", HILDA_TEXT},   {"choice", HILDA_CHOICE}};
  const std::string kind = attribute(index, "kind") == nullptr ? "real" : text(index, "kind");
  for (const auto& [name, element] : kinds)
    if (kind == name) {
      made.element = element;
      const bool for_parameters = element == HILDA_TEXT || element == HILDA_CHOICE;
      if (for_parameters && made.role != HILDA_PARAMETER)
        return refuse(index, "kind", "is a port, and wires carry numbers",
                      "a port is real, integer, natural or boolean");
      return true;
    }
  return refuse(index, "kind", "is not a kind of variable", "real, integer, natural, boolean, text or choice");
}

bool Body::read_numbers(std::uint64_t index, Declared& made) const {
  const auto number = [&](const char* name, double& value) {
    const char* const from = attribute(index, name);
    if (from == nullptr) return true;
    const auto [end, error] = std::from_chars(from, from + std::strlen(from), value);
    if (error == std::errc() && *end == 0 && std::isfinite(value) && (value != 0 || *name != 'f')) return true;
    return refuse(index, name, "is not a number that converts a unit",
                  "hilda import-fmu writes it from the FMU's units");
  };
  if (!number("factor", made.factor) || !number("offset", made.offset)) return false;
  const std::string shape = text(index, "shape");
  const char *at = shape.data(), *const end = at + shape.size();
  std::int64_t* const sides[] = {&made.rows, &made.cols};
  for (std::size_t count = 0; at != end; ++count) {
    const auto [after, error] = std::from_chars(at, end, count < 2 ? *sides[count] : made.rows);
    if (count == 2 || error != std::errc() || *sides[count] < 1 || *sides[count] > largest_side ||
        made.rows * made.cols > largest_side)
      return refuse(index, "shape", "has the shape '" + shape + "', which is none",
                    "a shape is a number for a vector, two for a matrix");
    at = after;
    while (at != end && *at == ' ') ++at;
  }
  return true;
}

bool Body::read_variable(std::uint64_t index) {
  Declared made;
  made.role = is_tag(child(index), "input")    ? HILDA_INPUT
              : is_tag(child(index), "output") ? HILDA_OUTPUT
                                               : HILDA_PARAMETER;
  const bool parameter = made.role == HILDA_PARAMETER;
  std::vector<std::string> known = {"name", "variable", "kind", "unit", "shape", "factor", "offset", "doc"};
  known.emplace_back(parameter ? "live" : "feeds_through");
  if (parameter) known.emplace_back("choices");
  if (!knows(index, known)) return false;
  made.name = text(index, "name"), made.unit = text(index, "unit"), made.doc = text(index, "doc");
  made.variable = attribute(index, "variable") == nullptr ? made.name : text(index, "variable");
  made.choices = text(index, "choices");
  made.direct = text(index, "feeds_through") == "true", made.live = text(index, "live") == "true";
  if (made.name.empty())
    return refuse(index, "name", "has no name", "name the variable of the FMU; hilda import-fmu writes them all");
  const bool twice = std::any_of(declared_.begin(), declared_.end(), [&](const Declared& each) {
    return each.name == made.name && (each.role == HILDA_PARAMETER) == parameter;
  });
  if (twice || (parameter && made.name == "file"))
    return refuse(index, "name", "has the name '" + made.name + "', which is taken", "each name is declared once");
  if (!read_kind(index, made) || !read_numbers(index, made)) return false;
  const bool single = made.rows * made.cols == 1;
  if (!single && (made.element == HILDA_TEXT || made.element == HILDA_CHOICE))
    return refuse(index, "shape", "is a text or a choice with a shape", "a text is one; leave the shape out");
  double factor = 1;
  double powers[HILDA_UNIT_POWERS];
  if (body_->unit(body_->engine, index, made.unit.c_str(), powers, &factor) != 0) return false;
  if (!parameter && factor != 1)
    return refuse(index, "unit", "is in '" + made.unit + "', but signals are in SI",
                  "give the unit in SI, and with factor how many of it one of the FMU's is");
  declared_.push_back(std::move(made));
  return true;
}

hilda_slot Body::blank(std::uint32_t role, const Declared& of) {
  hilda_slot slot{};
  slot.size = sizeof slot;
  slot.role = role;
  slot.element = of.element;
  slot.name = keep(of.name);
  slot.shape = keep(shape_text(of));
  slot.unit = keep(of.unit);
  slot.doc = keep(of.doc.empty() ? "The FMU's variable " + of.variable : of.doc);
  slot.minimum = -std::numeric_limits<double>::infinity();
  slot.maximum = std::numeric_limits<double>::infinity();
  return slot;
}

void Body::add_slots() {
  const auto place = [this](std::uint64_t bytes) {
    const std::uint64_t at = record_size_;
    record_size_ += (bytes + 7) / 8 * 8;
    return at;
  };
  Declared file;
  file.name = "file", file.element = HILDA_PATH;
  file.doc = "The FMU, for co-simulation, of FMI 2.0 or 3.0";
  file_at_ = place(sizeof(const char*));
  hilda_slot& named = slots_.emplace_back(blank(HILDA_PARAMETER, file));
  named.offset = file_at_;
  for (Declared& each : declared_) {
    const std::uint64_t width = each.element == HILDA_U8 ? 1 : 8;
    each.bytes = static_cast<std::uint64_t>(each.rows * each.cols) * width;
    each.at = place(each.role == HILDA_INPUT ? sizeof(void*) : each.bytes);
    hilda_slot& slot = slots_.emplace_back(blank(each.role, each));
    slot.offset = each.at;
    if (each.element == HILDA_CHOICE) slot.choices = keep(each.choices);
    if (each.role == HILDA_INPUT) slot.flags = HILDA_OPTIONAL | (each.direct ? 0 : HILDA_IN_UPDATE);
    if (each.role == HILDA_OUTPUT && !each.direct) slot.flags = HILDA_STATE_OUTPUT;
    if (each.role == HILDA_PARAMETER && each.live) slot.flags = HILDA_LIVE;
  }
  const Body* const self = this;
  const std::size_t bytes = slots_.size() * sizeof(hilda_slot);
  table_.resize(1 + (bytes + 7) / 8);
  std::memcpy(table_.data(), &self, sizeof self);
  std::memcpy(table_.data() + 1, slots_.data(), bytes);
}

} // namespace fmu
