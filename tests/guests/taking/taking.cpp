// SPDX-License-Identifier: BSD-3-Clause
// Takes from the process what is not a plugin's: in the phase that a parameter names, or, by the environment variable
// HILDA_TAKES, when the plugin is loaded. It presses Ctrl-C too, in a tick, as an operator would.

#include <hilda/block.h>

#include <array>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

namespace hilda::test {
namespace {

void take_signals(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

extern "C" void do_nothing(int) {}

char small_stack[16384];

/// Closes, or replaces by a pipe, each descriptor above 2 that leads to such a file, or of these the ones that are only
/// read.
void take_descriptors(const std::string& file, bool replace, bool readable = false) {
  constexpr int below_the_copies = 100;
  std::array<int, 2> ends{-1, -1};
  if (replace && pipe(ends.data()) != 0) std::abort();
  for (int descriptor = 3; descriptor < below_the_copies; ++descriptor) {
    std::array<char, 512> leads{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    if (readlink(link.c_str(), leads.data(), leads.size() - 1) < 0) continue;
    if (std::string(leads.data()).find(file) == std::string::npos) continue;
    if (readable && (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY) continue;
    if (replace)
      dup2(ends[0], descriptor);
    else
      close(descriptor);
  }
}

void take(const std::string& what) {
  if (what == "log") take_descriptors(".mcap", false);
  if (what == "log_replaced") take_descriptors(".mcap", true);
  if (what == "held_pipes") take_descriptors("pipe:", false, true);
  if (what == "sockets") take_descriptors("socket:", false);
  if (what == "sockets_replaced") take_descriptors("socket:", true);
  if (what == "events") take_descriptors("anon_inode:[event", false);
  if (what == "rounding") std::fesetround(FE_UPWARD);
  if (what == "held") take_descriptors("/dev/null", false);
  if (what == "ignore") take_signals(SIG_IGN);
  if (what == "handler") take_signals(&do_nothing);
  if (what == "flags") {
    struct sigaction action = {};
    sigaction(SIGINT, nullptr, &action);
    action.sa_flags ^= SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
  }
  if (what == "seldom") std::signal(SIGRTMIN + 3, SIG_IGN);
  if (what == "block") {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
  }
  if (what == "stack") {
    stack_t stack = {};
    stack.ss_sp = small_stack, stack.ss_size = sizeof small_stack;
    sigaltstack(&stack, nullptr);
  }
  if (what == "timer") {
    const itimerval late{{0, 0}, {1000, 0}};
    setitimer(ITIMER_REAL, &late, nullptr);
  }
  if (what == "timer_create") {
    timer_t timer{};
    const itimerspec late{{0, 0}, {1000, 0}};
    if (timer_create(CLOCK_MONOTONIC, nullptr, &timer) != 0) std::abort();
    timer_settime(timer, 0, &late, nullptr);
  }
  if (what == "thread") {
    std::thread thread([] { pause(); });
    pthread_setname_np(thread.native_handle(), "guest's own");
    thread.detach();
  }
  if (what == "threads")
    for (int i = 0; i < 7; ++i) {
      std::thread thread([] { pause(); });
      pthread_setname_np(thread.native_handle(), ("guest " + std::to_string(i % 6)).c_str()); // two have one name
      thread.detach();
    }
  if (what == "process" && fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it holds the test's pipes no longer than its parent
    pause();
    _exit(0);
  }
  if (what == "folder" && chdir("/") != 0) std::abort();
  if (what == "umask") umask(0);
  if (what == "close") close(STDOUT_FILENO);
  if (what == "replace" && freopen("elsewhere.txt", "w", stdout) == nullptr) std::abort();
  if (what == "exit") std::exit(0);
  if (what == "quick_exit") std::quick_exit(0);
  if (what == "thread_locale") uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", nullptr));
  if (what == "locale") std::setlocale(LC_ALL, "C.UTF-8");
}

const char* disposition(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler == SIG_DFL) return " default";
  if (action.sa_handler == SIG_IGN) return " ignored";
  if (action.sa_handler == &do_nothing) return " this plugin's";
  return (action.sa_flags & SA_RESTART) != 0 ? " handled, restarts" : " handled";
}

/// Shows the real state, whatever was reported of it.
void show_process(const char* phase) {
  std::string text;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGRTMIN + 3}) text += disposition(signal);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  text += sigismember(&blocked, SIGINT) == 1 ? ", SIGINT is blocked" : "";
  stack_t stack = {};
  sigaltstack(nullptr, &stack);
  text += ", stack of " + std::to_string(stack.ss_size);
  itimerval timer = {};
  getitimer(ITIMER_REAL, &timer);
  text += timer.it_value.tv_sec > 0 ? ", a timer" : "";
  if (std::FILE* timers = std::fopen("/proc/self/timers", "r")) {
    text += std::fgetc(timers) != EOF ? ", another timer" : "";
    std::fclose(timers);
  }
  char folder[4096];
  text += getcwd(folder, sizeof folder) != nullptr && folder == std::string("/") ? ", in /" : "";
  text += std::string(", ") + std::setlocale(LC_ALL, nullptr);
  text += uselocale(nullptr) != LC_GLOBAL_LOCALE ? ", a locale of the thread" : "";
  const mode_t mask = umask(0);
  umask(mask);
  std::fprintf(stderr, "in %s:%s, umask %o\n", phase, text.c_str(), mask);
}

[[maybe_unused]] const bool taken_when_loaded = [] {
  if (const char* what = std::getenv("HILDA_TAKES")) take(what);
  return true;
}();

struct Takes : Block {
  Output<double> y{*this, "y", "1", "0"};
  Parameter<Text> what{*this, "what", "What it takes", by_default("")};
  Parameter<Text> in{*this, "in", "The phase in which it does", by_default("")};
  Parameter<std::int64_t> at{*this, "at", "The tick in which it does, in the loop", by_default("-1")};
  Parameter<std::int64_t> interrupts_at{*this, "interrupts_at", "The tick of Ctrl-C", by_default("-1")};
  Parameter<bool> shows{*this, "shows", "Prints in start and stop how the process is", by_default("false")};

  bool feeds_through(const Instance&) const override { return now("feeds_through"), true; }
  void infer(const Instance&, const Inference&) override { now("infer"); }
  void configure(const Instance&) override { now("configure"); }
  void prepare(const Instance&) override { now("prepare"); }
  void initialize(const Instance&) override { now("initialize"); }
  void start(const Instance&) override {
    if (*shows) show_process("start");
    now("start");
  }
  void stop() override {
    if (*shows) show_process("stop");
    now("stop");
  }
  void summarize(const Summary&) const override { now("summarize"); }
  void output(const Tick& t) override {
    y = 0.0;
    if (t.index() == *at) now("output");
    if (t.index() == *interrupts_at) kill(getpid(), SIGINT);
  }
  void update(const Tick& t) override {
    if (t.index() == *at) now("update");
  }

private:
  void now(const char* phase) const {
    if (std::strcmp(*in, phase) == 0) take(*what);
  }
};
HILDA_BLOCK(Takes, "Takes what belongs to the whole process, for tests.")

struct TakesWhileItIntegrates : Block {
  Output<double> y{*this, "y", "1", "0"};
  ContinuousState<double> x{*this, "x", "s", "The time"};
  Parameter<Text> what{*this, "what", "What it takes", by_default("")};
  Parameter<std::int64_t> at{*this, "at", "The tick in which it does", by_default("-1")};

  void output(const Tick&) override { y = 0.0; }
  void derivative(const Tick& t) override {
    if (t.index() == *at) take(*what);
    x.dot() = 1.0;
  }
};
HILDA_BLOCK(TakesWhileItIntegrates, "Takes what belongs to the whole process while the solver asks it, for tests.")

} // namespace
} // namespace hilda::test
