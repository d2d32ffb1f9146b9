// Takes from the process what is not a plugin's: in the phase that a parameter names, or, by the environment variable
// HILDA_TAKES, when the plugin is loaded. It presses Ctrl-C too, in a tick, as an operator would.

#include <hilda/block.h>

#include <array>
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

namespace hilda {
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
  if (what == "held") take_descriptors("/dev/null", false);
  if (what == "ignore") take_signals(SIG_IGN);
  if (what == "handler") take_signals(&do_nothing);
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
  if (what == "locale") std::setlocale(LC_ALL, "C.UTF-8");
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

  bool feeds_through(const Instance&) const override { return now("feeds_through"), true; }
  void infer(const Instance&, const Inference&) override { now("infer"); }
  void configure(const Instance&) override { now("configure"); }
  void prepare(const Instance&) override { now("prepare"); }
  void initialize(const Instance&) override { now("initialize"); }
  void start(const Instance&) override { now("start"); }
  void stop() override { now("stop"); }
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
} // namespace hilda
