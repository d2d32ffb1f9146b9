// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/settings.h"

#include "engine/base/error.h"

#include <string_view>
#include <utility>

namespace hilda::compile {

SettingNode* SettingNode::below(const std::string& name) const {
  const auto found = below_.find(name);
  return found == below_.end() ? nullptr : found->second.get();
}

const Attribute* SettingNode::take(const std::string& name) {
  SettingNode* node = below(name);
  if (node == nullptr || !node->given_) return nullptr;
  node->used_ = true;
  return &node->setting_;
}

void SettingNode::enter(const Attribute& setting) {
  // Deeper than any diagram can be; such a path is reported as a whole.
  constexpr int deepest = 100;
  SettingNode* node = this;
  std::string_view rest = setting.name;
  for (int depth = 0; depth < deepest; ++depth) {
    const std::size_t dot = rest.find('.');
    std::unique_ptr<SettingNode>& next = node->below_[std::string(rest.substr(0, dot))];
    if (!next) next = std::make_unique<SettingNode>();
    node = next.get();
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  node->setting_ = setting;
  node->given_ = true;
}

void SettingNode::identify(std::string what, std::vector<std::string> candidates) {
  what_ = std::move(what);
  candidates_ = std::move(candidates);
}

void SettingNode::report_unused(Suggestions& suggestions, Diagnostics& diagnostics) const {
  for (const auto& [name, node] : below_) node->walk(*this, name, suggestions, diagnostics);
}

/// `known` is the deepest element of the path that exists, `missing` the name that it does not have.
void SettingNode::walk(const SettingNode& known, const std::string& missing, Suggestions& suggestions,
                       Diagnostics& diagnostics) const {
  if (passed_over_) return;
  const bool element = !what_.empty();
  if (given_ && !used_ && element)
    diagnostics.error("unknown-setting", setting_.where,
                      hilda::base::in_quotes(setting_.name) + " is " + what_ + ", which has no value",
                      candidates_.empty() ? "it has no parameters"
                                          : "set one of its parameters: " + listed(candidates_));
  if (given_ && !used_ && !element)
    diagnostics.error("unknown-setting", setting_.where,
                      "cannot set " + hilda::base::in_quotes(setting_.name) + ": " + known.what_ + " has no " +
                          hilda::base::in_quotes(missing),
                      suggestions.help(missing, known.candidates_, "it has"));
  for (const auto& [name, node] : below_)
    node->walk(element ? *this : known, element ? name : missing, suggestions, diagnostics);
}

} // namespace hilda::compile
