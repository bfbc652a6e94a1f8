"""Lets the processes of C-Vise talk to each other with pipes alone.

Confined programs cannot make sockets, and some cannot share memory, where semaphores are. Python reads this file when it
starts. The listeners, clients and semaphores of `multiprocessing` use pipes here.
"""

import _multiprocessing
import multiprocessing.connection as connection
import os
import select
import shutil
import tempfile
import threading
import time
from multiprocessing import util

# The name of a caller, padded: what is written at once is read at once.
RECORD_BYTES = 64


class PipePair(connection.Connection):
    """A connection that reads from one pipe and writes to another."""

    def __init__(self, reading, writing):
        super().__init__(reading)
        self._writing = writing

    def _send(self, buf, write=os.write):
        while len(buf) > 0:
            buf = buf[write(self._writing, buf):]

    def _close(self, _close=os.close):
        _close(self._writing)
        _close(self._handle)


class PipeListener:
    """Takes calls through a pipe at the address. A caller makes a directory with a pipe for each direction."""

    def __init__(self, address, family, backlog=1):
        os.mkfifo(address, 0o600)
        self._address = address
        self._calls = os.open(address, os.O_RDWR)
        self._last_accepted = None
        self._unlink = util.Finalize(self, os.unlink, args=(address,), exitpriority=0)

    def accept(self):
        while True:
            name = os.read(self._calls, RECORD_BYTES).decode().strip()
            try:
                return accepted(os.path.join(os.path.dirname(self._address), name))
            except OSError:
                # The caller was killed in the meantime.
                pass

    def close(self):
        os.close(self._calls)
        self._unlink()


def accepted(place):
    try:
        writing = os.open(os.path.join(place, "from-listener"), os.O_WRONLY | os.O_NONBLOCK)
        reading = os.open(os.path.join(place, "to-listener"), os.O_RDONLY | os.O_NONBLOCK)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    os.set_blocking(reading, True)
    os.set_blocking(writing, True)
    os.write(writing, b"!")
    return PipePair(reading, writing)


def call(address):
    directory = os.path.dirname(address)
    place = tempfile.mkdtemp(dir=directory)
    ends = [os.path.join(place, name) for name in ("from-listener", "to-listener")]
    for end in ends:
        os.mkfifo(end, 0o600)
    reading = os.open(ends[0], os.O_RDONLY | os.O_NONBLOCK)
    # A pipe that is open for both is open at once, without a listener.
    writing = os.open(ends[1], os.O_RDWR)
    calls = os.open(address, os.O_WRONLY | os.O_NONBLOCK)
    os.write(calls, os.path.basename(place).encode().ljust(RECORD_BYTES))
    os.close(calls)
    # Before the listener has opened the pipe, reading would look like its end.
    select.select([reading], [], [])
    os.set_blocking(reading, True)
    os.read(reading, 1)
    return PipePair(reading, writing)


class PipeSemaphore:
    """A semaphore whose value is the number of bytes in a pipe, which forked processes inherit."""

    # Every pipe can hold this many bytes. Queues without a bound take it as their bound.
    SEM_VALUE_MAX = 4096
    RECURSIVE_MUTEX = 0

    # A forked process inherits the pipe, so nothing has to be found by its name.
    name = None

    def __init__(self, kind, value, maxvalue, name, unlink):
        self.kind = kind
        self.maxvalue = maxvalue
        self.handle, self._writing = os.pipe()
        os.set_blocking(self.handle, False)
        os.write(self._writing, b"." * value)
        self._available = select.poll()
        self._available.register(self.handle, select.POLLIN)
        self._after_fork()

    def __del__(self):
        os.close(self.handle)
        os.close(self._writing)

    def _after_fork(self):
        self._holds = 0
        self._holder = None

    def acquire(self, block=True, timeout=None):
        if self.kind != self.RECURSIVE_MUTEX or not self._is_mine():
            if not self._take(deadline_of(block, timeout)):
                return False
        self._holds += 1
        self._holder = threading.get_ident()
        return True

    def _take(self, deadline):
        while True:
            try:
                return os.read(self.handle, 1) != b""
            except BlockingIOError:
                pass
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            self._available.poll(None if left is None else left * 1000)

    def release(self):
        if self.kind == self.RECURSIVE_MUTEX and not self._is_mine():
            raise AssertionError("attempt to release recursive lock not owned by thread")
        self._holds -= 1
        if self.kind != self.RECURSIVE_MUTEX or self._holds == 0:
            os.write(self._writing, b".")

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()

    def _count(self):
        return self._holds

    def _is_mine(self):
        return self._holds > 0 and self._holder == threading.get_ident()

    def _is_zero(self):
        return not self._available.poll(0)


def deadline_of(block, timeout):
    if block and timeout is None:
        return None
    return time.monotonic() + (max(timeout, 0) if block else 0)


_multiprocessing.SemLock = PipeSemaphore
connection.SocketListener = PipeListener
connection.SocketClient = call
