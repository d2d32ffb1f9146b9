// SPDX-License-Identifier: BSD-3-Clause
// What one ideal run leaves to the next: the same bits, and nothing where anything differs.

#include "blocks/contact/ideal_past.h"
#include "tests/diagrams/diagram_run.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

IdealState numbered(std::uint64_t number) {
  IdealState state{};
  state.fill(number);
  return state;
}

const Eigen::MatrixXd walls = Eigen::MatrixXd::Constant(2, 11, 0.5);

/// An ideal run that goes from 0 over 1 to `last`, a contact a step, and how many of these steps were known.
int steps_known(std::vector<std::uint64_t> given, std::uint64_t last, const Eigen::MatrixXd& struck = walls) {
  IdealMemory memory;
  memory.open(std::move(given));
  int known = 0;
  for (std::uint64_t i = 0; i < last; ++i) {
    const auto wanted = static_cast<std::int64_t>(i + 1);
    if (const IdealState* after = memory.after(numbered(i), wanted, struck)) {
      EXPECT_EQ(*after, numbered(i + 1));
      ++known;
    } else {
      memory.note(numbered(i), wanted, numbered(i + 1));
    }
  }
  return known;
}

TEST(IdealPast, IsWhatRunsBeforeHaveFound) {
  EXPECT_EQ(steps_known({1}, 3), 0);
  EXPECT_EQ(steps_known({1}, 5), 3);
  EXPECT_EQ(steps_known({1}, 2), 2);
  EXPECT_EQ(steps_known({1}, 7), 5) << "a shorter run took a longer one's place";
}

TEST(IdealPast, GrowsByAShareInEachLongRun) {
  EXPECT_EQ(steps_known({2}, 600), 0);
  EXPECT_EQ(steps_known({2}, 600), 256);
  EXPECT_EQ(steps_known({2}, 600), 512);
  EXPECT_EQ(steps_known({2}, 600), 600);
}

TEST(IdealPast, IsOfOneDiagramAndItsWalls) {
  EXPECT_EQ(steps_known({3, 4}, 3), 0);
  EXPECT_EQ(steps_known({3, 5}, 3), 0);
  Eigen::MatrixXd others = walls;
  others(1, 10) = -0.5;
  EXPECT_EQ(steps_known({3, 4}, 3, others), 0);
  EXPECT_EQ(steps_known({3, 4}, 3, walls.topRows(1)), 0);
  EXPECT_EQ(steps_known({3, 4}, 3, others), 3);
  EXPECT_EQ(steps_known({3, 4}, 3), 3);
}

TEST(IdealPast, EndsWhereARunGoesAnotherWay) {
  EXPECT_EQ(steps_known({6}, 4), 0);
  {
    IdealMemory memory;
    memory.open({6});
    EXPECT_NE(memory.after(numbered(0), 1, walls), nullptr);
    EXPECT_EQ(memory.after(numbered(1), 3, walls), nullptr) << "another contact is wanted";
    memory.note(numbered(1), 3, numbered(90));
    EXPECT_EQ(memory.after(numbered(90), 4, walls), nullptr) << "another state";
    memory.note(numbered(90), 4, numbered(91));
  }
  {
    IdealMemory memory;
    memory.open({6});
    EXPECT_NE(memory.after(numbered(0), 1, walls), nullptr);
    EXPECT_EQ(memory.after(numbered(0), 1, walls), nullptr) << "it was set back";
    Eigen::MatrixXd moved = walls;
    moved(0, 0) = 0.25;
    EXPECT_EQ(memory.after(numbered(1), 2, moved), nullptr);
    EXPECT_EQ(memory.after(numbered(1), 2, walls), nullptr) << "walls that moved once";
    memory.note(numbered(1), 2, numbered(92));
  }
  EXPECT_EQ(steps_known({6}, 4), 4);
}

TEST(IdealPast, ForgetsWhatHasNotBeenUsedForLongest) {
  EXPECT_EQ(steps_known({7, 0}, 2), 0);
  EXPECT_EQ(steps_known({8}, 2), 0);
  for (std::uint64_t i = 1; i < 64; ++i) {
    EXPECT_EQ(steps_known({7, i}, 2), 0);
    EXPECT_EQ(steps_known({8}, 2), 2);
  }
  EXPECT_EQ(steps_known({7, 0}, 2), 0);
}

TEST(IdealPast, ChangesNoBitOfARun) {
  DiagramSettings how{"pida",
                      {"response_delay=13 ms", "stiffness=91.7 N/mm", "force_noise=0.1 N"},
                      {"figures.ideal.speed_after", "figures.ideal.peak_force"}};
  const DiagramRun first = run_diagram(how);
  ASSERT_EQ(first.errors, "");
  how.settings[0] = "response_delay=6 ms"; // another run with the same ideal one
  const DiagramRun between = run_diagram(how);
  how.settings[0] = "response_delay=13 ms";
  const DiagramRun second = run_diagram(how);
  EXPECT_EQ(first.signals, second.signals);
  EXPECT_EQ(first.tables, second.tables);
  EXPECT_EQ(first.steps, second.steps);
  EXPECT_NE(first.signals, between.signals);
  EXPECT_EQ(first.contacts().size(), 5u);
}

} // namespace
} // namespace hilda::test
