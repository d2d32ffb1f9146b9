// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/math/equation_model.h"
#include "blocks/math/equation_tangents.h"

#include <cstdint>
#include <string>
#include <vector>

namespace filters {

/// A body of equations as an extended Kalman filter takes them: next values of all states, and outputs, which are what
/// is measured. Its places in the record, and its room behind the numbers of the equations.
class FilterModel : public equations::Model {
public:
  explicit FilterModel(const hilda_body& body) : Model(body) {}

  /// False after a report.
  bool read();
  static const FilterModel& of(const void* record) {
    return *static_cast<const FilterModel*>(static_cast<const equations::RecordHead*>(record)->body);
  }

  /// An input or output that stands for one of the equations' own names, and where it lies.
  struct Port {
    std::uint64_t at = 0;
    std::uint32_t count = 0;
  };

  std::uint32_t n = 0, m = 0;           ///< numbers in all states and in all measurements
  std::size_t cells = 0;                ///< numbers of the equations
  equations::Places state, measurement; ///< predicted; the places of both
  std::vector<Port> measured;           ///< pointers of the inputs
  std::uint64_t estimate = 0, innovation = 0, covariance = 0, distance = 0, present = 0, gate = 0, p = 0;
  std::vector<std::uint64_t> deviations, process_noise, noise; ///< of each state and measurement, number by number
  /// Where matrices are among the numbers.
  std::size_t tangents = 0, jacobian = 0, gain = 0, spread = 0, room = 0, joseph = 0;

private:
  bool fits();
  bool is_free(const std::string& name, std::uint64_t child);
  Declared like(const State& of) const;
  void add_parameters();
  void add_places();
  void make_room();
  void add_slots();
};

} // namespace filters
