// SPDX-License-Identifier: BSD-3-Clause
// System calls of the watched thread, by Linux' syscall user dispatch: while the thread's selector says so, the kernel
// delivers SIGSYS instead of the call, and the handler records and makes it. See the kernel's
// Documentation/admin-guide/syscall-user-dispatch.rst.
#include "watch.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <linux/prctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)

extern "C" {
// Where the handler returns to, instead of the C library's own: the one place whose system call (rt_sigreturn) is not
// dispatched. These are the bytes by which debuggers and libgcc know a signal's frame. The kernel compares the address
// after the instruction, so the range goes one byte further.
extern const char hilda_trap_return[];
extern const char hilda_trap_return_call[];
extern const char hilda_trap_return_end[];
asm(R"(
  .pushsection .text
  nop
  .hidden hilda_trap_return, hilda_trap_return_call, hilda_trap_return_end
  .globl hilda_trap_return, hilda_trap_return_call, hilda_trap_return_end
hilda_trap_return:
  movq $15, %rax
hilda_trap_return_call:
  syscall
  ud2
hilda_trap_return_end:
  .popsection
)");
}

namespace hilda::trap {
namespace {

/// What a loop may ask of the kernel: the time, a nap, and a device's sockets. All end at once or at their time.
constexpr std::array allowed{
    SYS_clock_gettime, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep, SYS_restart_syscall,
    SYS_sched_yield,   SYS_recvfrom,     SYS_recvmsg,   SYS_recvmmsg,        SYS_sendto,
    SYS_sendmsg,       SYS_sendmmsg,     SYS_poll,      SYS_ppoll,
};

struct Name {
  long number;
  const char* text;
};
constexpr Name names[] = {
#include "system_call_names.inc"
};

const char* name_of(long number) {
  const auto* found =
      std::find_if(std::begin(names), std::end(names), [=](const Name& name) { return name.number == number; });
  return found == std::end(names) ? "system call of unknown name" : found->text;
}

long raw_call(long number, const long (&arguments)[6]) {
  long result;
  register long r10 asm("r10") = arguments[3];
  register long r8 asm("r8") = arguments[4];
  register long r9 asm("r9") = arguments[5];
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

/// The kernel's own layouts, which the C library does not give.
using KernelMask = unsigned long;
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  const char* restorer;
  KernelMask mask;
};

/// The handler's return restores the mask of before the call; so a change by the call is written to where it returns.
/// SIGSYS stays open, for the kernel kills the process over one that is blocked.
void keep_signal_mask(ucontext_t& context) {
  KernelMask now = 0;
  raw_call(SYS_rt_sigprocmask, {SIG_BLOCK, 0, reinterpret_cast<long>(&now), sizeof now, 0, 0});
  now &= ~(KernelMask{1} << (SIGSYS - 1));
  *reinterpret_cast<KernelMask*>(&context.uc_sigmask) = now;
}

void on_system_call(int, siginfo_t* info, void* raw_context) {
  watch.selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  auto& context = *static_cast<ucontext_t*>(raw_context);
  auto& registers = context.uc_mcontext.gregs;
  const long number = info->si_syscall;
  if (number == SYS_rt_sigreturn) { // the end of another signal's handler: made from where it is not dispatched
    registers[REG_RIP] = reinterpret_cast<greg_t>(hilda_trap_return_call);
    registers[REG_RAX] = SYS_rt_sigreturn;
    watch.selector = SYSCALL_DISPATCH_FILTER_BLOCK;
    return;
  }
  if (std::find(allowed.begin(), allowed.end(), number) == allowed.end()) {
    watch.busy = true;
    record(name_of(number));
    watch.busy = false;
  }
  if (number == SYS_clone || number == SYS_clone3 || number == SYS_fork || number == SYS_vfork) {
    // Returns twice, so not from here: it is made again from its own place, and this thread's system calls are no
    // longer watched. The run has failed by then.
    constexpr greg_t length_of_syscall = 2;
    registers[REG_RIP] -= length_of_syscall;
    registers[REG_RAX] = number;
    return;
  }
  registers[REG_RAX] = raw_call(number, {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                                         registers[REG_R8], registers[REG_R9]});
  if (number == SYS_rt_sigprocmask) keep_signal_mask(context);
  watch.selector = SYSCALL_DISPATCH_FILTER_BLOCK;
}

} // namespace

bool watch_system_calls() {
  constexpr unsigned long restorer_given = 0x04000000; // SA_RESTORER
  const KernelAction action{on_system_call, SA_SIGINFO | SA_NODEFER | restorer_given, hilda_trap_return, 0};
  if (raw_call(SYS_rt_sigaction, {SIGSYS, reinterpret_cast<long>(&action), 0, sizeof action.mask, 0, 0}) != 0)
    return false;
  watch.selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, hilda_trap_return,
               static_cast<unsigned long>(hilda_trap_return_end - hilda_trap_return), &watch.selector) == 0;
}

void ignore_system_calls() {
  watch.selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
}

} // namespace hilda::trap

#else // Linux dispatches system calls on x86 only; elsewhere the report says that they went unwatched.

namespace hilda::trap {
bool watch_system_calls() { return false; }
void ignore_system_calls() {}
} // namespace hilda::trap

#endif
