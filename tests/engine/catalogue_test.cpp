// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/fake_types.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A sound descriptor with one slot of each role.
Descriptor lag() {
  Descriptor d("Lag");
  d.in("u", "*s", "@u").out("y", "*s", "@u").parameter("time_constant", "", "ms", "5").state("x", "*s", "@u");
  return d;
}

std::vector<std::string> problems_of(Descriptor& d) {
  d.finish();
  std::vector<std::string> problems;
  const auto type = describe(d.type, "test", "libtest.so", problems);
  EXPECT_EQ(type == nullptr, !problems.empty());
  return problems;
}

TEST(Describe, CopiesAndReadsASoundType) {
  Descriptor d = lag();
  const auto type = d.make();
  ASSERT_TRUE(type);
  EXPECT_EQ(type->name, "test/Lag");
  EXPECT_EQ(type->plugin, "libtest.so");
  ASSERT_EQ(type->slots.size(), 4u);
  EXPECT_EQ(type->slots[0].shape.whole, "s");
  EXPECT_EQ(type->slots[0].unit.variables.at(0).first, "u");
  EXPECT_DOUBLE_EQ(type->slots[2].declared.to_si(3), 0.003);
  EXPECT_EQ(type->find("y", HILDA_OUTPUT), SlotIndex(1));
  EXPECT_FALSE(type->find("y", HILDA_INPUT).valid());
  EXPECT_NE(type->abi, &d.type);
}

TEST(Describe, KindsFixShapeAndUnit) {
  Descriptor d("Body");
  d.in("wrench").kind(HILDA_WRENCH).out("pose").kind(HILDA_POSE);
  const auto type = d.make();
  ASSERT_TRUE(type);
  EXPECT_EQ(type->slots[0].shape.rows.constant, 6);
  EXPECT_EQ(type->slots[0].unit.constant.unit, Unit(Unit::Base::wrench));
  EXPECT_EQ(type->slots[1].shape.rows.constant, 7);
}

TEST(Describe, RotationalUnitsGetTheirAngle) {
  Descriptor d("Joint");
  d.in("torque", "", "N m", HILDA_ROTATIONAL).in("energy", "", "J");
  const auto type = d.make();
  EXPECT_NE(type->slots[0].unit.constant.unit, type->slots[1].unit.constant.unit);
}

TEST(Describe, BracketsOfARepeatedPortAreNoPartOfItsName) {
  Descriptor d("Sum");
  d.in("u[]", "*s", "", HILDA_REPEATED);
  EXPECT_EQ(d.make()->slots[0].name, "u");
}

TEST(Describe, TellsAllProblemsAtOnce) {
  Descriptor d = lag();
  d.slots[0].shape = "2*";
  d.slots[1].unit = "Nn";
  d.slots[2].flags |= HILDA_PRIMES;
  const auto problems = problems_of(d);
  EXPECT_THAT(problems, Contains(HasSubstr("test/Lag: input 'u': the shape '2*' is none")));
  EXPECT_THAT(problems, Contains(HasSubstr("output 'y': the unit 'Nn' cannot be read")));
  EXPECT_THAT(problems, Contains(HasSubstr("parameter 'time_constant': HILDA_PRIMES means nothing for this role")));
}

struct Broken {
  const char* what;
  void (*spoil)(Descriptor&);
  const char* says;
};

class BrokenDescriptors : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenDescriptors, AreRefusedWithAReason) {
  Descriptor d = lag();
  d.finish();
  GetParam().spoil(d);
  std::vector<std::string> problems;
  EXPECT_EQ(describe(d.type, "test", "libtest.so", problems), nullptr);
  EXPECT_THAT(problems, Contains(HasSubstr(GetParam().says)));
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenDescriptors,
    ::testing::Values(
        Broken{"Size", [](Descriptor& d) { d.type.size = 40; }, "size is 40, less than"},
        Broken{"Name", [](Descriptor& d) { d.type.name = nullptr; }, "the type's name"},
        Broken{"NameLetters", [](Descriptor& d) { d.type.name = "a/b"; }, "the type's name"},
        Broken{"TypeFlags", [](Descriptor& d) { d.type.flags = 1u << 20; }, "flags has bits"},
        Broken{"RecordSize", [](Descriptor& d) { d.type.record_size = ~std::uint64_t{0}; }, "record_size is absurd"},
        Broken{"Alignment", [](Descriptor& d) { d.type.record_align = 12; }, "power of two"},
        Broken{"NoTable", [](Descriptor& d) { d.type.slots = nullptr; }, "slots is null"},
        Broken{"Count", [](Descriptor& d) { d.type.slot_count = 1u << 30; }, "slot_count is absurd"},
        Broken{"Stride", [](Descriptor& d) { d.type.slot_stride = 8; }, "slot_stride"},
        Broken{"SlotSize", [](Descriptor& d) { d.slots[0].size = 8; }, "slot 0: size is less"},
        Broken{"Role", [](Descriptor& d) { d.slots[0].role = 9; }, "unknown role 9"},
        Broken{"Element", [](Descriptor& d) { d.slots[0].element = 0; }, "unknown element 0"},
        Broken{"Kind", [](Descriptor& d) { d.slots[0].kind = 77; }, "unknown kind 77"},
        Broken{"Flag", [](Descriptor& d) { d.slots[0].flags |= 1u << 30; }, "unknown flag 1 << 30"},
        Broken{"SlotName", [](Descriptor& d) { d.slots[0].name = nullptr; }, "name is null"},
        Broken{"SlotNameLetters", [](Descriptor& d) { d.slots[0].name = "a b"; }, "the name must consist of"},
        Broken{"Reserved", [](Descriptor& d) { d.slots[2].name = "sample_time"; },
               "the diagram format keeps this name"},
        Broken{"Twice", [](Descriptor& d) { d.slots[1].role = HILDA_INPUT, d.slots[1].name = "u"; },
               "the name is there twice"},
        Broken{"Unbound", [](Descriptor& d) { d.slots[0].flags = 0; }, "must be HILDA_BOUND"},
        Broken{"Outside", [](Descriptor& d) { d.slots[3].offset = d.type.record_size - 8; },
               "lies outside of the record"},
        Broken{"FarOutside", [](Descriptor& d) { d.slots[3].offset = ~std::uint64_t{7}; },
               "lies outside of the record"},
        Broken{"Overlap", [](Descriptor& d) { d.slots[1].offset = d.slots[0].offset + 8; }, "'u' and 'y' overlap"},
        Broken{"Unaligned", [](Descriptor& d) { d.slots[1].offset += 1; }, "not aligned"},
        Broken{"PortUnit", [](Descriptor& d) { d.slots[0].unit = "mm"; }, "signals are in SI"},
        Broken{"Range", [](Descriptor& d) { d.slots[2].minimum = 2, d.slots[2].maximum = 1; },
               "the range from minimum"},
        Broken{"NoChoices", [](Descriptor& d) { d.slots[2].element = HILDA_CHOICE, d.slots[2].unit = nullptr; },
               "choices is null"},
        Broken{"DefaultChoice",
               [](Descriptor& d) {
                 d.slots[2].element = HILDA_CHOICE, d.slots[2].unit = nullptr, d.slots[2].choices = "a|b";
               },
               "the default '5' is not one of the choices"},
        Broken{"TextPort", [](Descriptor& d) { d.slots[1].element = HILDA_TEXT; }, "text is for parameters alone"},
        Broken{"CountOfOne", [](Descriptor& d) { d.slots[0].count = "n"; }, "count is for repeated ports"},
        Broken{"CountOfNothing", [](Descriptor& d) { d.slots[0].flags |= HILDA_REPEATED, d.slots[0].count = "n"; },
               "names no integer parameter"},
        Broken{"SumOfNothing", [](Descriptor& d) { d.slots[1].shape = "sum(k)"; }, "sum(k) has no repeated port"},
        Broken{"NoDerivative",
               [](Descriptor&
                      d) { d.slots[3].flags |= HILDA_CONTINUOUS, d.slots[3].second_offset = d.slots[3].offset + 64; },
               "needs a derivative"}),
    [](const ::testing::TestParamInfo<Broken>& test) { return std::string(test.param.what); });

/// A plugin's table of two types.
std::vector<std::unique_ptr<BlockType>> describe_pair(Descriptor& a, Descriptor& b,
                                                      std::vector<std::string>& problems) {
  const hilda_block_type table[] = {a.finish(), b.finish()};
  hilda_plugin plugin{};
  plugin.size = sizeof plugin;
  plugin.type_stride = sizeof(hilda_block_type);
  plugin.name = "test";
  plugin.types = table;
  plugin.type_count = 2;
  return describe(plugin, "libtest.so", problems);
}

TEST(Variants, AreAttachedToTheTypeThatTheyAreOneOf) {
  Descriptor general("Gain"), special("Gain");
  general.in("u", "*s", "@u").out("y", "*s", "@u");
  special.in("u", "3", "@u").out("y", "3", "@u");
  special.type.flags = HILDA_VARIANT;
  std::vector<std::string> problems;
  const auto types = describe_pair(general, special, problems);
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_EQ(types.size(), 1u);
  EXPECT_EQ(types[0]->variants.size(), 1u);
}

TEST(Variants, HaveTheSameSlots) {
  Descriptor general("Gain"), special("Gain");
  general.in("u", "*s", "@u").out("y", "*s", "@u");
  special.in("u", "3", "N").out("y", "3", "N");
  special.type.flags = HILDA_VARIANT;
  std::vector<std::string> problems;
  describe_pair(general, special, problems);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("a variant has the same slots")));
}

TEST(Variants, ComeAfterTheirType) {
  Descriptor first("Gain"), second("Other");
  first.type.flags = HILDA_VARIANT;
  std::vector<std::string> problems;
  describe_pair(first, second, problems);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("a variant comes after")));
}

TEST(Variants, ANameTwiceWithoutTheFlagIsRefused) {
  Descriptor first("Gain"), second("Gain");
  std::vector<std::string> problems;
  describe_pair(first, second, problems);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("the type is there twice")));
}

TEST(CatalogueOfTypes, IsSortedByNameAndKnowsEachPlace) {
  Catalogue catalogue;
  for (const char* name : {"Sum", "Gain", "Delay"}) {
    Descriptor d(name);
    EXPECT_TRUE(catalogue.add(d.make()));
  }
  Descriptor again("Gain");
  EXPECT_FALSE(catalogue.add(again.make()));
  EXPECT_THAT(catalogue.names(), ElementsAre("test/Delay", "test/Gain", "test/Sum"));
  EXPECT_EQ(catalogue.find("test/Sum")->order, 2);
  EXPECT_EQ(catalogue.find("test/Product"), nullptr);
}

} // namespace
} // namespace hilda::test
