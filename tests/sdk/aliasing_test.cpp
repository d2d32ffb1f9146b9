// SPDX-License-Identifier: BSD-3-Clause
// Assigning to a slot an expression that reads the slot itself gives what evaluating the expression first would give,
// for every kind of slot (docs/blocks.md).
#include "tests/sdk/declared_block.h"

#include <gtest/gtest.h>
#include <hilda/testing/allocations.h>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

/// A block whose bound slots have memory, n or n x n numbers each.
template <typename B> class Bound : public test::DeclaredBlock<B> {
public:
  explicit Bound(int n) {
    for (const hilda_slot& slot : this->slots()) {
      if ((slot.flags & (HILDA_BOUND | HILDA_RING)) == 0) continue;
      const bool ring = (slot.flags & HILDA_RING) != 0;
      const int cols = std::string(slot.shape) == "n n" ? n : 1;
      const std::size_t size = static_cast<std::size_t>(n) * static_cast<std::size_t>(cols);
      for (const std::uint64_t offset : {slot.offset, slot.second_offset}) {
        if (offset == 0) continue;
        auto& memory = memory_.emplace_back(ring ? 3 * size : size);
        for (double& number : memory) number = next();
        if (ring)
          this->put_at(offset, hilda_ring{memory.data(), 0, 3, n, cols});
        else
          this->put_at(offset, hilda_array{memory.data(), n, cols});
      }
    }
  }

private:
  double next() { return 0.25 + static_cast<double>((seed_ = seed_ * 1103515245u + 12345u) >> 16) / 65536.0; }
  std::vector<std::vector<double>> memory_;
  std::uint32_t seed_ = 7;
};

struct Slots : Block {
  State<Vector> before{*this, "before", "n", "1", "So that no slot lies at offset 0"};
  State<Vector> s{*this, "s", "n", "1", ""};
  State<Vector> r{*this, "r", "n", "1", ""};
  State<Matrix> m{*this, "m", "n n", "1", ""};
  State<Matrix> k{*this, "k", "n n", "1", ""};
  State<Elements<>> e{*this, "e", "n", "1", ""};
  Output<Vector> y{*this, "y", "n", "1", ""};
  Output<Elements<>> z{*this, "z", "n n", "1", ""};
  Work<Vector> w{*this, "w", "n", "1", ""};
  ContinuousState<Vector> x{*this, "x", "n", "1", ""};
  ContinuousState<Vector> x2{*this, "x2", "n", "1", ""};
  Ring<> line{*this, "line", "n", "1", ""};
};

/// Stores the expression into the slot, and compares with the same evaluated into separate memory, which allocates
/// no less.
template <typename Slot, typename Make> void stores_what_was_asked(Slot& slot, const Make& make, const char* what) {
  using Plain = typename std::decay_t<decltype(*slot)>::PlainObject;
  Plain wanted = *slot;
  testing::AllocationWatch watch;
  watch.arm();
  detail::write(wanted, make());
  const long needed = watch.calls();
  slot = make();
  watch.disarm();
  EXPECT_EQ((Plain(*slot) - wanted).matrix().norm(), 0) << what;
  if (watch.usable()) { EXPECT_EQ(watch.calls(), 2 * needed) << what; }
}
#define STORES(slot, expression)                                                                                       \
  stores_what_was_asked(                                                                                               \
      slot, [&] { return expression; }, #slot " = " #expression)

class Aliasing : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(OfSizes, Aliasing, ::testing::Values(2, 3, 6, 8, 9, 33, 180),
                         [](const auto& size) { return "n" + std::to_string(size.param); });

TEST_P(Aliasing, OfProducts) {
  Bound<Slots> b(GetParam());
  STORES(b->s, *b->m * *b->s);
  STORES(b->s, 2.0 * (*b->m * *b->s));
  STORES(b->s, *b->s + *b->m * *b->s);
  STORES(b->s, *b->s - *b->m * *b->s);
  STORES(b->s, *b->m * *b->s + *b->k * *b->r);
  STORES(b->s, *b->k * *b->r + *b->m * *b->s);
  STORES(b->s, (*b->m).transpose() * *b->s);
  STORES(b->m, *b->m * *b->m);
  STORES(b->m, *b->m * *b->k);
  STORES(b->m, *b->k * *b->m);
  STORES(b->m, *b->s * (*b->s).transpose());
  STORES(b->k, *b->k - *b->s * (*b->s).transpose() * 0.125);
  STORES(b->s, (*b->m).triangularView<Eigen::Upper>() * *b->s);
}

TEST_P(Aliasing, OfOutputsWorkAndContinuousStates) {
  Bound<Slots> b(GetParam());
  STORES(b->y, *b->m * *b->y);
  STORES(b->w, *b->m * *b->w);
  STORES(b->x, *b->m * *b->x);
  STORES(b->x.dot(), *b->m * *b->x.dot());
  STORES(b->x.dot(), *b->m * *b->x + *b->k * *b->x.dot());
}

TEST_P(Aliasing, OfTransposesBlocksAndReversals) {
  const int n = GetParam();
  Bound<Slots> b(n);
  STORES(b->m, (*b->m).transpose());
  STORES(b->m, *b->m + (*b->m).transpose());
  STORES(b->m, (*b->k).transpose() + *b->m);
  STORES(b->s, (*b->s).reverse());
  STORES(b->s, *b->s + (*b->s).reverse());
  STORES(b->e, (*b->e).reverse());
  STORES(b->e, (*b->e).reverse() * *b->e);
  STORES(b->m, (*b->m).colwise().reverse());
  STORES(b->m, (*b->m).rowwise().reverse());
  STORES(b->s, (*b->m).diagonal());
  STORES(b->m, (*b->m).row(n - 1).replicate(n, 1));
  STORES(b->m, (*b->m).col(n - 1).replicate(1, n));
  STORES(b->s, (*b->m).row(0).transpose() + *b->s);
  STORES(b->s, (*b->m).rowwise().sum() + *b->s);
  STORES(b->m, (*b->m).rowwise() - (*b->m).row(1));
  STORES(b->s, ((*b->s).array() > (*b->s).reverse().array()).select((*b->s).reverse(), *b->s));
  STORES(b->e, (*b->e > (*b->e).reverse()).select((*b->e).reverse(), -*b->e));
}

TEST_P(Aliasing, OfElements) {
  Bound<Slots> b(GetParam());
  STORES(b->s, 2.0 * *b->s + *b->r);
  STORES(b->s, *b->s * (*b->s)[1]);
  STORES(b->s, *b->s / (*b->s).norm());
  STORES(b->s, (*b->s).normalized());
  STORES(b->e, *b->e * *b->e + 1.0);
  STORES(b->e, (*b->e).matrix().array().sqrt());
  STORES(b->m, (*b->m).cwiseProduct(*b->m));
  STORES(b->s, 2.0 * (*b->s).segment(1, 1).replicate(GetParam(), 1));
  STORES(b->s, Vector::Ones(GetParam()));
}

/// Maps of the slot's memory at other places: what a block does that keeps a history in one state.
TEST_P(Aliasing, OfShiftedMaps) {
  const int n = GetParam();
  Bound<Slots> b(n);
  using Map = Eigen::Map<const Eigen::VectorXd>;
  const double* const first = (*b->m).data();
  double* const data = b->m.data();
  for (const int shift : {-1, 0, 1, n * n - n - 1}) { // the last reaches the memory's end
    Eigen::VectorXd wanted = Map(first + 1 + shift, n);
    detail::store(Eigen::Map<Vector>(data + 1, n), Map(first + 1 + shift, n));
    EXPECT_TRUE(Map(data + 1, n) == wanted) << shift;
  }
  using Strided = Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>>;
  const Eigen::VectorXd wanted = Strided(first, n, Eigen::InnerStride<>(n));
  detail::store(Eigen::Map<Vector>(data, n), Strided(first, n, Eigen::InnerStride<>(n)));
  EXPECT_TRUE(Map(data, n) == wanted);
}

TEST_P(Aliasing, OfRings) {
  Bound<Slots> b(GetParam());
  for (int k = 0; k < 4; ++k) {
    Eigen::ArrayXd wanted = b->line[0].reverse() + b->line[2];
    b->line.push(b->line[0].reverse() + b->line[2]);
    EXPECT_TRUE((b->line[2] == wanted).all());
    wanted = 2.0 * b->line[0];
    b->line.push(2.0 * b->line[0]);
    EXPECT_TRUE((b->line[2] == wanted).all());
  }
}

/// Whether an expression would be evaluated aside before it is stored into the first `count` numbers of `memory`, seen
/// as columns that lie `stride` apart.
struct Place {
  const double* memory;
  Eigen::Index count, stride = 0;
  template <typename X> bool aside(const X& x) const {
    const auto* const begin = reinterpret_cast<const std::byte*>(memory);
    return detail::overlaps(x, {begin, begin + static_cast<std::size_t>(count) * sizeof(double), stride}, true);
  }
};

using ReadVector = Eigen::Map<const Eigen::VectorXd>;
using ReadMatrix = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ReadEvery = Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>>;

TEST(Aside, GoesWhatReadsTheTargetElsewhereAndNothingElse) {
  const std::vector<double> memory(32, 1.0);
  const double* const d = memory.data();
  const Place four{d + 8, 4};
  EXPECT_FALSE(four.aside(ReadVector(d + 8, 4))) << "in its own places";
  EXPECT_FALSE(four.aside(ReadVector(d + 4, 4))) << "just before";
  EXPECT_FALSE(four.aside(ReadVector(d + 12, 4))) << "just behind";
  EXPECT_TRUE(four.aside(ReadVector(d + 5, 4)));
  EXPECT_TRUE(four.aside(ReadVector(d + 11, 4)));
  EXPECT_TRUE(four.aside(2.0 * ReadVector(d + 11, 1).replicate(4, 1))) << "one number of it";
  EXPECT_TRUE(four.aside(ReadEvery(d + 8, 4, Eigen::InnerStride<>(2))));
  EXPECT_FALSE(four.aside(ReadEvery(d + 1, 4, Eigen::InnerStride<>(2)))) << "1 3 5 7";
  EXPECT_FALSE(four.aside(ReadEvery(d + 12, 4, Eigen::InnerStride<>(2))));
}

TEST(Aside, GoesAMatrixWhoseColumnsLieElsewhere) {
  const std::vector<double> memory(64, 1.0);
  const double* const d = memory.data();
  const Place square{d + 16, 9, 3};
  const Eigen::OuterStride<> together(3), apart(4);
  EXPECT_FALSE(square.aside(ReadMatrix(d + 16, 3, 3, together)));
  EXPECT_TRUE(square.aside(ReadMatrix(d + 16, 3, 3, apart)));
  EXPECT_TRUE(square.aside(ReadMatrix(d + 16, 3, 3, together).transpose()));
  using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
  EXPECT_TRUE(square.aside(Rows(d + 16))) << "rows where the target has columns";
  EXPECT_FALSE(square.aside(ReadMatrix(d + 7, 3, 3, together)));
  EXPECT_FALSE(square.aside(ReadMatrix(d + 25, 3, 3, together)));
  EXPECT_FALSE(square.aside(ReadMatrix(d + 5, 3, 3, apart))) << "up to the number before";
}

TEST(Aside, GoesWhatIsReadBackwardsOrIsNotKnown) {
  std::vector<double> memory(16);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
  double* const d = memory.data();
  const Place four{d, 4};
  EXPECT_TRUE(four.aside(ReadEvery(d + 6, 4, Eigen::InnerStride<>(-2)))) << "6 4 2 0";
  EXPECT_TRUE(four.aside(ReadMatrix(d + 6, 2, 2, Eigen::OuterStride<>(-5)))) << "6 7 1 2";
  Eigen::Matrix2d two;
  two << 2, 0, 1, 3;
  const Eigen::PartialPivLU<Eigen::Matrix2d> solver(two);
  EXPECT_TRUE((Place{d, 2}.aside(solver.solve(ReadVector(d, 2)))));
}

TEST(Aside, ManyNumbersHaveRoomToo) { // more than any stack should hold
  std::vector<double> memory(40'000);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
  Eigen::Map<Vector> all(memory.data(), 40'000);
  detail::store(Eigen::Map<Vector>(memory.data(), 40'000), all.reverse());
  for (std::size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(memory[i], static_cast<double>(39'999 - i));
}

TEST(Aside, OneNumberIsStoredIntoAll) {
  Bound<Slots> b(3);
  b->e = 2.5;
  EXPECT_TRUE((*b->e == 2.5).all());
}

TEST(AliasingOfSlots, CopiesValuesAndNeverWhereTheyLie) {
  Bound<Slots> b(4);
  const Eigen::VectorXd wanted = *b->x2.dot();
  b->x.dot() = b->x2.dot();
  EXPECT_NE(b->x.dot().data(), b->x2.dot().data());
  EXPECT_TRUE(Eigen::VectorXd(*b->x.dot()) == wanted);
  const Eigen::VectorXd rate = *b->x.dot();
  const Eigen::VectorXd value = *b->x2;
  b->x = b->x2;
  EXPECT_TRUE(Eigen::VectorXd(*b->x) == value);
  *b->x2 *= 2.0;
  EXPECT_TRUE(Eigen::VectorXd(*b->x) == value);
  EXPECT_TRUE(Eigen::VectorXd(*b->x.dot()) == rate);
}

struct FixedSlots : Block {
  State<Vector3> s{*this, "s", "1", ""};
  State<Matrix3> m{*this, "m", "1", ""};
  State<Vector6> v{*this, "v", "1", ""};
  State<Matrix6> k{*this, "k", "1", ""};
  State<Wrench> wrench{*this, "wrench", ""};
  Output<Vector3> y{*this, "y", "1", ""};
  Output<Elements<5>> e{*this, "e", "", "1", ""};
  ContinuousState<Vector3> x{*this, "x", "1", ""};
};

/// A value read from a slot of fixed size is a copy, which an expression does not outlive.
#define STORES_NOW(slot, expression)                                                                                   \
  do {                                                                                                                 \
    const typename std::decay_t<decltype(*slot)>::PlainObject wanted = expression;                                     \
    slot = expression;                                                                                                 \
    EXPECT_EQ((*slot - wanted).norm(), 0) << #slot " = " #expression;                                                  \
  } while (false)

TEST(AliasingOfSlots, OfFixedSize) {
  FixedSlots b;
  b.s = Vector3(1, 2, 3);
  b.m = Matrix3(Vector3(1, -2, 4) * Vector3(3, 1, 2).transpose() + Matrix3::Identity());
  b.v = Vector6::LinSpaced(1, 6);
  b.k = Matrix6(*b.v * (*b.v).reverse().transpose());
  b.wrench = Vector6(Vector6::LinSpaced(-2, 3));
  b.y = Vector3(3, 2, 1);
  b.e = Eigen::ArrayXd::LinSpaced(5, 1, 5);
  b.x = Vector3(1, 0, 2);
  STORES_NOW(b.s, *b.m * *b.s);
  STORES_NOW(b.s, (*b.s).cross(Vector3(0, 1, 2)));
  STORES_NOW(b.s, (*b.m * *b.s).cross(*b.s));
  STORES_NOW(b.s, (*b.s).reverse());
  STORES_NOW(b.m, (*b.m).transpose());
  STORES_NOW(b.m, *b.m * *b.m);
  STORES_NOW(b.v, *b.k * *b.v);
  STORES_NOW(b.k, (*b.k).transpose() * *b.k);
  STORES_NOW(b.wrench, *b.k * *b.wrench);
  STORES_NOW(b.y, *b.m * *b.y);
  STORES_NOW(b.x, *b.m * *b.x);
  STORES_NOW(b.x.dot(), *b.m * *b.x.dot() + *b.x);
  const Eigen::Array<double, 5, 1> wanted = (*b.e).reverse();
  b.e = (*b.e).reverse();
  EXPECT_TRUE((*b.e == wanted).all());
}

} // namespace
} // namespace hilda::test
