// SPDX-License-Identifier: BSD-3-Clause
// What a study loads once: runs that differ in a seed, a delay or a stiffness have one loading, and only another order
// of computation asks for a second.

#include "engine/study/detail/sweep/prepared_diagram.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

class Prepared : public testing::Test {
protected:
  /// A study of PIDA with this axis, prepared for its first run.
  void prepare(const std::string& axis) {
    const std::string file = (folder_ / "s.xml").string();
    std::ofstream(file) << "<study format=\"1\" mode=\"sim\" diagram=\"" << source_folder() << "/diagrams/pida.xml\">"
                        << axis << "<draw path=\"seed\" repeat=\"2\"/></study>";
    study_ = std::make_unique<LoadedStudy>(all_plugins().catalogue(), std::vector<std::string>{});
    ASSERT_TRUE(study_->load(file) && study_->check()) << study_->diagnostics().text();
    Diagnostics diagnostics;
    prepared_ = PreparedDiagram::load(*study_, study_->design().point(0), diagnostics);
    ASSERT_NE(prepared_, nullptr) << diagnostics.text();
  }
  /// Whether run `run` is made of what was loaded for run 0.
  bool serves(std::int64_t run) {
    const RunPoint point = study_->design().point(run);
    return prepared_->serves(point) && prepared_->with(point).has_value();
  }

  Folder folder_;
  std::unique_ptr<LoadedStudy> study_;
  std::unique_ptr<PreparedDiagram> prepared_;
};

TEST_F(Prepared, ServesOtherSeedsDelaysAndStiffnesses) {
  for (const char* axis :
       {"<axis path=\"response_delay\" values=\"8 20 31 ms\"/>", "<axis path=\"sensor_delay\" values=\"1 2 3 ms\"/>",
        "<axis path=\"stiffness\" values=\"100 170 300 N/mm\"/>",
        "<axis path=\"integrator\" values=\"variational zoh euler\"/>"}) {
    prepare(axis);
    for (std::int64_t run = 0; run < 6; ++run) EXPECT_TRUE(serves(run)) << axis << " " << run;
  }
}

TEST_F(Prepared, DoesNotServeAnotherOrderOfComputation) {
  prepare("<axis path=\"response_delay\" values=\"20 0 8 ms\"/>"); // without delay the robot feeds through
  EXPECT_TRUE(serves(1));
  EXPECT_FALSE(serves(2));
  EXPECT_FALSE(serves(3));
  EXPECT_TRUE(serves(4));
}

TEST_F(Prepared, DoesNotServeWhatPeriodsSizesAndFilesHangOn) {
  const std::string diagrams = "<axis diagram=\"pida pic\" folder=\"" + source_folder() + "/diagrams\"/>";
  for (const char* axis :
       {"<axis path=\"period\" values=\"1 2 ms\"/>", "<axis path=\"contacts\" values=\"5 7\"/>", diagrams.c_str()}) {
    prepare(axis);
    EXPECT_TRUE(serves(1)) << axis;
    EXPECT_FALSE(serves(2)) << axis;
  }
}

} // namespace
} // namespace hilda::test
