// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/loaded_diagram.h"
#include "tests/engine/loading.h"
#include "tests/modules.h"

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
  const LoadedDiagram diagram(
      catalogue,
      DiagramText{"test.xml", "<diagram format='1'>\n<block name='s' type='test/Source'/>\n"
                              "<block name='p' type='test/Picky'/>\n<connect from='s.y' to='p.u'/>\n</diagram>"});
  EXPECT_FALSE(diagram.has_system());
  const Diagnostics& diagnostics = diagram.diagnostics();
  ASSERT_EQ(diagnostics.errors(), 1u) << diagnostics.text();
  EXPECT_EQ(diagnostics.all()[0].code, "block-feedthrough");
  EXPECT_EQ(diagnostics.all()[0].line, 3);
}

} // namespace
} // namespace hilda::test
