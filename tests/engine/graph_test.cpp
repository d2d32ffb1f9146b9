// SPDX-License-Identifier: BSD-3-Clause
// Which pieces of a block run at a tick, and in what order.

#include "engine/run/graph.h"
#include "tests/engine/test_system.h"
#include "tests/modules.h"

namespace hilda::test {
namespace {

struct Pieces {
  bool state = false, output = false;
  friend bool operator==(const Pieces&, const Pieces&) = default;
};

/// The pieces of a block with both functions and these flags of its input and its two outputs.
Pieces pieces(std::uint32_t input, std::uint32_t first, std::uint32_t second, bool feeds_through) {
  TestSystem s;
  Descriptor type("Both");
  type.in("u", "", "", input).out("y", "", "", first).out("z", "", "", second);
  type.type.state_output = [](void*, const hilda_tick*) {};
  s.type(type);
  s.block("b", "Both");
  s.system.blocks[0].feeds_through = feeds_through;
  const DependencyGraph graph = dependencies(s.system, false);
  return {graph.state_node.at(0).valid(), graph.output_node.at(0).valid()};
}

TEST(Graph, LeavesAPieceOutWhoseOutputsAllBelongToTheOther) {
  constexpr std::uint32_t conditional = HILDA_CONDITIONAL, plain = 0, state = HILDA_STATE_OUTPUT;
  EXPECT_EQ(pieces(conditional, conditional, conditional, true), (Pieces{false, true}));
  EXPECT_EQ(pieces(conditional, conditional, conditional, false), (Pieces{true, false}));
  EXPECT_EQ(pieces(conditional, conditional, plain, false), (Pieces{true, true}));
  EXPECT_EQ(pieces(conditional, conditional, state, true), (Pieces{true, true}));
  // Of a block without conditional outputs nothing is known about what else its functions do.
  EXPECT_EQ(pieces(plain, plain, plain, true), (Pieces{true, true}));
  EXPECT_EQ(pieces(plain, state, state, true), (Pieces{true, true}));
}

} // namespace
} // namespace hilda::test
