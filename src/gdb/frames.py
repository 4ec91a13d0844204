# The stack as the user should see it: which frames are the program's own, which one a stop selects, and
# what a backtrace shows. Sourced before session.py, into the same namespace.
#
#   libmazur.so   schedule_point, __tsan_atomic64_store    hidden, except the function that was called
#   libraries     std::atomic<int>::store, libstdc++       shown, not selected
#   the program   Queue::push                              selected: the place that the reports name
import os

import gdb
from gdb.FrameDecorator import FrameDecorator

LIBRARIES = ("/usr/", "/lib", "./nptl")  # as is_library_path() in debuginfo/symbolise.c


# --- Where frames and threads belong

def is_own(frame):
    """Is it a frame of the runtime? The program's signals never reach the kernel: a signal's
    frame is the runtime's too (--visible)."""
    if frame.type() == gdb.SIGTRAMP_FRAME:
        return True
    name = gdb.solib_name(frame.pc())
    return name is not None and os.path.basename(name) == "libmazur.so"


def program_frame():
    """The innermost frame of the program, or None."""
    frame = gdb.newest_frame()
    while frame is not None and is_own(frame):
        frame = frame.older()
    return frame if frame is not None and frame.is_valid() else None


def is_library(frame):
    """Is it a frame of libc, libstdc++ or one of their headers?"""
    source = frame.find_sal().symtab
    if source is not None:
        return source.filename.startswith(LIBRARIES) or source.fullname().startswith(LIBRARIES)
    return (gdb.solib_name(frame.pc()) or "").startswith(LIBRARIES)


def is_at(frame, place):
    """Is the frame at this place of a report, {"file", "line"}?"""
    here = frame.find_sal()
    if here.symtab is None or not place["line"] or here.line != place["line"]:
        return False
    # reports shorten paths
    wanted = os.path.normpath(place["file"]).replace("../", "")
    return ("/" + here.symtab.fullname()).endswith("/" + wanted.lstrip("/"))


def user_frame(place=None):
    """The frame of the place that the reports name; else the innermost one in the user's own code; else
    the innermost one that is not the runtime's. None: the thread has none of these."""
    first = program_frame()
    frames = []
    while first is not None and first.is_valid():
        if not is_own(first):
            frames.append(first)
        first = first.older()
    for wanted in (lambda frame: place is not None and is_at(frame, place),
                   lambda frame: not is_library(frame),
                   lambda frame: True):
        for frame in frames:
            if wanted(frame):
                return frame
    return None


def select_user_frame(place=None):
    """The user is interested in their own code, not in the libraries and the runtime below it."""
    frame = user_frame(place)
    if frame is not None:
        frame.select()
    return frame is not None


def thread_of_slot(view, slot):
    for thread in gdb.selected_inferior().threads():
        if slot < len(view.os_thread) and thread.ptid[1] == view.os_thread[slot]:
            return thread
    return None


def unstarted_slot():
    """The slot of the selected thread, if it is a thread of the program that has not started."""
    try:
        view = View()
    except gdb.error:
        return None
    for slot, os_thread in enumerate(view.os_thread):
        if slot < len(session.threads) and gdb.selected_thread().ptid[1] == os_thread:
            return None if (view.started | view.finished) >> slot & 1 or slot == 0 else slot
    return None


def name_threads(view):
    for slot in range(len(view.os_thread)):
        thread = thread_of_slot(view, slot)
        if thread is not None:
            thread.name = session.full_name(slot)


class HideRuntime:
    """Frame filter: of the runtime's frames only the outermost is shown, the function that the
    program called; a thread that has not started is shown before its function. The frames keep
    their numbers; bt -no-filters shows all."""

    def __init__(self):
        self.name = "mazur"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        slot = unstarted_slot()
        if slot is None:
            return HookFrames(frames)
        return iter([StartFrame(next(iter(frames)), slot)])


def is_instrumentation(frame):
    """Did the compiler insert the call? The program's own text has none there."""
    name = frame.function()
    return isinstance(name, str) and name.startswith(("race_", "__tsan_read", "__tsan_write"))


class HookFrames:
    def __init__(self, frames):
        self.frames = iter(frames)
        self.waiting = None
        self.any = False

    def __iter__(self):
        return self

    def __next__(self):
        held = None
        if self.waiting is not None:
            frame, self.waiting = self.waiting, None
            return frame
        first, self.any = not self.any, True
        for frame in self.frames:
            if is_own(frame.inferior_frame()):
                held = frame
                continue
            if held is not None and not is_instrumentation(held):
                self.waiting = frame
                return HookFrame(held)
            return frame
        if held is not None and first:  # else it is the bottom of a thread, which is ours
            return HookFrame(held)
        raise StopIteration


class StartFrame(FrameDecorator):
    """What comes first in a thread that is about to start."""

    def __init__(self, frame, slot):
        super().__init__(frame)
        self.slot = slot
        view = View()
        self.place = gdb.find_pc_line(view.routine) if slot == view.running else None

    def function(self):
        return "before " + (session.function(self.slot) or "its first line")

    def frame_args(self):
        return None

    def frame_locals(self):
        return None

    def address(self):
        return None

    def filename(self):
        known = self.place is not None and self.place.symtab is not None
        return self.place.symtab.filename if known else None

    def line(self):
        return self.place.line if self.place is not None and self.place.line else None


class HookFrame(FrameDecorator):
    def function(self):
        name = super().function()
        if not isinstance(name, str):  # a stripped library
            return "libmazur.so"
        return name[:-len("_hook")] if name.endswith("_hook") else name

    def filename(self):
        return None

    def line(self):
        return None
