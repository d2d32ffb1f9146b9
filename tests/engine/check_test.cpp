#include "engine/check/check.h"
#include "tests/engine/loading.h"

namespace hilda::test {
namespace {

TEST(Check, ABlockMayRefuseItsParametersWhenAskedWhetherItFeedsThrough) {
  Catalogue catalogue;
  Descriptor picky("Picky");
  picky.in("u", "", "", HILDA_CONDITIONAL).out("y", "", "", HILDA_CONDITIONAL).parameter("order", "", "", "0");
  picky.type.feeds_through = [](const void*, const hilda_instance* self) {
    self->report(self->engine, "order", "must be above zero");
    return 1;
  };
  picky.type.state_output = [](void*, const hilda_tick*) {};
  catalogue.add(picky.make());
  Descriptor source("Source");
  source.out("y");
  catalogue.add(source.make());
  Sources sources;
  Diagnostics diagnostics;
  std::vector<std::string> remarks;
  const auto system = check_text("test.xml",
                                 "<diagram format='1'>\n<block name='s' type='test/Source'/>\n"
                                 "<block name='p' type='test/Picky'/>\n<connect from='s.y' to='p.u'/>\n</diagram>",
                                 {}, catalogue, sources, diagnostics, remarks);
  EXPECT_FALSE(system);
  ASSERT_EQ(diagnostics.errors(), 1u) << diagnostics.text();
  EXPECT_EQ(diagnostics.all()[0].code, "block-feedthrough");
  EXPECT_EQ(diagnostics.all()[0].line, 3);
}

} // namespace
} // namespace hilda::test
