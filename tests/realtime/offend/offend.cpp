// SPDX-License-Identifier: BSD-3-Clause
// A loop of 100 clean ticks in which the last does what its argument names; for the trap's own test.
#include "engine/run/loop_trap.h"
#include "tests/modules.h"

#include <arpa/inet.h>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <map>
#include <mutex>
#include <semaphore.h>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace {

const char* block_at_work = nullptr;
void* memory = nullptr;
int signals_seen = 0;

void nap() {
  const timespec time{0, 1000};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

void send_packet() {
  static const int datagram = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sendto(datagram, "x", 1, MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

void wait_for_condition() {
  static std::mutex mutex;
  static std::condition_variable condition;
  std::unique_lock lock(mutex);
  condition.wait_for(lock, std::chrono::milliseconds(1));
}

void wait_until_told() {
  static std::mutex mutex;
  static std::condition_variable condition;
  static bool told = false;
  std::unique_lock lock(mutex);
  std::thread teller([] {
    const std::lock_guard hold(mutex);
    told = true;
    condition.notify_one();
  });
  condition.wait(lock, [] { return told; });
  teller.join();
}

void throw_and_catch() {
  try {
    throw std::runtime_error("on purpose");
  } catch (const std::exception&) {}
}

void lock_shared() {
  static std::shared_mutex mutex;
  const std::shared_lock lock(mutex);
}

void wait_for_semaphore() {
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
}

// Another thread may do as it likes, and interrupt this one.
void be_interrupted() {
  for (int i = 0; i < 100 && signals_seen == 0; ++i) nap();
}

const std::map<std::string, std::function<void()>> acts{
    {"nothing", [] {}},
    {"nap", nap},
    {"send_packet", send_packet},
    {"be_interrupted", be_interrupted},
    {"malloc", [] { memory = std::malloc(48); }},
    {"calloc", [] { memory = std::calloc(6, 8); }},
    {"realloc", [] { memory = std::realloc(memory, 4096); }},
    {"free", [] { std::free(memory); }},
    {"posix_memalign",
     [] {
       if (posix_memalign(&memory, 64, 64) != 0) std::abort();
     }},
    {"aligned_alloc", [] { memory = std::aligned_alloc(64, 64); }},
    {"operator_new", [] { memory = operator new(48); }},
    {"array_new", [] { memory = new double[6]; }},
    {"aligned_new", [] { memory = operator new (64, std::align_val_t{64}); }},
    {"delete", [] { operator delete(memory); }},
    {"large_malloc", [] { memory = std::malloc(std::size_t{1} << 28U); }},
    {"mmap", [] { memory = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }},
    {"munmap", [] { munmap(memory, 4096); }},
    {"brk", [] { memory = sbrk(4096); }},
    {"mutex",
     [] {
       static std::mutex mutex;
       const std::lock_guard lock(mutex);
     }},
    {"condition_timed", wait_for_condition},
    {"condition", wait_until_told},
    {"shared_mutex", lock_shared},
    {"semaphore", wait_for_semaphore},
    {"throw", throw_and_catch},
    {"thread", [] { std::thread([] {}).join(); }},
    {"open", [] { memory = reinterpret_cast<void*>(open("/dev/null", O_RDONLY)); }},
    {"write",
     [] {
       if (write(STDERR_FILENO, "", 0) != 0) std::abort();
     }},
    {"futex",
     [] {
       int word = 1;
       syscall(SYS_futex, &word, 0, 0, nullptr, nullptr, 0);
     }},
    {"getpid", [] { syscall(SYS_getpid); }},
    {"block_signals",
     [] {
       sigset_t all;
       sigfillset(&all);
       pthread_sigmask(SIG_BLOCK, &all, nullptr);
       syscall(SYS_getppid);
     }},
};

} // namespace

int main(int argc, char** argv) {
  const auto act = acts.find(argc > 1 ? argv[1] : "");
  if (act == acts.end()) {
    for (const auto& [name, unused] : acts) std::printf("%s\n", name.c_str());
    return 64;
  }
  memory = std::malloc(16);
  std::signal(SIGUSR1, [](int) { signals_seen = signals_seen + 1; });
  send_packet();
  std::thread other([loop = pthread_self(), interrupts = act->first == "be_interrupted"] {
    delete[] new double[100];
    if (interrupts) pthread_kill(loop, SIGUSR1);
  });
  if (act->first == "be_interrupted") {
    const hilda::run::LoopTrap trap([](void*) -> const char* { return block_at_work; }, nullptr);
    act->second();
    syscall(SYS_getuid); // caught only if the trap is still closed after the signal
  } else {
    const hilda::run::LoopTrap trap([](void*) -> const char* { return block_at_work; }, nullptr);
    for (int tick = 0; tick < 100; ++tick) nap();
    block_at_work = "rig.offender";
    act->second();
    block_at_work = nullptr;
  }
  memory = std::malloc(16); // the loop is over
  other.join();
  std::printf("done\n");
  return 0;
}
