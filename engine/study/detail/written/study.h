// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/attribute.h"
#include "engine/diagram/diagram.h"
#include "engine/modules.h"
#include "engine/quantity/written_unit.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// The most that a study may ask for: values of an axis, repeats or samples; values of all axes; runs.
inline constexpr std::int64_t most_values = 1'000'000, most_values_together = 2'000'000, most_runs = 100'000'000;

/// What a run differs in from its neighbour on an axis.
struct AxisValue {
  double number = NAN; ///< SI; a factor; NaN: it is a word
  std::string text;    ///< as a setting takes it: "0.012 s"; of a factor empty; of a file its path
  std::string label;   ///< as people read it: "pida", "0.012 s"
  Location where;
};

/// `<axis path="response_delay" from="0 ms" to="40 ms" count="41"/>` and its kin.
struct StudyAxis {
  enum class Kind { parameter, diagram, overlay, rig } kind = Kind::parameter;
  std::string name; ///< of its column: the path, or "diagram"
  std::string path; ///< of the parameter; empty: another kind
  std::vector<AxisValue> values;
  bool numeric = false;
  bool factors = false;           ///< numbers are multiples of the diagram's own value
  std::string unit;               ///< SI, of the numbers
  WrittenUnit written;            ///< the unit in the file
  std::optional<double> from, to; ///< where they are evenly spaced between two ends
  bool logarithmic = false;       ///< spaced by ratios
  std::string with;               ///< name of the axis with which it goes step by step
  Attribute when;                 ///< condition on axes before it
  std::string doc;
  Location where;
};

/// `<draw path="service_mass" normal="300 kg" deviation="15 kg"/>`
struct StudyDraw {
  enum class Kind { repeat, normal, uniform } kind = Kind::repeat;
  enum class Sampling { random, latin, sobol } sampling = Sampling::random;
  std::string path;
  double mean = 0, deviation = 0; ///< normal; SI
  double from = 0, to = 0;        ///< uniform; SI
  std::string unit;
  WrittenUnit written;    ///< the unit in the file
  std::int64_t count = 0; ///< of the repeats, or of the samples; 0: each run draws its own
  std::string doc;
  Location where;
};

/// `<set path="sensor_delay" value="2 ms"/>`
struct StudySetting {
  Attribute given; ///< its name is the path
  Attribute when;
};

/// `<figure name="cov" from="contacts[-1].cov"/>`
struct StudyFigure {
  std::string name;
  Attribute from, expression; ///< one of them
  std::string unit;           ///< SI text of what is promised
  std::string unit_written;
  bool optional = false; ///< a run may be without it
  std::string doc;
  Location where;
};

/// `<keep log="when" condition="cov > 2" most="20"/>`
struct StudyKeep {
  enum class Logs { none, all, failed, when } logs = Logs::none;
  Attribute condition;
  std::int64_t most = 20;
  Location where;
};

/// A study as written; nothing is run yet. It keeps the file that its places are in.
struct Study {
  std::string name, doc;
  std::string file;         ///< as named by the user
  std::string folder;       ///< in which relative paths begin; empty: the current one
  Attribute diagram;        ///< path as it is opened; empty where an axis gives it
  std::string mode, solver; ///< no solver: the diagram's
  Attribute rig;
  std::vector<Attribute> overlays;
  std::uint64_t seed = 1;
  std::optional<double> timeout; ///< s that a run may take
  std::vector<StudySetting> settings;
  std::vector<StudyAxis> axes;
  std::vector<StudyDraw> draws;
  std::vector<StudyFigure> figures;
  StudyKeep keep;
  Location where;

  const StudyAxis* find_axis(const std::string& axis) const;
};

} // namespace hilda::study
