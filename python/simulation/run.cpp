// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/run.h"

#include "engine/log/signal_pattern.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/values.h"

#include <cstring>

namespace hilda::python {

namespace py = pybind11;

std::string unit_of(const LogField& field, ElementRange part) {
  const std::string unit = element_unit(field, part.first);
  for (std::size_t i = 1; i < part.count; ++i)
    if (element_unit(field, part.first + i) != unit) return {};
  return unit;
}

Run::Run(std::shared_ptr<const SignalTable> table, std::vector<Source> sources, Rational base)
    : table_(std::move(table)), sources_(std::move(sources)), base_(base) {
  for (const Source& source : sources_) {
    offsets_.emplace(source.signal, row_);
    row_ += source.bytes;
  }
}

void Run::record(std::int64_t tick) {
  ticks_.push_back(tick);
  const std::size_t begin = rows_.size();
  rows_.resize(begin + row_);
  std::byte* to = rows_.data() + begin;
  for (const Source& source : sources_) {
    std::memcpy(to, source.data, source.bytes);
    to += source.bytes;
  }
}

std::shared_ptr<Run> Run::since(std::size_t sample) const {
  auto part = std::make_shared<Run>(table_, sources_, base_);
  part->ticks_.assign(ticks_.begin() + static_cast<std::ptrdiff_t>(sample), ticks_.end());
  part->rows_.assign(rows_.begin() + static_cast<std::ptrdiff_t>(sample * row_), rows_.end());
  return part;
}

std::vector<std::string> Run::names() const {
  std::vector<std::string> names;
  for (const Source& source : sources_) names.push_back(table_->names()[source.signal]);
  return names;
}

py::array Run::array(const std::string& name) const {
  const auto place = table_->find(name);
  if (!place) raise_unknown(table_->missing(name));
  const auto offset = offsets_.find(place->signal);
  if (offset == offsets_.end()) raise_unknown("'" + name + "' was not recorded in this run");
  return samples_array(rows_.data() + offset->second, ticks_.size(), row_, table_->field(place->signal), place->part);
}

py::array_t<double> Run::time() const {
  py::array_t<double> time(static_cast<py::ssize_t>(ticks_.size()));
  double* to = time.mutable_data();
  for (const std::int64_t tick : ticks_) *to++ = seconds_at(base_, tick);
  return time;
}

std::string Run::unit(const std::string& name) const {
  const auto place = table_->find(name);
  if (!place) raise_unknown(table_->missing(name));
  return unit_of(table_->field(place->signal), place->part);
}

} // namespace hilda::python
