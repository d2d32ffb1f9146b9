// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/net/faulty_line.h"

#include <gmock/gmock.h>
#include <numeric>

namespace hilda::net {
namespace {

using Packets = std::vector<std::vector<std::uint8_t>>;

/// What comes out for packets {0 0 0 0} to {n-1 ...}, one a millisecond.
Packets sent(const Faults& faults, std::uint64_t seed, std::uint8_t n = 200) {
  FaultyLine<8> line;
  line.reset();
  line.set(faults, Generator::mix(seed));
  Packets out;
  const auto take = [&](std::span<const std::uint8_t> packet) { out.emplace_back(packet.begin(), packet.end()); };
  for (std::uint8_t i = 0; i < n; ++i) {
    std::array<std::uint8_t, 4> packet{i, i, i, i};
    line.send(packet, i, 1e-3 * i, take);
    line.release(1e-3 * i, take);
  }
  return out;
}

std::size_t count_if_first(const Packets& packets, std::uint8_t first) {
  return static_cast<std::size_t>(
      std::count_if(packets.begin(), packets.end(), [=](const auto& p) { return !p.empty() && p[0] == first; }));
}

TEST(FaultyLine, WithoutFaultsChangesNothing) {
  const Packets all = sent({}, 1);
  ASSERT_EQ(all.size(), 200u);
  for (std::uint8_t i = 0; i < 200; ++i) EXPECT_EQ(all[i], std::vector<std::uint8_t>(4, i));
}

TEST(FaultyLine, IsTheSameForTheSameSeedAndOtherForAnother) {
  const Faults faults{0.1, 0.1, 0.1, 0.1, 0.1, 5e-3, 0.1};
  EXPECT_EQ(sent(faults, 7), sent(faults, 7));
  EXPECT_NE(sent(faults, 7), sent(faults, 8));
}

TEST(FaultyLine, DropsAndDoubles) {
  const std::size_t left = sent({.drop = 0.3}, 1).size();
  EXPECT_GT(left, 100u);
  EXPECT_LT(left, 180u);
  EXPECT_EQ(sent({.drop = 1}, 1).size(), 0u);
  EXPECT_EQ(sent({.duplicate = 1}, 1).size(), 400u);
}

TEST(FaultyLine, ReorderingSwapsNeighbours) {
  const Packets all = sent({.reorder = 1}, 1, 10);
  ASSERT_EQ(all.size(), 10u);
  for (std::uint8_t i = 0; i < 10; i = static_cast<std::uint8_t>(i + 2)) {
    EXPECT_EQ(all[i][0], i + 1);
    EXPECT_EQ(all[i + 1u][0], i);
  }
}

TEST(FaultyLine, CorruptionTurnsOneBit) {
  const Packets all = sent({.corrupt = 1}, 1);
  ASSERT_EQ(all.size(), 200u);
  for (std::uint8_t i = 0; i < 200; ++i) {
    int turned = 0;
    for (const std::uint8_t byte : all[i]) turned += __builtin_popcount(static_cast<unsigned>(byte ^ i));
    EXPECT_EQ(turned, 1);
  }
}

TEST(FaultyLine, TruncationShortens) {
  for (const auto& packet : sent({.truncate = 1}, 1)) EXPECT_LT(packet.size(), 4u);
}

TEST(FaultyLine, DelayedPacketsComeLaterAndAllOfThem) {
  const Packets all = sent({.delay = 10e-3, .delay_probability = 0.2}, 3);
  EXPECT_GE(all.size(), 195u) << "all but those still on their way";
  bool behind = false;
  for (std::size_t i = 1; i < all.size(); ++i) behind = behind || all[i][0] < all[i - 1][0];
  EXPECT_TRUE(behind);
  for (std::uint8_t i = 0; i < 150; ++i) EXPECT_EQ(count_if_first(all, i), 1u) << int{i};
}

/// A line for packets of up to 8 bytes holds one of 8, and lets one of 9 pass.
TEST(FaultyLine, HoldsThePacketsThatItIsMadeFor) {
  for (const std::size_t size : {7u, 8u, 9u}) {
    FaultyLine<8> line;
    line.reset();
    line.set({.delay = 5e-3, .delay_probability = 1}, 1);
    std::vector<std::uint8_t> packet(size);
    std::iota(packet.begin(), packet.end(), std::uint8_t{1});
    Packets out;
    const auto take = [&](std::span<const std::uint8_t> bytes) { out.emplace_back(bytes.begin(), bytes.end()); };
    line.send(packet, 0, 0, take);
    EXPECT_EQ(out.size(), size <= 8 ? 0u : 1u) << size;
    EXPECT_EQ(line.counts().delayed, size <= 8 ? 1 : 0) << size;
    line.release(5e-3, take);
    EXPECT_EQ(out, Packets{packet}) << size;
  }
}

TEST(FaultyLine, OneFaultLeavesTheOthersWhereTheyAre) {
  const Packets doubled = sent({.duplicate = 0.1}, 5), both = sent({.drop = 0.2, .duplicate = 0.1}, 5);
  for (std::uint8_t i = 0; i < 200; ++i) {
    const std::size_t left = count_if_first(both, i);
    EXPECT_TRUE(left == 0 || left == count_if_first(doubled, i)) << int{i};
  }
}

} // namespace
} // namespace hilda::net
