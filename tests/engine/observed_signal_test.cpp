// SPDX-License-Identifier: BSD-3-Clause
// Outputs that their block keeps out of logs, and what `<log>` and `<figure>` make of them.
#include "tests/engine/common_system.h"

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class UnrecordedOutput : public CommonSystem {
protected:
  UnrecordedOutput() {
    Descriptor camera("Camera");
    camera.out("image", "3", "", HILDA_UNRECORDED).out("brightness");
    s.type(camera);
    s.block("camera", "Camera");
  }
  SignalList names(const std::string& word) { return {"", {word}, s.system.where}; }
  void log(const std::string& word) {
    LogRule rule;
    rule.signals = names(word);
    s.system.logs.push_back(rule);
  }
};

TEST_F(UnrecordedOutput, InAFigureIsToldOfUnlessALogElementNamesIt) {
  s.system.figures.push_back({"Picture", names("camera.image")});
  EXPECT_THAT(s.infer(), AllOf(HasSubstr("figure-unrecorded"), HasSubstr("'camera.image', which no log keeps")));
}

TEST_F(UnrecordedOutput, IsKeptForAFigureByItsOwnName) {
  s.system.figures.push_back({"Picture", names("camera.image")});
  log("camera.image");
  EXPECT_EQ(s.infer(), "");
  ASSERT_EQ(s.system.logs[0].outputs.size(), 1U);
}

TEST_F(UnrecordedOutput, IsNotMeantByTheNameOfItsBlock) {
  log("camera");
  EXPECT_EQ(s.infer(), "");
  ASSERT_EQ(s.system.logs[0].outputs.size(), 1U);
  EXPECT_EQ(s.system.logs[0].outputs[0].slot, s.ref("camera.brightness", HILDA_OUTPUT).slot);
}

/// A bus is not a signal: its name means the signals that it joins.
TEST_F(UnrecordedOutput, IsNotMeantByABusThatItIsIn) {
  const auto part = [&](const char* name) {
    Promise promise;
    promise.signal = s.ref(std::string("camera.") + name, HILDA_OUTPUT);
    promise.port = std::string("rig.state.") + name;
    s.system.promises.push_back(promise);
  };
  part("image"), part("brightness");
  log("rig.state");
  EXPECT_EQ(s.infer(), "");
  ASSERT_EQ(s.system.logs[0].outputs.size(), 1U);
  EXPECT_EQ(s.system.logs[0].outputs[0].slot, s.ref("camera.brightness", HILDA_OUTPUT).slot);
  log("rig.stat");
  EXPECT_THAT(s.infer(), HasSubstr("there is no signal 'rig.stat'"));
}

} // namespace
} // namespace hilda::test
