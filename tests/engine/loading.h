// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/load.h"
#include "tests/engine/fake_types.h"
#include "tests/folder.h"
#include "tests/modules.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::test {

/// A few block types: test/Source, test/Gain, test/Sum, test/Gate, test/Split, test/Rig, test/Table, test/Probe.
inline const Catalogue& small_catalogue() {
  static const Catalogue catalogue = [] {
    static std::vector<Descriptor> kept;
    Catalogue made;
    const auto add = [&](Descriptor type) {
      kept.push_back(std::move(type));
      made.add(kept.back().make());
    };
    kept.reserve(20);
    add(Descriptor("Source").out("y").parameter("value", "", "", "1"));
    add(Descriptor("Gain").in("u").out("y").parameter("gain", "", ""));
    add(Descriptor("Sum")
            .in("u", "", "", HILDA_REPEATED | HILDA_BOUND)
            .out("y")
            .parameter("signs", "", "", "++")
            .element(HILDA_TEXT));
    add(Descriptor("Gate").in("u").out("open").element(HILDA_U8));
    add(Descriptor("Split").in("u").out("y", "", "", HILDA_REPEATED | HILDA_BOUND));
    add(Descriptor("Rig")
            .in("command.pose")
            .kind(HILDA_POSE)
            .in("command.twist")
            .kind(HILDA_TWIST)
            .out("wrench")
            .kind(HILDA_WRENCH));
    add(Descriptor("Table")
            .out("y")
            .parameter("file")
            .element(HILDA_PATH)
            .parameter("rule", "", "", "linear")
            .choices("linear|nearest"));
    add(Descriptor("Probe").in("u", "", "", HILDA_OPTIONAL));
    return made;
  }();
  return catalogue;
}

/// A diagram loaded from text, with all diagnostics.
struct Loaded {
  std::optional<System> system;
  Sources sources;
  Diagnostics diagnostics;
  std::vector<std::string> remarks;

  bool says(const std::string& code) const {
    const auto& all = diagnostics.all();
    return std::any_of(all.begin(), all.end(), [&](const Diagnostic& one) { return one.code == code; });
  }
  /// Codes in the order of the lines, "undriven-input:7 two-drivers:9".
  std::string codes() const {
    std::string out;
    for (const Diagnostic& one : diagnostics.sorted())
      out += (out.empty() ? "" : " ") + one.code + ":" + std::to_string(one.line);
    return out;
  }
  const SystemBlock* block(const std::string& path) const {
    for (const SystemBlock& one : system->blocks)
      if (one.path == path) return &one;
    return nullptr;
  }
  const ParameterValue* parameter(const std::string& path, const std::string& name) const {
    const SystemBlock* owner = block(path);
    for (const ParameterValue& one : owner->parameters)
      if (owner->type->slots[one.slot].name == name) return &one;
    return nullptr;
  }
  /// "a.y -> b.u" of every wire, with parts and items.
  std::vector<std::string> wires() const {
    std::vector<std::string> all;
    for (const Wire& wire : system->wires) all.push_back(end(wire.from) + " -> " + end(wire.to));
    return all;
  }
  std::string end(const PortRef& ref) const {
    if (!ref.block.valid()) return "?";
    const SystemBlock& owner = system->blocks[ref.block];
    if (owner.type == nullptr) return owner.path + ".?";
    std::string text = owner.path + "." + owner.type->slots[ref.slot].name;
    if (ref.item >= 0) text += "[" + std::to_string(ref.item) + "]";
    for (const std::string& part : ref.part) text += (part.front() == '[' ? "" : ".") + part;
    return text;
  }
};

/// Loads `<diagram format="1">` with this content on the lines from 2 on.
struct Load {
  LoadOptions options;

  Loaded file(const std::string& path) const {
    Loaded made;
    made.system = load(path, options, small_catalogue(), made.sources, made.diagnostics, made.remarks);
    return made;
  }
  Loaded text(const std::string& whole) const {
    Loaded made;
    made.system =
        load_text("test.xml", whole, options, small_catalogue(), made.sources, made.diagnostics, made.remarks);
    return made;
  }
  Loaded body(const std::string& content) const {
    return text("<diagram format=\"1\" name=\"test\">\n" + content + "\n</diagram>\n");
  }
};

/// As with `--set` for each.
inline Load with_settings(std::vector<std::string> settings) {
  Load load;
  load.options.settings = std::move(settings);
  return load;
}

inline Loaded load_body(const std::string& content) { return Load().body(content); }

/// A folder of a test's own that is the current one for as long as it lasts.
class WorkingFolder : public Folder {
public:
  WorkingFolder() : before_(std::filesystem::current_path()) { std::filesystem::current_path(path()); }
  ~WorkingFolder() { std::filesystem::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  void diagram(const std::string& name, const std::string& content) const {
    write(name, "<diagram format=\"1\">\n" + content + "\n</diagram>\n");
  }

private:
  std::filesystem::path before_;
};

} // namespace hilda::test
