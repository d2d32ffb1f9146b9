// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/test_system.h"

#include "engine/quantity/value.h"
#include "tests/engine/map_scope.h"
#include "tests/modules.h"

namespace hilda::test {

BlockIndex TestSystem::block(const std::string& name, const std::string& type, const Parameters& parameters,
                             int sample_time) {
  SystemBlock block;
  block.path = name;
  block.where = {&file_, ++line_};
  block.type = types_.at(type).get();
  if (sample_time != 0) {
    block.sample_time.kind = sample_time < 0 ? SampleTime::Kind::continuous : SampleTime::Kind::periodic;
    block.sample_time.period = Rational(sample_time, 1000);
    block.sample_time.where = block.where;
  }
  for (const SlotIndex s : block.type->slots.indices()) {
    const Slot& slot = block.type->slots[s];
    if (slot.role != HILDA_PARAMETER) continue;
    std::string text = slot.initial.value_or("");
    for (const auto& [key, value] : parameters)
      if (key == slot.name) text = value;
    const MapScope scope;
    Result<Value> value = read_value(text, scope);
    EXPECT_TRUE(value) << text;
    ParameterValue& parameter = block.parameters.emplace_back();
    parameter.slot = s;
    parameter.value = *value;
    parameter.where = block.where;
  }
  const BlockIndex index = system.blocks.next();
  index_[name] = index;
  system.blocks.push_back(std::move(block));
  return index;
}

PortRef TestSystem::ref(const std::string& path, hilda_role role) const {
  std::vector<std::string> words;
  std::string word;
  for (const char c : path) {
    if (c == '.' || c == '[') {
      if (!word.empty()) words.push_back(word);
      word = c == '[' ? "[" : "";
    } else
      word += c;
  }
  if (!word.empty()) words.push_back(word);
  PortRef ref;
  ref.block = index_.at(words.at(0));
  const BlockType& type = *system.blocks[ref.block].type;
  ref.slot = type.find(words.at(1), role);
  EXPECT_TRUE(ref.slot.valid()) << path;
  std::size_t next = 2;
  if (ref.slot.valid() && type.slots[ref.slot].is(HILDA_REPEATED) && words.size() > 2)
    ref.item = std::stoi(words[next++].substr(1));
  ref.part.change().assign(words.begin() + static_cast<std::ptrdiff_t>(std::min(next, words.size())), words.end());
  return ref;
}

void TestSystem::wire(const std::string& from, const std::string& to) {
  Wire wire;
  wire.from = ref(from, HILDA_OUTPUT);
  wire.to = ref(to, HILDA_INPUT);
  wire.where = {&file_, ++line_};
  system.wires.push_back(std::move(wire));
}

const Value& TestSystem::value(const std::string& block, const std::string& parameter) const {
  const SystemBlock& b = at(block);
  const SlotIndex slot = b.type->find(parameter, HILDA_PARAMETER);
  for (const ParameterValue& p : b.parameters)
    if (p.slot == slot) return p.value;
  throw std::out_of_range(parameter);
}

void add_common_types(TestSystem& s) {
  s.type(Descriptor("Source").out("y", "*s", "@u").parameter("value", "*s", "@u"));
  s.type(Descriptor("Sink").in("u", "*s", "@u"));
  s.type(Descriptor("Force").out("y", "3", "N"));
  s.type(Descriptor("ForceSink").in("u", "3", "N"));
  s.type(Descriptor("Wrench").out("y").kind(HILDA_WRENCH));
  s.type(Descriptor("WrenchSink").in("u").kind(HILDA_WRENCH));
  s.type(Descriptor("Pose").out("y").kind(HILDA_POSE));
  s.type(Descriptor("Gain").in("u", "n", "@u").out("y", "m", "@u*@k").parameter("value", "m n", "@k"));
  s.type(Descriptor("Scale").in("u", "*s", "@u").out("y", "*s", "@u*@k").parameter("value", "", "@k", "1"));
  s.type(Descriptor("Product").in("a", "*s", "@a").in("b", "*s", "@b").out("y", "*s", "@a*@b"));
  s.type(Descriptor("Root").in("u", "", "@u").out("y", "", "@u^(1/2)"));
  s.type(Descriptor("Sum").in("u", "*s", "@u", HILDA_REPEATED).out("y", "*s", "@u"));
  s.type(Descriptor("Delay")
             .in("u", "*s", "@u", HILDA_IN_UPDATE)
             .out("y", "*s", "@u", HILDA_STATE_OUTPUT)
             .state("x", "*s", "@u")
             .parameter("initial", "*s", "@u", "0"));
  s.type(Descriptor("Hold").in("u", "*s", "@u").out("y", "*s", "@u").state("x", "*s", "@u"));
  s.type(Descriptor("Mux").in("u", "n", "@u", HILDA_REPEATED).out("y", "sum(n)", "@u"));
  s.type(Descriptor("Demux").in("u", "sum(n)", "@u").out("y", "n", "@u", HILDA_REPEATED));
  s.type(Descriptor("Integrator")
             .in("u", "*s", "@u")
             .out("y", "*s", "@u*s", HILDA_STATE_OUTPUT)
             .state("x", "*s", "@u*s", HILDA_CONTINUOUS));
  s.type(Descriptor("Flag").out("y").element(HILDA_U8));
}

} // namespace hilda::test
