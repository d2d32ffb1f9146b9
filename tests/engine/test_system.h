// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/signal_text.h"
#include "engine/compile/infer.h"
#include "tests/engine/fake_types.h"
#include "tests/modules.h"

#include <gmock/gmock.h>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hilda::test {

/// A flattened system written in a test. Every block and wire is on a separate line, counted from 1.
class TestSystem {
public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  TestSystem() {
    system.period = Rational(1, 1000);
    system.where = {&file_, 0};
  }
  TestSystem(const TestSystem&) = delete;
  TestSystem& operator=(const TestSystem&) = delete;

  void type(Descriptor& descriptor) {
    auto made = descriptor.make();
    const std::string name = descriptor.type.name;
    types_[name] = std::move(made);
  }
  /// Adds a block; `sample_time` in ms, 0: inherited, -1: continuous.
  BlockIndex block(const std::string& name, const std::string& type, const Parameters& parameters = {},
                   int sample_time = 0);
  void wire(const std::string& from, const std::string& to);
  PortRef ref(const std::string& path, hilda_role role) const;

  /// Runs the inference and returns the messages.
  std::string infer(const InferenceHook& hook = {}) {
    remarks = hilda::compile::infer(system, diagnostics, hook);
    return diagnostics.text();
  }
  const SignalType& port(const std::string& path, hilda_role role = HILDA_OUTPUT) const {
    const PortRef r = ref(path, role);
    const SystemBlock::Port* found = find_port(system.blocks.at(r.block.number()), r);
    if (found == nullptr) throw std::out_of_range(path);
    return found->type;
  }
  /// "3 [N]"
  std::string text(const std::string& path, hilda_role role = HILDA_OUTPUT) const { return describe(port(path, role)); }
  const SystemBlock& at(const std::string& name) const { return system.blocks[index_.at(name)]; }
  const Value& value(const std::string& block, const std::string& parameter) const;
  int errors() const { return static_cast<int>(diagnostics.errors()); }

  System system;
  Diagnostics diagnostics;
  std::vector<std::string> remarks; ///< of the last inference

private:
  std::string file_ = "test.xml";
  int line_ = 0;
  std::map<std::string, std::unique_ptr<BlockType>> types_;
  std::map<std::string, BlockIndex> index_;
};

/// Blocks that many tests use: Source (y "*s" "@u" of its value), Sink, Force (3 [N]),
/// Wrench, WrenchSink, ForceSink (3 [N]), Gain ("m n"), Product ("@a*@b"), Sum (u[] "*s"), Delay (state), Mux, Demux.
void add_common_types(TestSystem&);

} // namespace hilda::test
