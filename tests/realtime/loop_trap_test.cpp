// SPDX-License-Identifier: BSD-3-Clause
// The trap catches what a loop in real time may not do, and nothing else.
#include "tests/project_folders.h"
#include "watched_run.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

struct Act {
  const char* name;
  /// What the trap must report.
  const char* offence;
  /// Seen by the kernel's dispatch of system calls alone.
  bool is_system_call = false;
};

class OffenceOf : public testing::TestWithParam<Act> {};

TEST_P(OffenceOf, IsCaughtWithItsBlockAndItsLine) {
  const auto run = run_watched(build_folder() + "/tests/realtime/offend " + GetParam().name);
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  EXPECT_EQ(run->output, "done\n") << "the offending call must be carried out all the same";
  EXPECT_EQ(run->loops, 1) << run->report;
  if (GetParam().is_system_call && !run->system_calls_watched)
    GTEST_SKIP() << "this kernel does not dispatch system calls to a program";
  const WatchedRun::Offence* const offence = run->find(GetParam().offence);
  ASSERT_NE(offence, nullptr) << run->report;
  EXPECT_EQ(offence->block, "rig.offender");
  EXPECT_NE(offence->called_from.find("offend"), std::string::npos) << offence->called_from;
}

INSTANTIATE_TEST_SUITE_P(
    Each, OffenceOf,
    testing::Values(Act{"malloc", "malloc"}, Act{"calloc", "calloc"}, Act{"realloc", "realloc"}, Act{"free", "free"},
                    Act{"large_malloc", "malloc"}, Act{"posix_memalign", "posix_memalign"},
                    Act{"aligned_alloc", "aligned_alloc"}, Act{"operator_new", "operator new"},
                    Act{"array_new", "operator new"}, Act{"aligned_new", "aligned_alloc"}, Act{"delete", "free"},
                    Act{"mutex", "pthread_mutex_lock"}, Act{"shared_mutex", "pthread_rwlock_rdlock"},
                    Act{"condition", "pthread_cond_wait"}, Act{"condition_timed", "pthread_cond_clockwait"},
                    Act{"semaphore", "sem_wait"}, Act{"throw", "throw"}, Act{"thread", "pthread_create"},
                    Act{"mmap", "mmap", true}, Act{"munmap", "munmap", true}, Act{"brk", "brk", true},
                    Act{"open", "openat", true}, Act{"write", "write", true}, Act{"futex", "futex", true},
                    Act{"getpid", "getpid", true}, Act{"block_signals", "rt_sigprocmask", true},
                    // The call after it: the trap stays closed when the loop blocks the trap's own signal.
                    Act{"block_signals", "getppid", true}),
    [](const testing::TestParamInfo<Act>& each) {
      return std::string(each.param.name) + "_" + std::to_string(each.index);
    });

class HarmlessAct : public testing::TestWithParam<const char*> {};

TEST_P(HarmlessAct, IsNotReported) {
  const auto run = run_watched(build_folder() + "/tests/realtime/offend " + GetParam());
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  EXPECT_EQ(run->loops, 1);
  EXPECT_TRUE(run->offences.empty()) << run->report;
}

INSTANTIATE_TEST_SUITE_P(Each, HarmlessAct, testing::Values("nothing", "nap", "send_packet"),
                         [](const testing::TestParamInfo<const char*>& each) { return std::string(each.param); });

TEST(LoopTrap, StaysClosedAfterASignalWasHandledOnTheLoop) {
  const auto run = run_watched(build_folder() + "/tests/realtime/offend be_interrupted");
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  if (!run->system_calls_watched) GTEST_SKIP() << "this kernel does not dispatch system calls to a program";
  ASSERT_EQ(run->offences.size(), 1U) << run->report;
  EXPECT_EQ(run->offences[0].what, "getuid");
}

} // namespace
} // namespace hilda::test
