// SPDX-License-Identifier: BSD-3-Clause
#include "tools/embed/handles.h"

#include "tools/embed/failure.h"

#include <algorithm>
#include <atomic>

namespace hilda::embed {
namespace {

/// A handle: the simulation in 24 bits, what it has loaded in 20, and the place from 1 on in 20.
constexpr unsigned place_bits = 20, generation_bits = 20, serial_bits = 24;

constexpr std::uint64_t low(std::uint64_t number, unsigned bits) { return number & ((std::uint64_t{1} << bits) - 1); }
constexpr std::uint64_t serial_of(std::uint64_t handle) { return handle >> (place_bits + generation_bits); }
constexpr std::uint64_t generation_of(std::uint64_t handle) { return low(handle >> place_bits, generation_bits); }

std::atomic<std::uint64_t> simulations{0};

int element_of(hilda_element element) {
  switch (element) {
  case HILDA_F64: return 1;
  case HILDA_U64: return 3;
  case HILDA_U8: return 4;
  default: return 2;
  }
}

} // namespace

Handles::Handles() : serial_(low(++simulations, serial_bits)) {}

void Handles::renew() {
  generation_ = low(generation_ + 1, generation_bits);
  inputs_.clear();
  outputs_.clear();
}

std::uint64_t Handles::handle(std::size_t index) const {
  return serial_ << (place_bits + generation_bits) | generation_ << place_bits | (index + 1);
}

std::size_t Handles::place(std::uint64_t handle, std::size_t count, const char* kind) const {
  const std::uint64_t at = low(handle, place_bits) - 1;
  if (serial_of(handle) != serial_ || generation_of(handle) != generation_ || at >= count) refuse(handle, count, kind);
  return static_cast<std::size_t>(at);
}

void Handles::refuse(std::uint64_t handle, std::size_t count, const std::string& kind) const {
  const std::string find = "hilda_sim_find_" + kind + " gives the handle of this simulation";
  if (handle == 0) fail(HILDA_SIM_INVALID, "sim-handle", "the handle is 0, which is not an " + kind, find);
  if (serial_of(handle) != serial_)
    fail(HILDA_SIM_OTHER, "sim-other",
         "the handle of an " + kind + " belongs to simulation " + std::to_string(serial_of(handle)) +
             " of this process, and this is simulation " + std::to_string(serial_),
         find);
  if (generation_of(handle) != generation_)
    fail(HILDA_SIM_GONE, "sim-gone", "the handle of an " + kind + " belongs to a diagram that was loaded again", find);
  fail(HILDA_SIM_INVALID, "sim-handle",
       "the handle is for " + kind + " " + std::to_string(low(handle, place_bits)) +
           ", and this simulation has found " + std::to_string(count),
       find);
}

hilda_sim_input Handles::find_input(Tuning& tuning, const std::string& path, hilda_sim_shape* shape) {
  Diagnostics diagnostics;
  const std::shared_ptr<Input> found = tuning.input(path, diagnostics);
  if (found == nullptr) fail(HILDA_SIM_DIAGRAM, diagnostics);
  const auto known = std::find(inputs_.begin(), inputs_.end(), found);
  const auto index = static_cast<std::size_t>(known - inputs_.begin());
  if (known == inputs_.end()) inputs_.push_back(found);
  if (shape != nullptr)
    *shape = {shape->size,   element_of(found->element()), found->rows(), found->cols(),
              found->size(), found->unit().c_str()};
  return {handle(index)};
}

hilda_sim_output Handles::find_output(const Runtime& runtime, const std::string& path, hilda_sim_shape* shape) {
  const auto known = std::find_if(outputs_.begin(), outputs_.end(),
                                  [&path](const FoundOutput& each) { return each.output.path() == path; });
  const auto index = static_cast<std::size_t>(known - outputs_.begin());
  if (known == outputs_.end()) {
    Diagnostics diagnostics;
    const std::optional<Output> found = session::find_output(runtime, path, diagnostics);
    if (!found) fail(HILDA_SIM_DIAGRAM, diagnostics);
    outputs_.push_back({*found, found->unit()});
  }
  const Output& output = outputs_[index].output;
  if (shape != nullptr)
    *shape = {shape->size,   element_of(output.element()), output.type().rows, output.type().cols,
              output.size(), outputs_[index].unit.c_str()};
  return {handle(index)};
}

} // namespace hilda::embed
