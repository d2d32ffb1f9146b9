// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint holds everything: continuing from it gives the bits of continuing.

#include "engine/session/summary_figures.h"
#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"
#include "tests/modules.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

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

/// Contacts every 8 ms that are counted, filed in tables of two rows, and compared with an ideal run.
const std::string counted_contacts =
    "<block name='p' type='sources/Pulse' high='1 N' width='4 ms' repeat='8 ms' first='3 ms'/>"
    "<block name='none' type='sources/Constant' value='0 N'/><block name='force' type='routing/Mux' inputs='3'/>"
    "<connect from='p.y' to='force.u[0]'/><connect from='none.y' to='force.u[1]'/>"
    "<connect from='none.y' to='force.u[2]'/><block name='gate' type='math/Compare' operation='greater' with='0.5 N'/>"
    "<connect from='p.y' to='gate.a'/><block name='v' type='sources/Constant' value='0.1 0 0 m/s'/>"
    "<block name='at' type='sources/Constant' value='0 0 0 m'/><block name='still' type='sources/Constant' "
    "value='0 0 0 N'/><block name='energy' type='sources/Constant' value='1 J'/>"
    "<block name='m' type='contact/ContactMetrics' capacity='2'/><connect from='v.y' to='m.velocity'/>"
    "<connect from='force.y' to='m.measured'/><connect from='still.y' to='m.applied'/>"
    "<connect from='gate.y' to='m.in_contact'/><connect from='energy.y' to='m.kinetic_energy[0]'/>"
    "<block name='wall' type='contact/Wall' gap='20 mm' stiffness='2000 N/m' damping='10 N s/m'/>"
    "<connect from='at.y' to='wall.position'/><connect from='v.y' to='wall.velocity'/>"
    "<block name='ideal' type='contact/IdealRun' service_mass='50 kg' target_mass='inf' velocity='0.1 0 0 m/s' "
    "horizon='2 s'/><connect from='wall.walls' to='ideal.walls'/><connect from='m.wanted' to='ideal.wanted'/>"
    "<connect from='ideal.contact' to='m.ideal_contact'/><connect from='ideal.speed_after' to='m.ideal_speed'/>"
    "<connect from='ideal.peak_force' to='m.ideal_peak'/>"
    "<block name='room' type='contact/RoomMetrics' mass='50 kg' stiffness='2000 N/m' capacity='2'/>"
    "<connect from='v.y' to='room.velocity'/><connect from='force.y' to='room.measured'/>"
    "<connect from='still.y' to='room.applied'/>\n";

/// Tables whose pieces are held from event to event.
std::string held_tables() {
  std::string all = oscillator;
  for (const char* how :
       {"outside='clip'", "outside='extrapolate'", "interpolation='nearest'", "interpolation='spline'"}) {
    const std::string name = "t" + std::to_string(all.size());
    all += "<block name='" + name + "' type='math/LookupTable' x='-0.5 0 0.5 0.7' values='2 0 1 3' " + how +
           "/><block name='" + name + "z' type='continuous/Integrator'/><connect from='x.y' to='" + name +
           ".u'/><connect from='" + name + ".y' to='" + name + "z.u'/>\n";
  }
  return all;
}

/// Anyone may have written a log: each word of a checkpoint is made another, and its sum made right.
TEST(CheckpointOfARun, WithAnyNumbersInItIsRefusedOrGoneOnFrom) {
  const std::string chart = "<block name='c' type='math/Chart' sample_time='2 ms'><output name='y'/>"
                            "<state name='a' start='true' entry='y = 1'><state name='in' start='true'/></state>"
                            "<state name='b' entry='y = 2'/><transition from='a' to='b' when='after(4 ms)'/>"
                            "<transition from='b' to='a' when='after(4 ms)'/></block>";
  const std::string lines = "<block name='s' type='sources/Sine' amplitude='1' frequency='9 Hz'/>"
                            "<block name='t' type='continuous/TransportDelay' delay='7.3 ms' between='cubic'/>"
                            "<block name='d' type='discrete/Delay' delay='5 ms'/>"
                            "<connect from='s.y' to='t.u'/><connect from='s.y' to='d.u'/>";
  const std::array<std::uint64_t, 7> words = {~0ull,
                                              1ull << 63,
                                              std::bit_cast<std::uint64_t>(1e300),
                                              1000000007,
                                              3,
                                              std::bit_cast<std::uint64_t>(-1.0),
                                              std::bit_cast<std::uint64_t>(std::nan(""))};
  for (const std::string& body : {chart, lines, chart + lines + "\n", counted_contacts, held_tables()}) {
    const bool continuous = body == held_tables();
    Loop loop(body, continuous ? solver_options(SolverKind::dopri5, 1e-6, 1e-6) : RuntimeOptions());
    loop.run(33);
    const Checkpoint kept = loop.runtime().checkpoint();
    ASSERT_GE(kept.bytes.size(), sizeof(std::uint64_t));
    int refused = 0, gone_on = 0;
    std::string said; // by blocks, of what they were given
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= kept.bytes.size(); at += 4)
      for (const std::uint64_t word : words) {
        Checkpoint forged = kept;
        std::memcpy(forged.bytes.data() + at, &word, sizeof word);
        forged.checksum = forged.sum();
        const bool taken = loop.runtime().restore(forged);
        ++(taken ? gone_on : refused);
        if (taken) loop.run(12);
        gather_figures(loop.runtime());
        if (const Ending ending = loop.runtime().ending(); said.find(ending.text) == std::string::npos)
          said += ending.block + ": " + ending.text + "\n";
      }
    EXPECT_GT(gone_on, 0);
    EXPECT_TRUE(body.find("Delay") == std::string::npos || refused > 0) << "a line that begins outside of itself";
    if (body == counted_contacts) {
      EXPECT_THAT(said, HasSubstr("its counts of contacts are none to which a run can come"));
    }
  }
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
