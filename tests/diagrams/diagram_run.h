// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/detail/loop/ending.h"
#include "tests/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::test {

/// One diagram of this project, run in simulation until a block ends it or `duration` is over.
struct DiagramRun {
  using Row = std::map<std::string, double>;

  std::string errors;                                 ///< diagnostics; empty: it ran
  Ending ending;                                      ///< why it came to its end
  std::int64_t steps = 0;                             ///< whole ticks
  std::map<std::string, double> figures;              ///< "identified.stiffness"
  std::map<std::string, std::vector<Row>> tables;     ///< "contacts"
  std::vector<std::string> warnings;                  ///< of the blocks, about their figures
  std::map<std::string, std::vector<double>> signals; ///< of each observed signal, all elements of all ticks

  const std::vector<Row>& contacts() const { return tables.at("contacts"); }
  /// Element `element` of a signal that has `width` of them, at `tick`.
  double at(const std::string& signal, std::size_t tick, std::size_t width = 1, std::size_t element = 0) const {
    return signals.at(signal).at(tick * width + element);
  }
};

struct DiagramSettings {
  std::string diagram;               ///< "pida": diagrams/pida.xml; or a whole diagram, beginning with '<'
  std::vector<std::string> settings; ///< "response_delay=20ms"
  std::vector<std::string> observed; ///< paths of outputs: "satellites.motion.pose"
  double duration = 60.0;            ///< s
  std::string rig = {};              ///< "room": diagrams/rigs/room.xml; empty: the diagram's own
};

DiagramRun run_diagram(const DiagramSettings& settings);

} // namespace hilda::test
