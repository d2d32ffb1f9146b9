// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "tools/modules.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hilda::python {

/// The names of a run's signals: "rig.sensor.wrench", their parts ("....force.x", "[2]"), and what ports of subsystems
/// call them ("rig.wrench").
class SignalTable {
public:
  /// Where a name leads to.
  struct Place {
    std::size_t signal = 0; ///< index into `names`
    ElementRange part;
  };

  void add(const std::string& name, LogField field);
  void add_alias(const std::string& alias, const std::string& name) { aliases_.emplace(alias, name); }

  std::optional<Place> find(const std::string& name) const;
  /// Every signal that a word means: itself, all under a path, or those that a pattern with * and ? fits; none:
  /// nothing.
  std::vector<std::size_t> matching(const std::string& word) const;
  /// What to tell who asked for a signal that is not there.
  std::string missing(const std::string& name) const;

  const std::vector<std::string>& names() const { return names_; }
  const LogField& field(std::size_t signal) const { return fields_[signal]; }
  const std::map<std::string, std::string>& aliases() const { return aliases_; }

private:
  std::optional<Place> find_real(const std::string& name) const;

  std::vector<std::string> names_;
  std::vector<LogField> fields_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, std::string> aliases_;
};

} // namespace hilda::python
