// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/edit/moving.h"
#include "engine/authoring/detail/edit/references.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"
#include "engine/catalogue/signal_path.h"

#include <algorithm>
#include <map>
#include <set>

namespace hilda::authoring {
namespace {

std::string first_of(std::string_view path) { return std::string(path.substr(0, path.find_first_of(".["))); }

/// "measured" of "lead.measured", "u_0" of "sum.u[0]": what a port can be called after it.
std::string port_name(std::string_view path) {
  std::string name;
  const std::size_t dot = path.find('.');
  for (const char c : dot == std::string_view::npos ? path : path.substr(dot + 1)) {
    const bool sign = c == '[' || c == ',';
    if (sign) name += '_';
    if (c != ']' && !sign) name += c;
  }
  return name;
}

/// One new subsystem, as it comes about.
class Grouping {
public:
  Grouping(EditContext& context, std::vector<Named> members, std::string name)
      : context_(context), members_(std::move(members)), name_(std::move(name)), body_(*members_.front().body.back()) {
    for (const Named& each : members_) {
      names_.insert(each.name);
      taken_inside_.insert(each.name);
      elements_.insert(each.twins.begin(), each.twins.end());
    }
    for (const XmlNode& child : body_.children)
      if (is_element(child) && child.find("mode") != nullptr) modes_.emplace(child.value("mode"));
  }

  Change make() {
    for (const XmlNode& child : body_.children) sort(child);
    for (const Named& each : members_)
      for (const Reference& reference : references_to(context_.spans, each)) outside(reference);
    put();
    return std::move(change_);
  }

private:
  /// Does a path begin within the group? Ports of the body itself go before.
  bool inside(std::string_view path, bool source) const {
    if (!names_.contains(first_of(path))) return false;
    for (const XmlNode* port : all_of(body_, source ? NameKind::input : NameKind::output))
      if (source ? begins_with_name(path, port->value("name")) : path == port->value("name")) return false;
    return true;
  }

  static bool of_one_signal(const XmlNode& node) {
    return node.is(elements::limits.tag) || node.is(elements::quality.tag);
  }

  void sort(const XmlNode& child) {
    if (elements_.contains(&child)) return member(child);
    if (of_one_signal(child) && inside(child.value("on"), child.is(elements::quality.tag))) {
      kept_.push_back(indented(context_, with_remarks(context_, body_, child), step(), ""));
      return take_out(context_, body_, child, change_.edit);
    }
    if (child.is(elements::connect.tag)) wire(child);
  }

  void member(const XmlNode& node) {
    // Conditions from outside come in by ports: their text is another then.
    TextEdit within;
    const TextSpan span = with_remarks(context_, body_, node);
    for (const char* attribute : {"enable", "reset", "trigger"}) {
      const XmlAttribute* const condition = node.find(attribute);
      if (condition == nullptr || inside(condition->value, true)) continue;
      const std::string port = input(condition->value, node.value("mode"), node.value("name"), attribute, true);
      within.replace({condition->text.begin, condition->text.end}, Layout::escaped(port, condition->quote));
    }
    moved_.push_back({span, std::move(within)});
    if (&node == first()) return;
    take_out(context_, body_, node, change_.edit);
  }

  const XmlNode* first() const {
    return *std::min_element(elements_.begin(), elements_.end(),
                             [](const XmlNode* a, const XmlNode* b) { return a->whole.begin < b->whole.begin; });
  }

  void wire(const XmlNode& node) {
    const bool from = inside(node.value("from"), true), to = inside(node.value("to"), false);
    if (!from && !to) return;
    if (from && to) {
      wires_.push_back(indented(context_, with_remarks(context_, body_, node), step(), ""));
      return wire_out(node);
    }
    if (from) return; // with all else that refers to it
    const std::string mode(node.value("mode")), source(node.value("from")), to_path(node.value("to"));
    const bool fresh = !inputs_.contains({source, mode});
    const std::string port = input(source, mode, first_of(to_path), port_name(to_path), false);
    inner_wire(port, to_path, mode, &node);
    if (!fresh) return wire_out(node);
    const XmlAttribute& end = *node.find("to");
    change_.edit.replace(end.text, Layout::escaped(name_ + "." + port, end.quote));
  }

  void wire_out(const XmlNode& node) {
    gone_.insert(&node);
    take_out(context_, body_, node, change_.edit);
  }

  /// The port by which a signal from outside comes in. One that no wire brings yet, for a condition, gets one.
  std::string input(std::string_view source, std::string_view mode, std::string_view member, const std::string& wish,
                    bool wired_here) {
    const auto [at, fresh] = inputs_.try_emplace({std::string(source), std::string(mode)});
    if (!fresh) return at->second;
    std::string& port = at->second;
    port = free_name(wish, std::string(member), [this](const std::string& name) {
      return !taken_inside_.contains(first_of(name)) && !taken_inside_.contains(name);
    });
    taken_inside_.insert(port);
    NewElement made{"input", {{"name", port}}};
    if (!mode.empty())
      made.attributes.emplace_back("mode", mode);
    else if (may_be_missing(source))
      made.attributes.emplace_back("optional", "true");
    ports_.push_back(context_.layout.written(made, model_for(context_, body_, "input")));
    if (wired_here) outer_wire(std::string(source), port, std::string(mode));
    return port;
  }

  /// Is there a mode in which nothing gives this signal?
  bool may_be_missing(std::string_view source) const {
    if (source.find(".truth.") != std::string_view::npos) return true;
    std::set<std::string> has;
    for (const XmlNode* each : called(body_, NameKind::element, first_of(source))) {
      if (each->find("mode") == nullptr) return false;
      has.emplace(each->value("mode"));
    }
    return !has.empty() && !std::includes(has.begin(), has.end(), modes_.begin(), modes_.end());
  }

  template <class Free> static std::string free_name(const std::string& wish, const std::string& member, Free free) {
    if (free(wish)) return wish;
    const std::string longer = member + "_" + wish;
    std::string name = longer;
    for (int number = 2; !free(name); ++number) name = longer + "_" + std::to_string(number);
    return name;
  }

  /// What outside of the group names one of its signals gets it by an output; lists name it by its new path.
  void outside(const Reference& reference) {
    const XmlNode& element = *reference.element;
    if (elements_.contains(&element) || of_one_signal(element)) return;
    if (reference.is("connect", "to")) return; // what comes in is done with
    const std::size_t place = reference.at;
    if (reference.in_list() || reference.names == Names::setting || reference.names == Names::side ||
        reference.is("diagram", "atol"))
      return change_.edit.insert(span_in_value(context_.text, *reference.attribute, place, 0).begin, name_ + ".");
    if (element.is(elements::connect.tag) && inside(element.value("to"), false)) return;
    const std::string& path = reference.attribute->value;
    const auto [at, fresh] = outputs_.try_emplace(path);
    if (fresh) {
      std::string& port = at->second;
      port = free_name(port_name(path), first_of(path), [this](const std::string& name) {
        return !taken_outputs_.contains(name) && !names_.contains(name);
      });
      taken_outputs_.insert(port);
      ports_.push_back(context_.layout.written({"output", {{"name", port}}}, model_for(context_, body_, "output")));
      inner_wire(path, port, "", nullptr);
    }
    change_.edit.replace(reference.attribute->text,
                         Layout::escaped(name_ + "." + at->second, reference.attribute->quote));
  }

  /// A wire with what `like`, if it is given, says of its signal.
  std::string wire_text(const std::string& from, const std::string& to, std::string_view mode, const XmlNode* like) {
    NewElement made{"connect", {{"from", from}, {"to", to}}};
    if (!mode.empty()) made.attributes.emplace_back("mode", mode);
    for (const char* attribute : {"shape", "doc"})
      if (like != nullptr && like->find(attribute) != nullptr)
        made.attributes.emplace_back(attribute, like->value(attribute));
    return context_.layout.written(made, model_for(context_, body_, "connect"));
  }
  void inner_wire(const std::string& from, const std::string& to, std::string_view mode, const XmlNode* like) {
    wires_.push_back(wire_text(from, to, mode, like));
  }
  void outer_wire(const std::string& source, const std::string& port, const std::string& mode) {
    fresh_wires_.push_back(wire_text(source, name_ + "." + port, mode, nullptr));
  }

  std::string step() const { return context_.layout.step(); }

  /// The text of a member, with what changed in it, at its new place.
  std::string text_of(const TextSpan& span, TextEdit within) {
    within.settle();
    std::string out;
    std::size_t at = span.begin;
    for (const TextEdit::Replacement& each : within.replacements()) {
      out += indented(context_, {at, each.where.begin}, step(), "") + each.text;
      at = each.where.end;
    }
    return out + indented(context_, {at, span.end}, step(), "");
  }

  void put() {
    const XmlNode& place = *first();
    const std::string end = context_.layout.line_end(place.whole.begin);
    const std::string outer =
        context_.layout.begins_line(place) ? context_.layout.indent(place) : context_.layout.child_indent(body_);
    const std::string lead = end + outer + step();
    const char quote = place.attributes.empty() ? '"' : place.attributes.front().second.quote;
    std::string made = std::string("<subsystem name=") + quote + name_ + quote + ">";
    for (const std::string& port : ports_) made += lead + port;
    for (const auto& [span, within] : moved_) made += lead + text_of(span, within);
    for (const auto* list : {&kept_, &wires_})
      for (const std::string& each : *list) made += lead + each;
    change_.edit.replace(with_remarks(context_, body_, place), made + end + outer + "</subsystem>");
    // Behind the last wire that stays, or behind the new subsystem.
    const XmlNode* behind = nullptr;
    for (const XmlNode& child : body_.children)
      if (child.is(elements::connect.tag) && !gone_.contains(&child)) behind = &child;
    if (behind != nullptr) return context_.layout.insert(body_, behind, fresh_wires_, false, change_.edit);
    for (const std::string& each : fresh_wires_)
      change_.edit.insert(with_remarks(context_, body_, place).end, end + outer + each);
  }

  using Key = std::pair<std::string, std::string>; ///< a signal and a wire's mode
  struct Moved {
    TextSpan span;
    TextEdit within;
  };

  EditContext& context_;
  std::vector<Named> members_;
  std::string name_;
  const XmlNode& body_;
  std::set<std::string> names_, taken_inside_, taken_outputs_, modes_;
  std::set<const XmlNode*> elements_, gone_;
  std::map<Key, std::string> inputs_;
  std::map<std::string, std::string> outputs_;
  std::vector<std::string> ports_, kept_, wires_, fresh_wires_;
  std::vector<Moved> moved_;
  Change change_;
};

} // namespace

std::optional<Change> group_elements(EditContext& context, const Words& words) {
  const auto as = std::find(words.begin(), words.end(), "as");
  if (as == words.begin() || words.end() - as != 2)
    return misused(context, "'group' needs blocks and a name", "write group lead gate as filter");
  std::vector<Named> members;
  for (auto word = words.begin(); word != as; ++word) {
    std::optional<Named> named = find_named(context, *word, {NameKind::element});
    if (!named) return std::nullopt;
    if (!named->all)
      return misused(context, "all that is called " + hilda::base::in_quotes(named->name) + " is grouped together",
                     "leave out the mode");
    if (!members.empty() && named->body.back() != members.front().body.back())
      return misused(context,
                     hilda::base::in_quotes(members.front().name) + " and " + hilda::base::in_quotes(named->name) +
                         " are in different subsystems",
                     "group elements of one subsystem");
    const bool again =
        std::any_of(members.begin(), members.end(), [&](const Named& other) { return other.name == named->name; });
    if (!again) members.push_back(std::move(*named));
  }
  const std::string& name = words.back();
  const XmlNode& body = *members.front().body.back();
  if (refuse_name(context, body, NameKind::element, name, "")) return std::nullopt;
  return Grouping(context, std::move(members), name).make();
}

} // namespace hilda::authoring
