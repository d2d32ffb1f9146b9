# SPDX-License-Identifier: BSD-3-Clause
"""Processes that end with the one that started them, however that one ends."""
import ctypes
import os
import signal

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)  # found here: between fork and exec nothing is loaded


def ends_with_parent(number=signal.SIGKILL):
    """What a new process calls first (preexec_fn of Popen, initializer of a pool): it gets the signal as soon as its
    parent is gone, killed or not."""
    parent = os.getpid()

    def bind():
        LIBC.prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:  # gone already
            os._exit(1)
    return bind
