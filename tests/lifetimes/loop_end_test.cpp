// SPDX-License-Identifier: BSD-3-Clause
// A loop that ends while another thread looks whether loops make no progress: a study makes thousands of runs in one
// process.
#include "engine/plugin/running_code.h"
#include "engine/run/start.h"
#include "tests/modules.h"
#include "tests/standard_plugins.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace hilda::test {
namespace {

constexpr const char* diagram_text = R"(<diagram format="1" name="short" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="1" frequency="1 Hz"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <connect from="wave.y" to="gain.u"/>
</diagram>)";

/// Runs that begin and end, as a study has them.
void make_runs(int count, const Catalogue& catalogue) {
  for (int i = 0; i < count; ++i) {
    LoadedDiagram diagram(catalogue, DiagramText{"short.xml", diagram_text});
    const std::unique_ptr<Runtime> runtime = start_runtime(diagram);
    if (runtime == nullptr) {
      ADD_FAILURE() << diagram.diagnostics().text();
      return;
    }
    for (int tick = 0; tick < 3; ++tick) runtime->step();
    runtime->stop();
  }
}

/// Threads that are known to have called plugins and do nothing: the looking thread goes through them first, so that it
/// is often on its way when a loop goes.
class Bystanders {
public:
  explicit Bystanders(int count) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this] {
        RunningThread::mine();
        ++there_;
        over_.wait(false);
      });
    while (there_ < count) std::this_thread::yield();
  }
  ~Bystanders() {
    over_ = true;
    over_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

private:
  std::atomic<bool> over_{false};
  std::atomic<int> there_{0};
  std::vector<std::thread> threads_;
};

TEST(RunningLoop, IsNotAskedOnceItGoes) {
  const Host& plugins = test::standard_plugins({"math", "sources"});
  const Bystanders bystanders(200);
  std::atomic<bool> over{false};
  std::atomic<std::int64_t> looks{0};
  std::thread watcher([&] {
    StandstillWatch watch;
    StandstillWatch::Finding finding;
    for (; !over; ++looks) watch.look(0.25, 1e9, finding);
  });
  // Where a loop is asked while it goes, the process ends in here: "pure virtual method called".
  std::thread([&] { make_runs(2000, plugins.catalogue()); }).join();
  over = true;
  watcher.join();
  EXPECT_GT(looks.load(), 100);
}

} // namespace
} // namespace hilda::test
