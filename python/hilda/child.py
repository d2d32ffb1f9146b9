# SPDX-License-Identifier: BSD-3-Clause
"""The process of an isolated simulation: questions to it, answers from it, and how a question of it is ended."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from typing import Any, Callable

_NUMBER = struct.Struct("<Q")


def packed(number: int) -> bytes:
    return _NUMBER.pack(number)


def unpacked(data: bytes) -> int:
    number: int = _NUMBER.unpack(data)[0]
    return number


def send(stream: Any, message: bytes) -> None:
    """To a stream without a buffer."""
    left = memoryview(packed(len(message)) + message)
    while left:
        left = left[stream.write(left):]


def receive(stream: Any) -> Any:
    """From a stream without a buffer, of the other process of ours."""
    return pickle.loads(_read(stream, unpacked(_read(stream, _NUMBER.size))))


def _read(stream: Any, size: int) -> bytearray:
    data = bytearray(size)
    place = memoryview(data)
    while place:
        count = stream.readinto(place)
        if not count:
            raise EOFError
        place = place[count:]
    return data


class Question:
    """A request to the other process, with the number that its answer has."""

    def __init__(self, number: int, message: bytes, then: Callable[[], None]) -> None:
        self.number, self.message, self._then = number, message, then
        self.over = False  #: answered, or left by the one who asked
        self.lost = False  #: the process is gone
        self.sound, self.answer = False, None
        self._answered = threading.Lock()  # a lock and no event: what a signal raises leaves it whole
        self._answered.acquire()

    def wait(self, limit: float | None) -> bool:
        return self._answered.acquire(timeout=-1 if limit is None else limit)

    def take(self, sound: bool, answer: Any) -> None:
        if sound:
            self._then()
        if not self.over:
            self.sound, self.answer = sound, answer
        self._end()

    def fail(self) -> None:
        self.lost = True
        self._end()

    def _end(self) -> None:
        del self._then  # may hold the simulation, which this is not to keep
        self.over = True
        self._answered.release()


def _put(question: Question, to: Any, back: Any) -> None:
    try:
        send(to, question.message)
        while True:
            number, sound, answer = receive(back)
            if number == question.number:
                break
    except (EOFError, OSError, ValueError):  # ValueError: the stream is closed
        question.fail()
    except Exception as error:  # the answer cannot be read
        question.take(False, error)
    else:
        question.take(sound, answer)


def _talk(asked: queue.SimpleQueue[Question | None], to: Any, back: Any) -> None:
    """On its own thread, where no signal raises anything: each message is always whole."""
    while True:
        question = asked.get()
        if question is None:
            break
        _put(question, to, back)
        del question  # its answer belongs to the one who asked
    back.close()


class Child:
    """The other process. It answers one question at a time; a run that was left ends there between two ticks."""

    def __init__(self) -> None:
        note, note_write = os.pipe()
        stop, self._stop = os.pipe()
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH", "")]))
        program = "import sys, hilda.answering; hilda.answering.serve(*map(int, sys.argv[1:]))"
        # Ctrl-C of a terminal reaches both; that one takes it from where it knows what to do with it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = subprocess.Popen([sys.executable, "-c", program, str(note_write), str(stop)], bufsize=0,
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[note_write, stop],
                                             env={**os.environ, "PYTHONPATH": path})
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(note_write)
        os.close(stop)
        self._owner = os.getpid()
        self._note = os.fdopen(note, "rb")
        self._number = 0
        self._last: Question | None = None
        self._asked: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        threading.Thread(target=_talk, args=(self._asked, self._process.stdin, self._process.stdout), daemon=True).start()

    @property
    def busy(self) -> bool:
        return self._last is not None and not self._last.over

    def ask(self, what: tuple[Any, ...], limit: float | None, then: Callable[[], None]) -> Question | None:
        """The question with its answer; None where none came in time. Where a signal raises something meanwhile, the
        answer belongs to no caller.

        then: where the answer is sound, also if no caller waits for it any more."""
        self._number += 1
        question = Question(self._number, pickle.dumps((self._number, *what), protocol=pickle.HIGHEST_PROTOCOL), then)
        try:
            self._last = question
            self._asked.put(question)
            answered = question.wait(limit)
            self._last = None
            return question if answered else None
        except BaseException:
            self._leave(question)
            raise

    def _leave(self, question: Question) -> None:
        question.over = True
        try:
            os.write(self._stop, packed(question.number))
            self._process.send_signal(signal.SIGINT)
        except OSError:  # it is gone
            pass

    def end(self, how: int | None = None) -> tuple[int, str]:
        """Of one that has ended, or is ended by a signal: its exit code, and what it reported of where it was."""
        if how is not None:
            self._process.send_signal(how)
        assert self._process.stdin is not None  # a pipe
        self._process.stdin.close()
        code = self._process.wait()
        note = self._note.read().decode(errors="replace")
        self._close()
        return code, note

    def dismiss(self, at_once: bool = False) -> None:
        """Ends it. What it was left with it concludes first, unless `at_once`."""
        assert self._process.stdin is not None  # a pipe
        self._process.stdin.close()
        if self._owner == os.getpid():
            try:
                self._process.wait(0 if at_once else 5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._close()

    def _close(self) -> None:
        self._asked.put(None)
        self._note.close()
        stop, self._stop = self._stop, -1
        if stop >= 0:
            os.close(stop)
