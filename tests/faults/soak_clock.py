"""A clock that jumps, for a server process: its calls of the system's real-time clock go through a small C library.

Nothing in Citedesk knows of it: the library is laid before libc with ``LD_PRELOAD`` and adds the seconds that stand in
a file. The clock that only measures durations is left alone, as it is when somebody sets the time of a machine.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t ahead(void) {
  static const int64_t none = 0;
  static const volatile int64_t *seconds;
  if (!seconds) {
    const char *file = getenv("JUMPING_CLOCK");
    int handle = file ? open(file, O_RDONLY) : -1;
    void *found = handle < 0 ? MAP_FAILED : mmap(0, sizeof none, PROT_READ, MAP_SHARED, handle, 0);
    if (handle >= 0) close(handle);
    seconds = found == MAP_FAILED ? &none : found;
  }
  return *seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  int failed = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return failed;
}

time_t time(time_t *out) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (out) *out = exact.tv_sec;
  return exact.tv_sec;
}
"""


class Clock:
    """The clock of one server."""

    def __init__(self, folder: Path) -> None:
        """Build the library.

        Raises:
            LookupError: There is no C compiler here.
        """
        if (compiler := shutil.which("cc")) is None:
            raise LookupError("no C compiler here (cc)")
        self._ahead, self._library, source = folder / "ahead", folder / "clock.so", folder / "clock.c"
        source.write_text(_SOURCE)
        self.jump(0)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self._library, source, "-ldl"], check=True)

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process must be started with."""
        return {"LD_PRELOAD": str(self._library), "JUMPING_CLOCK": str(self._ahead)}

    def jump(self, seconds: int) -> None:
        """Set the clock so many seconds ahead of the true time, or behind it, from now on."""
        if not self._ahead.exists():
            self._ahead.write_bytes(bytes(8))
        with self._ahead.open("r+b") as file:  # in place: the server looks at these eight bytes
            file.write(struct.pack("=q", seconds))
