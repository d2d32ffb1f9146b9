// SPDX-License-Identifier: BSD-3-Clause
// What the entry point says of its plugin: this program is one, with the blocks of this file.
#include <gmock/gmock.h>
#include <hilda/block.h>
#include <hilda/eigen_caches.h>
#include <hilda/flags.h>

#include <stdexcept>

extern "C" const hilda_plugin* hilda_plugin_entry(void);

namespace {

using namespace hilda;

struct Zebra : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK | HILDA_RAISES_NO_FLAGS;
};
struct Apple : Block {
  Input<Vector> u{*this, "u", "n", "1", ""};
};
struct AppleOfThree : Block {
  Input<Vector3> u{*this, "u", "1", ""};
};
struct Broken : Block {
  Broken() { throw std::runtime_error("for this test"); }
};
struct BrokenBadly : Block {
  BrokenBadly() { throw 3; }
};

// In no order.
HILDA_BLOCK(Zebra, "A sink.")
HILDA_BLOCK(Broken, "Has no prototype.")
HILDA_BLOCK_VARIANTS("Apple", "Of any size.", Apple, AppleOfThree)
HILDA_BLOCK(BrokenBadly, "Has none either.")

const hilda_plugin& entered() {
  Eigen::setCpuCacheSizes(1 << 12, 1 << 13, 1 << 14);
  return *hilda_plugin_entry();
}

const hilda_plugin& plugin() {
  static const hilda_plugin& only = entered();
  return only;
}

TEST(EntryPoint, SaysItsBoundaryAndFixesTheCachesOfEigen) {
  EXPECT_EQ(plugin().size, sizeof(hilda_plugin));
  EXPECT_EQ(plugin().abi_major, unsigned{HILDA_ABI_MAJOR});
  EXPECT_EQ(plugin().abi_minor, 1u) << "Broken uses hilda_block_type::fault, which came with 1.1";
  EXPECT_EQ(plugin().type_stride, sizeof(hilda_block_type));
  EXPECT_STREQ(plugin().name, "tests_sdk");
  EXPECT_STREQ(plugin().version, "1.2.3");
  EXPECT_THAT(plugin().built, ::testing::AnyOf(::testing::StartsWith("gcc "), ::testing::StartsWith("clang ")));
  EXPECT_EQ(Eigen::l1CacheSize(), 32768);
  EXPECT_EQ(Eigen::l2CacheSize(), 262144);
  EXPECT_EQ(Eigen::l3CacheSize(), 2097152);
}

TEST(EntryPoint, ListsBlocksByNameAndVariantsBehindTheirGeneralType) {
  ASSERT_EQ(plugin().type_count, 5u);
  const hilda_block_type* const types = plugin().types;
  const char* const names[] = {"Apple", "Apple", "Broken", "BrokenBadly", "Zebra"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_STREQ(types[i].name, names[i]);
    EXPECT_EQ(types[i].size, sizeof(hilda_block_type)) << i;
  }
  EXPECT_EQ(types[0].flags, std::uint32_t{HILDA_RAISES_FLAGS}) << "as the whole plugin says (raises_flags.cpp)";
  EXPECT_EQ(types[1].flags, std::uint32_t{HILDA_RAISES_FLAGS | HILDA_VARIANT});
  EXPECT_STREQ(types[0].slots[0].shape, "n");
  EXPECT_STREQ(types[1].slots[0].shape, "3");
  EXPECT_STREQ(types[4].doc, "A sink.");
  EXPECT_EQ(types[4].flags, std::uint32_t{HILDA_SINK}) << "but not this one; what says so is no flag of the boundary";
}

TEST(EntryPoint, NamesABlockWithoutAPrototypeAndWhy) {
  const hilda_block_type& broken = plugin().types[2];
  EXPECT_STREQ(broken.doc, "Has no prototype.");
  EXPECT_STREQ(broken.fault, "its constructor throws: for this test");
  EXPECT_STREQ(plugin().types[3].fault, "its constructor throws: what is not a std::exception");
  EXPECT_EQ(plugin().types[0].fault, nullptr);
}

TEST(EntryPoint, KeepsTheHostThatAttaches) {
  const hilda_host* const before = detail::host;
  hilda_host host{};
  host.version = "9.9";
  EXPECT_EQ(plugin().attach(&host), 0);
  EXPECT_STREQ(host_version(), "9.9");
  detail::host = before;
}

} // namespace
