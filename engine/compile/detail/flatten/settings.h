// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/attribute.h"
#include "engine/diagram/suggestion.h"
#include "engine/modules.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hilda::compile {

/// Settings by path: a node for each name of a path, so that an element finds its own without building strings.
class SettingNode {
public:
  /// The node below, or null.
  SettingNode* below(const std::string& name) const;
  /// The setting of the parameter `name` here, or null; it counts as used from now on.
  const Attribute* take(const std::string& name);

  /// Enters a setting; a later one for the same path replaces it.
  void enter(const Attribute& setting);
  /// What this node turned out to be, for messages.
  void identify(std::string what, std::vector<std::string> candidates);
  /// An error was reported for this place, and nothing is known of it: settings in it are not reported as well.
  void pass_over() { passed_over_ = true; }

  /// Reports every setting that no one took. Code: unknown-setting.
  void report_unused(Suggestions& suggestions, Diagnostics& diagnostics) const;

private:
  void walk(const SettingNode& known, const std::string& missing, Suggestions&, Diagnostics&) const;

  std::map<std::string, std::unique_ptr<SettingNode>> below_;
  Attribute setting_;
  bool given_ = false;
  bool used_ = false;
  bool passed_over_ = false;
  std::string what_; ///< "the subsystem 'rig'"; empty: nothing of this name was found
  std::vector<std::string> candidates_;
};

} // namespace hilda::compile
