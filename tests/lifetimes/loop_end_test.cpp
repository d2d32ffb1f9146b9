// A loop that goes while another thread looks whether loops stand still: a study makes thousands of runs in one process.
#include "engine/host/running/running_code.h"
#include "engine/loop/start.h"
#include "tests/standard_plugins.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace hilda {
namespace {

constexpr const char* diagram_text = R"(<diagram format="1" name="short" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="1" frequency="1 Hz"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <connect from="wave.y" to="gain.u"/>
</diagram>)";

TEST(RunningLoop, IsNotAskedOnceItGoes) {
  const Host& plugins = test::standard_plugins({"math", "sources"});
  std::atomic<bool> over{false};
  std::atomic<std::int64_t> looks{0};
  std::thread watcher([&] {
    StandstillWatch watch;
    StandstillWatch::Finding finding;
    while (!over) {
      watch.look(0.25, 1e9, finding);
      ++looks;
    }
  });
  constexpr int runs = 3000;
  for (int i = 0; i < runs; ++i) {
    LoadedDiagram diagram(plugins.catalogue(), DiagramText{"short.xml", diagram_text});
    const std::unique_ptr<Runtime> runtime = start_runtime(diagram);
    if (runtime == nullptr) {
      ADD_FAILURE() << diagram.diagnostics().text();
      break;
    }
    for (int tick = 0; tick < 3; ++tick) runtime->step();
    runtime->stop();
  } // where it went while it was being asked, the process has ended here: "pure virtual method called"
  over = true;
  watcher.join();
  EXPECT_GT(looks.load(), 100);
}

} // namespace
} // namespace hilda
