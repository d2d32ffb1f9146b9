// A checkpoint holds everything: going on from it gives the bits of going on.

#include "tests/engine/loop.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

TEST(CheckpointOfARun, GoesOnWithTheSameBitsFromAnyTick) {
  Loop straight(everything());
  std::vector<Checkpoint> checkpoints;
  std::vector<std::vector<unsigned char>> bits;
  for (int k = 0; k < 120; ++k) {
    checkpoints.push_back(straight.runtime().checkpoint());
    straight.run(1);
    bits.push_back(straight.bits());
  }
  Loop again(everything());
  for (int from = 119; from >= 0; from -= 7) {
    ASSERT_TRUE(again.runtime().restore(checkpoints[static_cast<std::size_t>(from)]));
    EXPECT_EQ(again.runtime().tick(), from);
    for (int k = from; k < 120; ++k) {
      again.run(1);
      ASSERT_EQ(again.bits(), bits[static_cast<std::size_t>(k)]) << "from tick " << from << " at tick " << k;
    }
  }
}

TEST(CheckpointOfARun, IsTheSameWhenTakenAgain) {
  Loop loop(everything());
  loop.run(33);
  const Checkpoint before = loop.runtime().checkpoint();
  loop.run(10);
  EXPECT_FALSE(loop.runtime().checkpoint() == before);
  ASSERT_TRUE(loop.runtime().restore(before));
  EXPECT_EQ(loop.runtime().checkpoint(), before);
}

TEST(CheckpointOfARun, IsGoneBackToAsItIsRestored) {
  Loop loop(everything()), other(everything());
  loop.run(33);
  const Checkpoint before = loop.runtime().checkpoint();
  ASSERT_TRUE(other.runtime().restore(before));
  for (int times = 0; times < 3; ++times) {
    loop.run(10 + times);
    ASSERT_TRUE(loop.runtime().go_back(before));
    EXPECT_EQ(loop.runtime().checkpoint(), before);
  }
  loop.run(20), other.run(20);
  EXPECT_EQ(loop.bits(), other.bits());
}

TEST(CheckpointOfARun, RevivesARunThatHasEnded) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
<block name="late" type="math/Compare" operation="greater_or_equal" with="5 ms"/>
<block name="end" type="sinks/Stop"/>
<connect from="clock.time" to="late.a"/>
<connect from="late.y" to="end.condition"/>
)");
  const Checkpoint start = loop.runtime().checkpoint();
  loop.run(100);
  ASSERT_EQ(loop.runtime().ending().kind, Ending::Kind::stopped);
  ASSERT_TRUE(loop.runtime().restore(start));
  EXPECT_EQ(loop.runtime().ending().kind, Ending::Kind::none);
  loop.run(100);
  EXPECT_EQ(loop.runtime().ending().time, 0.005);
}

TEST(CheckpointOfARun, OfAnotherSystemIsRefusedAndChangesNothing) {
  Loop other("<block name='c' type='sources/Clock'/><block name='x' type='discrete/UnitDelay'/><connect from='c.time' "
             "to='x.u'/>\n");
  Loop loop(everything());
  loop.run(20);
  const Checkpoint before = loop.runtime().checkpoint();
  EXPECT_FALSE(loop.runtime().restore(other.runtime().checkpoint()));
  EXPECT_EQ(loop.runtime().checkpoint(), before);
  Checkpoint again = before;
  again.diagram = other.runtime().checkpoint().diagram;
  again.checksum = again.sum();
  EXPECT_FALSE(loop.runtime().restore(again));
  Checkpoint longer = before, shorter = before;
  longer.bytes.push_back(0);
  shorter.bytes.pop_back();
  shorter.bytes.front() ^= 1;
  longer.bytes.front() ^= 1;
  EXPECT_FALSE(loop.runtime().restore(longer));
  EXPECT_FALSE(loop.runtime().restore(shorter));
  longer.checksum = longer.sum(), shorter.checksum = shorter.sum(); // of the right diagram by its word, not by its size
  EXPECT_FALSE(loop.runtime().restore(longer));
  EXPECT_FALSE(loop.runtime().restore(shorter));
  EXPECT_FALSE(loop.runtime().restore(Checkpoint{}));
  EXPECT_EQ(loop.runtime().checkpoint(), before);
}

/// As a file holds it: every byte of the tick, of the states, of the diagram's hash and of the checksum itself.
TEST(CheckpointOfARun, IsRefusedWithAnyByteFlipped) {
  Loop loop(everything());
  loop.run(20);
  const Checkpoint sound = loop.runtime().checkpoint();
  ASSERT_TRUE(sound.intact());
  ASSERT_TRUE(loop.runtime().restore(sound));
  const auto refused = [&](const auto& flip) {
    Checkpoint flipped = sound;
    flip(flipped);
    return !flipped.intact() && !loop.runtime().restore(flipped);
  };
  for (std::size_t i = 0; i < sound.bytes.size(); ++i)
    for (const int bits : {1, 0x80, 0xff})
      EXPECT_TRUE(refused([&](Checkpoint& c) { c.bytes[i] ^= static_cast<unsigned char>(bits); })) << i;
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_TRUE(refused([&](Checkpoint& c) { c.tick ^= std::int64_t{1} << bit; })) << bit;
    EXPECT_TRUE(refused([&](Checkpoint& c) { c.diagram ^= std::uint64_t{1} << bit; })) << bit;
    EXPECT_TRUE(refused([&](Checkpoint& c) { c.checksum ^= std::uint64_t{1} << bit; })) << bit;
  }
  EXPECT_EQ(loop.runtime().checkpoint(), sound);
}

TEST(CheckpointOfARun, FitsTheSameDiagramWithOtherParametersAlone) {
  const auto body = [](const char* gain, const char* from) {
    return std::string("<block name='c' type='sources/Clock'/><block name='k' type='math/Gain' gain='") + gain +
           "'/><block name='x' type='discrete/UnitDelay'/><block name='y' type='discrete/UnitDelay'/>"
           "<connect from='c.time' to='k.u'/><connect from='" +
           from + "' to='x.u'/><connect from='k.y' to='y.u'/>\n";
  };
  Loop loop(body("2", "k.y")), other_gain(body("3", "k.y")), other_wire(body("2", "c.time"));
  loop.run(5);
  EXPECT_TRUE(other_gain.runtime().restore(loop.runtime().checkpoint()));
  EXPECT_FALSE(other_wire.runtime().restore(loop.runtime().checkpoint())); // of the same size
}

TEST(CheckpointOfARun, IsRefusedWhereABlockIsOfAnotherType) {
  const auto body = [](const char* type) {
    return std::string("<block name='c' type='sources/Clock'/><block name='x' type='math/") + type +
           "'/><connect from='c.time' to='x.u'/>\n";
  };
  Loop loop(body("Abs")), same(body("Abs")), other(body("Square"));
  loop.run(8);
  EXPECT_TRUE(same.runtime().restore(loop.runtime().checkpoint()));
  EXPECT_FALSE(other.runtime().restore(loop.runtime().checkpoint())); // all bytes would fit
}

TEST(CheckpointOfARun, IsRefusedWhereABlockRunsAtAnotherRate) {
  const auto body = [](const char* time) {
    return std::string(
               "<block name='c' type='sources/Clock'/><block name='x' type='discrete/UnitDelay' sample_time='") +
           time + "'/><connect from='c.time' to='x.u'/>\n";
  };
  Loop loop(body("2 ms")), same(body("2 ms")), slower(body("4 ms"));
  loop.run(8);
  EXPECT_TRUE(same.runtime().restore(loop.runtime().checkpoint()));
  EXPECT_FALSE(slower.runtime().restore(loop.runtime().checkpoint())); // all bytes would fit
}

} // namespace
} // namespace hilda::test
