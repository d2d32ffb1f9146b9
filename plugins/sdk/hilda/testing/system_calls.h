// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_SYSTEM_CALLS_H
#define HILDA_TESTING_SYSTEM_CALLS_H

// What a block asks of the kernel in the loop, by Linux' syscall user dispatch: while a byte of the program says so,
// the kernel delivers SIGSYS instead of each system call of the thread. The handler notes the call and makes it. See
// the kernel's Documentation/admin-guide/syscall-user-dispatch.rst.

#include <csignal>
#include <cstdint>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__linux__)
#define HILDA_TESTING_DISPATCHES_SYSTEM_CALLS 1
#endif

namespace hilda::testing {

/// What a phase may ask of the kernel.
enum class KernelUse {
  time,  ///< the time alone
  device ///< of a driver's acquire and emit: also its sockets, and a nap
};

namespace detail {

/// "write", or "number 451".
inline std::string system_call_name(long number) {
  struct Named {
    long number;
    const char* name;
  };
  static constexpr Named known[] = {
      {SYS_read, "read"},
      {SYS_write, "write"},
      {SYS_readv, "readv"},
      {SYS_writev, "writev"},
      {SYS_pread64, "pread64"},
      {SYS_pwrite64, "pwrite64"},
      {SYS_openat, "openat"},
      {SYS_close, "close"},
      {SYS_lseek, "lseek"},
      {SYS_fstat, "fstat"},
      {SYS_newfstatat, "newfstatat"},
      {SYS_fsync, "fsync"},
      {SYS_fdatasync, "fdatasync"},
      {SYS_ftruncate, "ftruncate"},
      {SYS_ioctl, "ioctl"},
      {SYS_fcntl, "fcntl"},
      {SYS_dup, "dup"},
      {SYS_pipe2, "pipe2"},
      {SYS_ppoll, "ppoll"},
      {SYS_pselect6, "pselect6"},
      {SYS_epoll_pwait, "epoll_pwait"},
      {SYS_mmap, "mmap"},
      {SYS_munmap, "munmap"},
      {SYS_mprotect, "mprotect"},
      {SYS_madvise, "madvise"},
      {SYS_mremap, "mremap"},
      {SYS_brk, "brk"},
      {SYS_futex, "futex"},
      {SYS_nanosleep, "nanosleep"},
      {SYS_clock_nanosleep, "clock_nanosleep"},
      {SYS_sched_yield, "sched_yield"},
      {SYS_socket, "socket"},
      {SYS_connect, "connect"},
      {SYS_bind, "bind"},
      {SYS_listen, "listen"},
      {SYS_accept, "accept"},
      {SYS_sendto, "sendto"},
      {SYS_recvfrom, "recvfrom"},
      {SYS_sendmsg, "sendmsg"},
      {SYS_recvmsg, "recvmsg"},
      {SYS_sendmmsg, "sendmmsg"},
      {SYS_recvmmsg, "recvmmsg"},
      {SYS_clone, "clone"},
      {SYS_execve, "execve"},
      {SYS_wait4, "wait4"},
      {SYS_kill, "kill"},
      {SYS_tgkill, "tgkill"},
      {SYS_getpid, "getpid"},
      {SYS_gettid, "gettid"},
      {SYS_getppid, "getppid"},
      {SYS_getrandom, "getrandom"},
      {SYS_rt_sigaction, "rt_sigaction"},
      {SYS_rt_sigprocmask, "rt_sigprocmask"},
      {SYS_umask, "umask"},
      {SYS_chdir, "chdir"},
      {SYS_getcwd, "getcwd"},
      {SYS_unlinkat, "unlinkat"},
      {SYS_mkdirat, "mkdirat"},
      {SYS_shmget, "shmget"},
      {SYS_getrusage, "getrusage"},
      {SYS_clock_gettime, "clock_gettime"},
      {SYS_sched_setaffinity, "sched_setaffinity"},
      {SYS_setpriority, "setpriority"},
      {SYS_uname, "uname"},
#ifdef SYS_clone3
      {SYS_clone3, "clone3"},
#endif
#ifdef SYS_open
      {SYS_open, "open"},
      {SYS_stat, "stat"},
      {SYS_unlink, "unlink"},
      {SYS_mkdir, "mkdir"},
      {SYS_rename, "rename"},
      {SYS_poll, "poll"},
      {SYS_select, "select"},
      {SYS_pause, "pause"},
      {SYS_fork, "fork"},
      {SYS_vfork, "vfork"},
#endif
  };
  for (const Named& each : known)
    if (each.number == number) return each.name;
  return "number " + std::to_string(number);
}

} // namespace detail

/// Sees every system call of the thread that made it, between arm() and disarm(). One at a time.
class SystemCallWatch {
public:
  SystemCallWatch() { usable_ = begin(); }
  ~SystemCallWatch() { end(); }
  SystemCallWatch(const SystemCallWatch&) = delete;
  SystemCallWatch& operator=(const SystemCallWatch&) = delete;

  /// False where the kernel cannot do it: before Linux 5.11, and on processors other than x86-64.
  bool usable() const { return usable_; }
  void arm(KernelUse use) {
    seen().use = use;
    if (usable_) seen().selector = blocked;
  }
  void disarm() { seen().selector = open; }
  /// Without those that the phases may make.
  long calls() const { return seen().count; }
  /// "write": the first of them.
  std::string first() const { return detail::system_call_name(seen().first); }

private:
  static constexpr char open = 0, blocked = 1; // SYSCALL_DISPATCH_FILTER_ALLOW, _BLOCK
  bool usable_ = false;

  struct Seen {
    volatile char selector = open; ///< read by the kernel at each system call
    KernelUse use = KernelUse::time;
    long count = 0, first = 0;
  };
  static Seen& seen() {
    static Seen value;
    return value;
  }

#ifdef HILDA_TESTING_DISPATCHES_SYSTEM_CALLS
  /// The kernel's own layouts, which the C library does not give.
  using KernelMask = unsigned long;
  struct KernelAction {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    const void* restorer;
    KernelMask mask;
  };
  static KernelAction& before() {
    static KernelAction value{};
    return value;
  }

  /// Where the handler returns to: the one place whose system call, rt_sigreturn, is not dispatched. The instructions
  /// are those by which debuggers know a signal's frame.
  struct Return {
    const char *begin, *call, *end;
  };
  __attribute__((noinline)) static Return way_back() {
    Return at{};
    asm volatile("leaq 1f(%%rip), %0\n\t"
                 "leaq 2f(%%rip), %1\n\t"
                 "leaq 3f(%%rip), %2\n\t"
                 "jmp 4f\n\t"
                 "nop\n"
                 "1: movq $15, %%rax\n"
                 "2: syscall\n\t"
                 "ud2\n"
                 "3: nop\n"
                 "4:"
                 : "=r"(at.begin), "=r"(at.call), "=r"(at.end));
    return at;
  }

  static long make(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = e;
    register long r9 asm("r9") = f;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                 : "rcx", "r11", "memory");
    return result;
  }

  static bool allowed(long number) {
    switch (number) {
    case SYS_clock_gettime:
    case SYS_gettimeofday:
    case SYS_time:
    case SYS_getcpu:
    case SYS_restart_syscall: return true;
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_poll:
    case SYS_ppoll: return seen().use == KernelUse::device;
    default: return false;
    }
  }

  static bool returns_twice(long number) {
#ifdef SYS_clone3
    if (number == SYS_clone3) return true;
#endif
    return number == SYS_clone || number == SYS_fork || number == SYS_vfork;
  }

  static void on_system_call(int, siginfo_t* info, void* raw_context) {
    Seen& s = seen();
    s.selector = open;
    auto& context = *static_cast<ucontext_t*>(raw_context);
    auto& registers = context.uc_mcontext.gregs;
    const long number = info->si_syscall;
    if (number == SYS_rt_sigreturn) { // the end of another handler: made from where it is not dispatched
      registers[REG_RIP] = reinterpret_cast<greg_t>(way_back().call);
      registers[REG_RAX] = SYS_rt_sigreturn;
      s.selector = blocked;
      return;
    }
    if (!allowed(number) && s.count++ == 0) s.first = number;
    if (returns_twice(number)) { // not from here: made again from its own place, and the rest of the phase is not seen
      constexpr greg_t length_of_syscall = 2;
      registers[REG_RIP] -= length_of_syscall;
      registers[REG_RAX] = number;
      return;
    }
    registers[REG_RAX] = make(number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                              registers[REG_R8], registers[REG_R9]);
    if (number == SYS_rt_sigprocmask) keep_mask(context);
    s.selector = blocked;
  }

  /// The handler's return sets the mask of before the call; so a change by the call is written to where it returns.
  /// SIGSYS stays open: the kernel kills the process over one that is blocked.
  static void keep_mask(ucontext_t& context) {
    KernelMask now = 0;
    make(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&now), sizeof now, 0, 0);
    now &= ~(KernelMask{1} << (SIGSYS - 1));
    *reinterpret_cast<KernelMask*>(&context.uc_sigmask) = now;
  }

  static bool begin() {
    constexpr unsigned long restorer_given = 0x04000000; // SA_RESTORER
    constexpr int dispatch = 59, on = 1;                 // PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON
    seen().selector = open;
    seen().count = seen().first = 0;
    const Return back = way_back();
    const KernelAction action{&on_system_call, SA_SIGINFO | SA_NODEFER | restorer_given, back.begin, 0};
    if (make(SYS_rt_sigaction, SIGSYS, reinterpret_cast<long>(&action), reinterpret_cast<long>(&before()),
             sizeof action.mask, 0, 0) != 0)
      return false;
    const auto bytes = static_cast<unsigned long>(back.end - back.begin);
    return ::prctl(dispatch, on, back.begin, bytes, &seen().selector) == 0;
  }
  static void end() {
    constexpr int dispatch = 59, off = 0;
    seen().selector = open;
    ::prctl(dispatch, off, 0L, 0L, 0L);
    make(SYS_rt_sigaction, SIGSYS, reinterpret_cast<long>(&before()), 0, sizeof(KernelMask), 0, 0);
  }
#else
  static bool begin() { return false; }
  static void end() {}
#endif
};

} // namespace hilda::testing

#endif
