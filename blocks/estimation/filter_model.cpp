// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/estimation/filter_model.h"

#include <algorithm>

namespace filters {
namespace {

constexpr std::size_t most_tangents = 4'000'000;

const char* const own_names[] = {"covariance", "distance", "present", "gate", "P"};
const char* const endings[] = {"_initial", "_deviation", "_noise", "_measured", "_innovation"};

} // namespace

bool FilterModel::read() {
  if (!read_body() || !fits()) return false;
  add_parameters();
  if (!lay_out()) return false;
  cells = numbers.size();
  if (cells * n > most_tangents) {
    refuse(body_.child_count, nullptr, "has more than 4 million derivatives of its equations by its states",
           "filter fewer states in one block");
    return false;
  }
  add_places();
  make_room();
  add_slots();
  return true;
}

/// A name that this block makes, or that would become one.
bool FilterModel::is_free(const std::string& name, std::uint64_t child) {
  const bool own = std::find(std::begin(own_names), std::end(own_names), name) != std::end(own_names);
  const auto* ending =
      std::find_if(std::begin(endings), std::end(endings), [&](const char* each) { return name.ends_with(each); });
  if (!own && ending == std::end(endings)) return true;
  refuse(child, "name", "has the name '" + name + "', which " + (own ? "the filter has itself" : "the filter makes"),
         own ? "choose another name" : std::string("choose a name that does not end with ") + *ending);
  return false;
}

/// What Equations may have and a filter may not.
bool FilterModel::fits() {
  bool good = true;
  for (std::uint64_t i = 0; i < body_.child_count; ++i)
    if (const char* name = attribute(i, "name"); name != nullptr) good = is_free(name, i) && good;
  for (const Line& line : lines_) {
    const bool rate = line.equation.form == equations::Equation::Form::derivative;
    if (!rate && !line.has_when) continue;
    refuse(line.child, rate ? "is" : "when",
           rate ? "gives a rate of change, but the filter steps from sample to sample"
                : "has a condition, but the filter predicts at every sample",
           rate ? "write the next value: x+ = x + T*v, with the sample time T as a parameter"
                : "write c ? a : b in the equation");
    good = false;
  }
  if (states.empty() || outputs_.empty()) {
    refuse(body_.child_count, nullptr, states.empty() ? "has no states to estimate" : "has no measurement",
           states.empty() ? "declare <state name=\"x\"/> and <equation is=\"x+ = ...\"/>"
                          : "declare what is measured as <output name=\"z\"/> and <equation is=\"z = ...\"/>");
    good = false;
  }
  for (const State& each : states) n += static_cast<std::uint32_t>(each.type.count());
  for (const Declared& each : outputs_) m += static_cast<std::uint32_t>(each.type.count());
  return good;
}

FilterModel::Declared FilterModel::like(const State& of) const {
  Declared made;
  made.name = of.name, made.type = of.type, made.child = of.child, made.at = of.at;
  if (const char* unit = attribute(of.child, "unit"); unit != nullptr) made.unit = unit;
  if (const char* doc = attribute(of.child, "doc"); doc != nullptr) made.doc = doc;
  return made;
}

void FilterModel::add_parameters() {
  const auto add = [&](Declared made, const char* ending, const std::string& doc) {
    made.doc = doc + made.name;
    made.name += ending;
    parameters_.push_back(std::move(made));
  };
  for (const State& each : states) {
    add(like(each), "_deviation", "Standard deviation of what is known at the start of ");
    add(like(each), "_noise", "Standard deviation of what moves it in a sample in addition to the equation: ");
  }
  for (const Declared& each : outputs_) add(each, "_noise", "Standard deviation of the measurement ");
  Declared limit;
  limit.name = "gate", limit.has_initial = true, limit.initial = "inf";
  limit.doc = "Largest distance of a measurement that is taken in; inf: each is";
  parameters_.push_back(std::move(limit));
}

void FilterModel::add_places() {
  state = {states.front().at, n};
  measurement = {outputs_.front().at, m};
  for (const Declared& each : outputs_)
    measured.push_back({place(sizeof(double*)), static_cast<std::uint32_t>(each.type.count())});
  present = place(sizeof(std::uint8_t*));
  const auto numbers_of = [this](std::uint64_t count) { return place(count * sizeof(double)); };
  estimate = numbers_of(n), innovation = numbers_of(m);
  covariance = numbers_of(std::uint64_t{n} * n), p = numbers_of(std::uint64_t{n} * n);
  distance = numbers_of(1);
  gate = find(parameters_, "gate")->at;
  const auto each_number = [](std::vector<std::uint64_t>& list, const Declared& of) {
    for (int i = 0; i < of.type.count(); ++i) list.push_back(of.at + static_cast<std::uint64_t>(i) * sizeof(double));
  };
  for (const State& each : states) {
    each_number(deviations, *find(parameters_, each.name + "_deviation"));
    each_number(process_noise, *find(parameters_, each.name + "_noise"));
  }
  for (const Declared& each : outputs_) each_number(noise, *find(parameters_, each.name + "_noise"));
}

void FilterModel::make_room() {
  const auto take = [this](std::size_t count) {
    const std::size_t at = numbers.size();
    numbers.resize(at + count);
    return at;
  };
  tangents = take(cells * n);
  jacobian = take(std::size_t{std::max(n, m)} * n);
  gain = take(std::size_t{m} * (n + 1));
  spread = take(std::size_t{m} * m);
  room = take(std::size_t{n} * n);
  joseph = take(std::size_t{n} * n);
}

void FilterModel::add_slots() {
  for (const Declared& each : inputs_) add_slot(HILDA_INPUT, each, feeding_.contains(each.name) ? 0 : HILDA_IN_UPDATE);
  std::uint64_t at = innovation, estimated = estimate;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Declared port = outputs_[i];
    port.name += "_measured", port.doc = "Measured value of " + outputs_[i].name, port.at = measured[i].at;
    add_slot(HILDA_INPUT, port, 0);
  }
  Declared flag;
  flag.name = "present", flag.doc = "Whether there is a measurement; where nothing drives it, there always is";
  flag.at = present;
  add_slot(HILDA_INPUT, flag, HILDA_OPTIONAL).element = HILDA_U8;
  for (const State& each : states) {
    Declared port = like(each);
    port.doc = "Estimate of " + each.name + ", with the measurement of the sample", port.at = estimated;
    estimated += static_cast<std::uint64_t>(each.type.count()) * sizeof(double);
    add_slot(HILDA_OUTPUT, port, 0);
  }
  for (const Declared& each : outputs_) {
    Declared port = each;
    port.doc = "What the equations expect of " + each.name;
    add_slot(HILDA_OUTPUT, port, 0);
    port.name += "_innovation", port.doc = "Measured less expected " + each.name + "; 0 without a measurement";
    port.at = at;
    at += static_cast<std::uint64_t>(each.type.count()) * sizeof(double);
    add_slot(HILDA_OUTPUT, port, 0);
  }
  Declared square;
  square.name = "covariance", square.doc = "Of the estimate, states one behind the other, in SI";
  square.type.rows = square.type.cols = static_cast<int>(n), square.unit = "@p", square.at = covariance;
  add_slot(HILDA_OUTPUT, square, HILDA_UNRECORDED);
  Declared far;
  far.name = "distance", far.at = distance;
  far.doc = "How far the innovation lies off, in its own standard deviations (Mahalanobis); 0 without a measurement";
  add_slot(HILDA_OUTPUT, far, 0);
  for (const Declared& each : parameters_) {
    const bool limit = each.name == "gate", at_start = each.name.ends_with("_deviation");
    const std::uint32_t flags = limit ? HILDA_LIVE | HILDA_ABOVE : at_start ? 0u : std::uint32_t{HILDA_LIVE};
    hilda_slot& slot = add_slot(HILDA_PARAMETER, each, flags);
    if (limit || at_start || each.name.ends_with("_noise")) slot.minimum = 0;
  }
  for (const State& each : states) {
    Declared what = like(each);
    add_slot(HILDA_STATE, what, 0);
  }
  square.name = "P", square.doc = "Covariance of the prediction, in SI", square.unit = "", square.at = p;
  add_slot(HILDA_STATE, square, 0);
  close_slots();
}

} // namespace filters
