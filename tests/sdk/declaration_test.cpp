// What a block's members declare, and what the entry point says of its plugin.
#include <gtest/gtest.h>
#include <hilda/block.h>
#include <hilda/eigen_caches.h>

#include <string>
#include <vector>

extern "C" const hilda_plugin* hilda_plugin_entry(void);

namespace hilda {
namespace {

struct Members : Block {
  Output<double> number{*this, "number", "N", ""};
  Output<Elements<3>> three{*this, "three", "", "m/s", ""};
  Output<bool> yes{*this, "yes", ""};
  Output<Elements<>> any{*this, "any", "n n", "1", ""};
  Ring<> line{*this, "line", "n", "N m", ""};
};

class Declared {
public:
  Declared() {
    declaration_.base = &block_;
    detail::recording = &declaration_;
    members_ = new (&block_) Members;
    detail::recording = nullptr;
  }
  ~Declared() { members_->~Members(); }
  Declared(const Declared&) = delete;
  Declared& operator=(const Declared&) = delete;

  Members& members() { return *members_; }
  const hilda_slot& slot(const std::string& name) const {
    for (const hilda_slot& each : declaration_.slots)
      if (name == each.name) return each;
    throw std::runtime_error("no slot " + name);
  }
  /// Memory of the slot `name`, which the diagram would decide.
  void bind(const std::string& name, double* data, int rows, int cols) {
    *reinterpret_cast<hilda_array*>(reinterpret_cast<char*>(&block_) + slot(name).offset) = {data, rows, cols};
  }

private:
  detail::Declaration declaration_;
  std::aligned_storage_t<sizeof(Members), alignof(Members)> block_;
  Members* members_ = nullptr;
};

TEST(Declaration, SaysShapeAndUnitOfEachMember) {
  const Declared declared;
  EXPECT_STREQ(declared.slot("number").shape, "");
  EXPECT_STREQ(declared.slot("number").unit, "N");
  EXPECT_STREQ(declared.slot("three").shape, "3");
  EXPECT_STREQ(declared.slot("three").unit, "m/s");
  EXPECT_STREQ(declared.slot("line").shape, "n");
  EXPECT_STREQ(declared.slot("line").unit, "N m");
}

TEST(Declaration, MembersKeepWhatIsAssigned) {
  Declared declared;
  Members& m = declared.members();
  m.three = Eigen::Array3d(1, 2, 3);
  EXPECT_EQ((*m.three).matrix(), Vector3(1, 2, 3));
  m.yes = true;
  EXPECT_EQ(*m.yes.data(), 1);
  m.yes = false;
  EXPECT_EQ(*m.yes.data(), 0);
}

TEST(Declaration, ElementsOfAMatrixAreAllOfThem) {
  Declared declared;
  std::vector<double> memory = {1, 2, 3, 4, 5, 6};
  declared.bind("any", memory.data(), 2, 3);
  EXPECT_EQ((*declared.members().any).size(), 6);
  const Members& m = declared.members();
  EXPECT_EQ((*m.any).size(), 6);
  EXPECT_EQ((*m.any).sum(), 21);
}

TEST(EntryPoint, SaysItsBoundaryAndFixesTheCachesOfEigen) {
  Eigen::setCpuCacheSizes(1 << 12, 1 << 13, 1 << 14);
  const hilda_plugin* plugin = hilda_plugin_entry();
  ASSERT_NE(plugin, nullptr);
  EXPECT_EQ(plugin->size, sizeof(hilda_plugin));
  EXPECT_EQ(plugin->abi_major, unsigned{HILDA_ABI_MAJOR});
  EXPECT_EQ(plugin->abi_minor, unsigned{HILDA_ABI_MINOR});
  EXPECT_EQ(plugin->type_stride, sizeof(hilda_block_type));
  EXPECT_EQ(plugin->type_count, 0U);
  EXPECT_EQ(Eigen::l1CacheSize(), 32768);
  EXPECT_EQ(Eigen::l2CacheSize(), 262144);
  EXPECT_EQ(Eigen::l3CacheSize(), 2097152);
}

} // namespace
} // namespace hilda
