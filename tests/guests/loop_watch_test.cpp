// SPDX-License-Identifier: BSD-3-Clause
// How a loop is watched that runs in pieces: what a piece changes of the process, and what no one saw at once.

#include "engine/base/loop_watch.h"
#include "tests/modules.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <future>
#include <gmock/gmock.h>
#include <sys/time.h>
#include <thread>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

/// The handler of SIGTSTP is as before when it goes.
class Handler {
public:
  Handler() { sigaction(SIGTSTP, nullptr, &before_); }
  ~Handler() { sigaction(SIGTSTP, &before_, nullptr); }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  static void take() { std::signal(SIGTSTP, SIG_IGN); }
  static bool taken() {
    struct sigaction now = {};
    sigaction(SIGTSTP, nullptr, &now);
    return now.sa_handler == SIG_IGN;
  }

private:
  struct sigaction before_ = {};
};

/// The findings if a piece takes the signal soon after the first pieces, which are all watched. On a busy machine
/// that piece may be watched, too.
std::vector<std::string> found_later(bool& stayed) {
  const Handler handler;
  LoopWatch watch;
  for (int i = 0; i < 100; ++i) const LoopWatch::Piece piece(&watch);
  {
    const LoopWatch::Piece piece(&watch);
    Handler::take();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(130));
  { const LoopWatch::Piece piece(&watch); }
  stayed = Handler::taken();
  return watch.found();
}

TEST(LoopWatch, FindsLaterWhatAPieceDidToSignalsThatNoOneWatchedAndLeavesIt) {
  bool stayed = false;
  std::vector<std::string> found;
  for (int i = 0; i < 20 && !stayed; ++i) found = found_later(stayed);
  EXPECT_TRUE(stayed);
  EXPECT_THAT(found, ElementsAre("signal handlers have changed: SIGTSTP: SIG_DFL -> SIG_IGN; a plugin did so in one of "
                                 "1 calls of the loop, or this program; they stay as they are"));
}

TEST(LoopWatch, RestoresWhatAPieceChangesAndSaysThatOtherThreadsCalledPluginsToo) {
  const Handler handler;
  for (const bool others : {false, true}) {
    LoopWatch watch;
    std::promise<void> begun, over;
    std::thread other([&] {
      std::optional<ProcessWatch> theirs;
      if (others) theirs.emplace();
      begun.set_value();
      over.get_future().wait();
    });
    begun.get_future().wait();
    {
      const LoopWatch::Piece piece(&watch);
      Handler::take();
    }
    EXPECT_FALSE(Handler::taken());
    over.set_value();
    other.join();
    EXPECT_THAT(watch.found(),
                ElementsAre(fmt::format("a plugin changed what belongs to the whole process while the loop ran{}: "
                                        "SIGTSTP: SIG_DFL -> SIG_IGN; it is as before again",
                                        others ? " (other threads called plugins at that time, too)" : "")));
  }
}

TEST(LoopWatch, SaysEachSentenceOnceAndTwentyAtMost) {
  LoopWatch watch;
  const auto take = [&watch](int seconds) {
    const LoopWatch::Piece piece(&watch);
    const itimerval late{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &late, nullptr);
  };
  for (int round = 0; round < 2; ++round) take(1000);
  EXPECT_THAT(watch.found(), SizeIs(1));
  for (int i = 1; i < 30; ++i) take(1000 + i);
  EXPECT_THAT(watch.found(), SizeIs(19));
  itimerval now = {};
  getitimer(ITIMER_PROF, &now);
  EXPECT_EQ(now.it_value.tv_sec, 0);
}

} // namespace
} // namespace hilda::test
