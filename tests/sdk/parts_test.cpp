// SPDX-License-Identifier: BSD-3-Clause
// Structs as ports: each part is a separate slot, called after its port.
#include "tests/sdk/declared_block.h"

#include <gmock/gmock.h>
#include <hilda/used_minor.h>

namespace hilda::test {
namespace {

using test::DeclaredBlock;
using ::testing::ElementsAre;

template <template <typename> class Port> struct CartState : Parts {
  using Parts::Parts;
  Port<double> position{*this, "position", "m", "Along the rail"};
  Port<Vector3> push{*this, "push", "N", "On the cart"};
};

template <template <typename> class Port> struct Robot : Parts {
  using Parts::Parts;
  CartState<Port> cart{*this, "cart"};
  Port<Wrench> wrench{*this, "wrench", "At the flange"};
};

struct Plant : Block {
  CartState<Output> state{*this, "state", from_state, unrecorded};
  Output<double> plain{*this, "plain", "1", "No part"};
  Robot<Input> robot{*this, "robot", in_update, optional};
  CartState<Input> state_in{*this, "state"};
};

std::vector<std::string> names(const std::vector<hilda_slot>& slots) {
  std::vector<std::string> all;
  for (const hilda_slot& slot : slots) all.emplace_back(slot.name);
  return all;
}

TEST(Parts, AreSlotsCalledAfterTheirPort) {
  const DeclaredBlock<Plant> block;
  EXPECT_THAT(names(block.slots()), ElementsAre("state.position", "state.push", "plain", "robot.cart.position",
                                                "robot.cart.push", "robot.wrench", "state.position", "state.push"));
  EXPECT_STREQ(block.slot("state.push").unit, "N");
  EXPECT_STREQ(block.slot("state.push").shape, "3");
}

TEST(Parts, HaveTheAttributesOfTheirPort) {
  const DeclaredBlock<Plant> block;
  EXPECT_EQ(block.slot("state.position").flags, std::uint32_t{HILDA_STATE_OUTPUT | HILDA_UNRECORDED});
  EXPECT_EQ(block.slot("plain").flags, 0u);
  EXPECT_EQ(block.slot("robot.cart.push").flags, std::uint32_t{HILDA_IN_UPDATE | HILDA_OPTIONAL});
  EXPECT_EQ(block.slots().back().flags, 0u);
}

TEST(Parts, LieWhereTheStructHasThem) {
  DeclaredBlock<Plant> block;
  const double position = 3, push[] = {1, 2, 3};
  block.put("robot.cart.position", &position);
  block.put("robot.cart.push", &push[0]);
  EXPECT_EQ(*block->robot.cart.position, 3);
  EXPECT_EQ(*block->robot.cart.push, Vector3(1, 2, 3));
  EXPECT_FALSE(block->robot.wrench.connected());
  block->state.position = 5.0;
  EXPECT_EQ(*block->state.position, 5);
}

TEST(Parts, CostNoMemoryAndNoNewerProgram) {
  EXPECT_EQ(sizeof(CartState<Input>), 2 * sizeof(void*));
  const DeclaredBlock<Plant> block;
  for (const hilda_slot& slot : block.slots()) EXPECT_FALSE(detail::needs_1_1(slot)) << slot.name;
}

struct Limited : Parts {
  using Parts::Parts;
  Output<double> force{*this, "force", "N", "Limited", between("-most", "most")};
};
struct Limiter : Block {
  Limited out{*this, "out"};
  Parameter<double> most{*this, "most", "N", "Limit"};
};

TEST(Parts, MayHaveLimits) { EXPECT_STREQ(detail::declaration<Limiter>().limits.at(0).output, "out.force"); }

struct Wrong : Parts {
  using Parts::Parts;
  Parameter<double> gain{*this, "gain", "1", "Not a port"};
};
struct WrongBlock : Block {
  Wrong port{*this, "port"};
};

TEST(Parts, AreInputsAndOutputsAlone) {
  try {
    detail::declaration<WrongBlock>();
    FAIL();
  } catch (const std::logic_error& fault) {
    EXPECT_STREQ(fault.what(),
                 "port.gain is a part of a port, but is neither an input nor an output: declare it in the block");
  }
}

} // namespace
} // namespace hilda::test
