// SPDX-License-Identifier: BSD-3-Clause
// A bad table is refused with file, line and what to do; all errors at once.

#include "blocks/arm/arm_table.h"
#include "tests/diagrams/diagram_run.h"
#include "tests/project_folders.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>
#include <unistd.h>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* base = "base 10 1 1 1 0 0 0 0 0 0\n";
constexpr const char* joint = "joint 0 0.1 0 0 1 0 0 0 1 1 1 0 0 0\n";

struct Reading {
  std::optional<ArmTable> table;
  std::vector<std::string> errors;
};

Reading read(const std::string& text) {
  const std::string file = std::filesystem::temp_directory_path() / ("arm_table_" + std::to_string(getpid()) + ".txt");
  std::ofstream(file) << text;
  Reading r;
  r.table = read_arm_table(file.c_str(), r.errors);
  std::filesystem::remove(file);
  EXPECT_EQ(r.table.has_value(), r.errors.empty());
  return r;
}

TEST(ArmTable, OfThePaperIsRead) {
  std::vector<std::string> errors;
  const auto table = read_arm_table((source_folder() + "/diagrams/tables/dyba_2023.txt").c_str(), errors);
  ASSERT_THAT(errors, IsEmpty());
  EXPECT_EQ(table->joints(), 7);
  EXPECT_EQ(table->links.size(), 8u);
  EXPECT_EQ(table->sensor, 7);
  EXPECT_FALSE(table->links.back().moves);
  EXPECT_DOUBLE_EQ(table->links[0].q0, std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(table->links[2].inertia(0, 2), 0.2);
  EXPECT_DOUBLE_EQ(table->links[3].com.z(), -0.35);
}

TEST(ArmTable, WithoutASensorHasItAtTheEnd) {
  const Reading r = read(std::string(base) + joint + joint);
  ASSERT_TRUE(r.table);
  EXPECT_EQ(r.table->sensor, 2);
}

TEST(ArmTable, ErrorsNameTheLineAndComeAllAtOnce) {
  const Reading r = read(std::string(base) + "link 1 2 3\n# fine\njoint 0 0.1 0 0 one 0 0 0 1 1 1 0 0 0\njoint 1 2\n");
  EXPECT_THAT(r.errors,
              ElementsAre(AllOf(HasSubstr(".txt:2: "), HasSubstr("`link`"), HasSubstr("base, joint, fixed or sensor")),
                          AllOf(HasSubstr(".txt:4: "), HasSubstr("`one` is not a number")),
                          AllOf(HasSubstr(".txt:5: "), HasSubstr("14 numbers has 2"), HasSubstr("q0 [deg]"))));
}

TEST(ArmTable, NumbersAreFiniteAndComplete) {
  EXPECT_THAT(read(std::string(base) + "joint 0 0.1 0 0 nan 0 0 0 1 1 1 0 0 0\n").errors,
              ElementsAre(HasSubstr("`nan`")));
  EXPECT_THAT(read(std::string(base) + "joint 0 0.1 0 0 1 0 0 0 1 1 1 0 0 0 7\n").errors,
              ElementsAre(HasSubstr("has more")));
  EXPECT_THAT(read(std::string(base) + "joint 0 0,1 0 0 1 0 0 0 1 1 1 0 0 0\n").errors,
              ElementsAre(HasSubstr("`0,1`")));
}

TEST(ArmTable, BodiesArePossible) {
  EXPECT_THAT(read(std::string(base) + "joint 0 0 0 0 -1 0 0 0 1 1 1 0 0 0\n").errors, ElementsAre(HasSubstr("mass")));
  EXPECT_THAT(read(std::string(base) + "joint 0 0 0 0 1 0 0 0 1 1 1 2 0 0\n").errors,
              ElementsAre(HasSubstr("Ixx Iyy Izz Ixy Ixz Iyz")));
  EXPECT_THAT(read(std::string(base) + "joint 0 0 0 0 1 0 0 0 1 1 3 0 0 0\n").errors,
              ElementsAre(HasSubstr("more than the two others")));
  EXPECT_THAT(read("base 0 1 1 1 0 0 0 0 0 0\n" + std::string(joint)).errors, ElementsAre(HasSubstr("0.0")));
}

TEST(ArmTable, BodiesOfEverySizeAreJudgedAlike) {
  const auto with = [](const std::string& inertia) {
    return read(base + ("joint 0 0 0 0 1 0 0 0 " + inertia + " 0 0 0\n")).errors;
  };
  for (const double size : {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9}) {
    const auto times = [&](double a, double b, double c) {
      return std::to_string(a * size * 1e9) + "e-9 " + std::to_string(b * size * 1e9) + "e-9 " +
             std::to_string(c * size * 1e9) + "e-9";
    };
    EXPECT_THAT(with(times(1, 1, 2)), IsEmpty()) << "a disc; " << size;
    EXPECT_THAT(with(times(0, 1, 1)), IsEmpty()) << "a rod; " << size;
    EXPECT_THAT(with(times(1, 1, 2 + 1e-10)), IsEmpty()) << "rounding; " << size;
    EXPECT_THAT(with(times(1, 1, 2.00001)), ElementsAre(HasSubstr("more than the two others"))) << size;
    EXPECT_THAT(with(times(-1e-5, 1, 1)), ElementsAre(HasSubstr("principal moment"))) << size;
  }
  EXPECT_THAT(read("base 1 0 1 1 0 0 0 0 0 0\n" + std::string(joint)).errors,
              ElementsAre(HasSubstr("principal moment")))
      << "the base is not a rod";
}

TEST(ArmTable, OfNonsenseIsNotComplainedOfForEver) {
  std::string nonsense;
  for (int i = 0; i < 100; ++i) nonsense += "?\n";
  EXPECT_EQ(read(nonsense).errors.size(), 20u);
}

TEST(ArmTable, HasOneBaseOneSensorAndSomeJoints) {
  EXPECT_THAT(read(joint).errors, ElementsAre(HasSubstr("no row `base`")));
  EXPECT_THAT(read(base).errors, ElementsAre(HasSubstr("no row `joint`")));
  EXPECT_THAT(read(std::string(base) + base + joint).errors, ElementsAre(HasSubstr("second time")));
  EXPECT_THAT(read(std::string(base) + "sensor\n" + joint).errors, ElementsAre(HasSubstr("below the first `joint`")));
  EXPECT_THAT(read(std::string(base) + joint + "sensor\nsensor\n").errors, ElementsAre(HasSubstr("second time")));
  std::string many = base;
  for (int i = 0; i < 13; ++i) many += joint;
  EXPECT_THAT(read(many).errors, ElementsAre(HasSubstr("13 joints")));
}

TEST(ArmTable, ThatIsNoTableIsRefused) {
  std::vector<std::string> errors;
  EXPECT_FALSE(read_arm_table("/nowhere/arm.txt", errors));
  EXPECT_THAT(errors, ElementsAre(HasSubstr("cannot be read")));
  EXPECT_FALSE(read("").table);
  EXPECT_FALSE(read(std::string(200'000, 'x')).table);
  EXPECT_FALSE(read(std::string(1000, '\0')).table);
}

TEST(ArmTable, ErrorsReachTheDiagnosticsOfADiagram) {
  const DiagramRun r = run_diagram({"free_tumble", {"table=free_tumble.xml"}, {}, 0.1});
  EXPECT_THAT(r.errors, AllOf(HasSubstr("free_tumble.xml:1: "), HasSubstr("is not a kind of row")));
}

TEST(ArmTable, AndJointAnglesAgreeInNumber) {
  const DiagramRun r = run_diagram({"free_tumble", {"joint_position=1 2 3 rad"}, {}, 0.1});
  EXPECT_THAT(r.errors, HasSubstr("initial_position"));
}

} // namespace
} // namespace hilda::test
