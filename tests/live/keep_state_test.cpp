// SPDX-License-Identifier: BSD-3-Clause
// `hilda run --watch --keep-state`: a file is edited, and the run continues in the edited diagram.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* counting = R"(<diagram format="1" name="count" period="1 ms">
  <block name="one" type="sources/Constant" value="1"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <block name="end" type="sinks/Stop"/>
  <block name="enough" type="math/Compare" operation="greater" with="3.45"/>
  <connect from="one.y" to="sum.u"/>
  <connect from="sum.y" to="enough.a"/>
  <connect from="enough.y" to="end.condition"/>
</diagram>)";

/// Runs it, and next to it a script that has `said N`: waits until the program has waited for a change N times.
struct Edited {
  explicit Edited(const std::string& script) {
    here.write("count.xml", counting);
    here.write("edit.sh", R"sh(
seen() { for i in $(seq 600); do [ "$(grep -c "$2" stderr.txt)" -ge $1 ] && return; sleep 0.1; done; }
said() { seen $1 'waiting for'; }
become() { sed "$1" count.xml > new.xml; mv new.xml count.xml; }
touch stderr.txt
)sh" + script + "\nkill -INT $(cat pid)\n");
    run = here.hilda("run count.xml --for 1s --watch --keep-state --log run.mcap",
                     "sh edit.sh & sh -c 'echo $$ > pid; exec \"$0\" \"$@\"' ");
  }
  void expect_replay(const std::string& log) const {
    const Result replay = here.hilda("run --mode replay " + log);
    EXPECT_EQ(replay.exit, 0) << log << "\n" << replay.out << replay.err;
    EXPECT_THAT(replay.out, HasSubstr("every bit is as recorded")) << log;
  }
  Workplace here;
  Result run;
};

TEST(KeepState, ARunGoesOnInTheEditedDiagramWhereItStood) {
  const Edited edited("said 1; become 's/value=\"1\"/value=\"2\"/'; said 2");
  EXPECT_EQ(edited.run.exit, 130) << edited.run.err;
  EXPECT_THAT(edited.run.err, AllOf(HasSubstr("its time is over at t = 1 s"), HasSubstr("continues at t = 1 s"),
                                    HasSubstr("its time is over at t = 2 s"), Not(HasSubstr("restarts: "))));
  EXPECT_THAT(edited.run.out, HasSubstr("2000 steps"));
  edited.expect_replay("run.mcap");
  edited.expect_replay("run.2.mcap");
}

TEST(KeepState, AnEditWithErrorsChangesNothingAndItsRepairIsTaken) {
  const Edited edited("said 1; become 's/sum.u/smu.u/'; seen 1 'has errors'; "
                      "become 's/smu.u/sum.u/'; said 2");
  EXPECT_THAT(edited.run.err, AllOf(HasSubstr("did you mean 'sum'?"), HasSubstr("the run stays as it was"),
                                    HasSubstr("continues at t = 1 s"), HasSubstr("its time is over at t = 2 s")));
  EXPECT_FALSE(edited.here.has("run.3.mcap"));
  edited.expect_replay("run.2.mcap");
}

TEST(KeepState, WhatABlockHasEndedBeginsAgain) {
  const Edited edited("said 1; become 's/3.45/0.25/'; said 2; become 's/value=\"1\"/value=\"2\"/'; said 3");
  EXPECT_THAT(edited.run.err,
              AllOf(HasSubstr("continues at t = 1 s"), HasSubstr("the run has ended at t = 1"),
                    HasSubstr("changed; the run begins again"), HasSubstr("the run has ended at t = 0.12")));
  for (const char* log : {"run.mcap", "run.2.mcap", "run.3.mcap"}) edited.expect_replay(log);
}

TEST(KeepState, GoesWithAWatchedSimulationAlone) {
  const Workplace here;
  here.write("count.xml", counting);
  for (const char* wrong : {"--keep-state", "--keep-state --watch --console", "--keep-state --watch --realtime",
                            "--keep-state --watch --mode replay x.mcap"})
    EXPECT_EQ(here.hilda(std::string("run count.xml --for 1s ") + wrong).exit, 64) << wrong;
}

} // namespace
} // namespace hilda::test
