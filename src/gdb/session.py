# What `mazur debug` adds to gdb: the trace, the program's state, stops and frames; the commands
# are in commands.py, which is sourced after this file, into the same namespace. Needs Python 3
# inside gdb, and nothing else.
#
#   trace (MAZUR_SESSION, a descriptor with JSON)     what happens, in the words of the reports
#   mazur_debugger_view (runtime/core/executor.h)          what has happened, in the program itself
#
# The program stops itself: the runtime calls mazur_debug_stop() before the events that the view
# asks for, and mazur_debug_failure() at the failure, always on the OS thread of the program's
# thread in question. So stops are fast, however long the execution is.
#
# Invariant: before each run, view.stop_on and view.stop_at are written at mazur_debug_begin();
# after each stop they are what the user's settings say again, even if a command needed its own
# stop. Event numbers are those of the reports, from 1; "at event N" is just before it.
import json
import os
import struct

import gdb

NONE, PREEMPTED, BLOCKED, FINISHED, YIELDED, SPINNING = range(6)  # enum switch_reason
SWITCHES = 1 << PREEMPTED | 1 << BLOCKED | 1 << FINISHED | 1 << YIELDED | 1 << SPINNING
SETS = {"preemptions": 1 << PREEMPTED, "switches": SWITCHES, "nothing": 0}
DEADLOCK, LIVELOCK, NONDETERMINISM = 5, 6, 8  # enum failure_kind
CRASH_SIGNALS = ("SIGSEGV", "SIGBUS", "SIGFPE")
HANG_SIGNAL = "SIGURG"
AROUND = 5  # events shown on either side
THREADS = 512
MESSAGE = 512


class View:
    """struct debugger_view in the program's memory."""

    FORMAT = "=8I3Q%ds64s64s64s%di" % (MESSAGE, THREADS)
    STOP_ON, STOP_AT = 16, 20  # offsets
    VERSION = 1

    def __init__(self):
        self.address = int(gdb.parse_and_eval("(unsigned long)&mazur_debugger_view"))
        size = struct.calcsize(self.FORMAT)
        raw = gdb.selected_inferior().read_memory(self.address, size).tobytes()
        fields = struct.unpack(self.FORMAT, raw)
        (version, self.events, self.running, self.reason, _, _, self.failure, self.slots,
         self.main, self.routine, self.on, message, enabled, finished, started) = fields[:15]
        if version not in (0, self.VERSION):
            raise gdb.GdbError("libmazur.so and this script come from different builds")
        self.message = message.split(b"\0")[0].decode("utf-8", "backslashreplace")
        self.enabled = int.from_bytes(enabled, "little")
        self.finished = int.from_bytes(finished, "little")
        self.started = int.from_bytes(started, "little")
        self.os_thread = fields[15:15 + self.slots]

    def write(self, offset, value):
        gdb.selected_inferior().write_memory(self.address + offset, struct.pack("=I", value))


class Session:
    def __init__(self, descriptor):
        with os.fdopen(descriptor, encoding="utf-8") as document:
            trace = json.load(document)
        self.program = trace["program"]
        self.launcher = trace["launcher"]
        self.threads = trace["threads"]
        self.events = trace["events"]
        self.failure = trace["failure"]
        self.inflection = trace["inflection"]
        self.titles = trace["titles"]
        self.stop_on = SETS["preemptions"]
        self.stop_at = set()
        self.once = None  # (stop_on, stop_at) of a command, for one stop
        self.to_main = False
        self.failed = False  # the failure of this run has been shown
        self.on_before_call = None  # rt.on, while gdb calls a function

    # --- Names

    def label(self, slot):
        if slot < len(self.threads):
            return self.threads[slot]["label"]
        return "T%d" % slot

    def full_name(self, slot):
        label = self.label(slot)
        function = self.function(slot)
        return label + " " + function if label == "T%d" % slot and function else label

    def function(self, slot):
        return self.threads[slot]["function"] if slot < len(self.threads) else ""

    def event_text(self, number):
        event = self.events[number - 1]
        text = "#%d %s: %s" % (number, self.label(event["thread"]), event["what"])
        return text + ("   " + event["where"] if event["where"] else "")

    # --- Stops

    def settings(self, view):
        """What the view should say now: reasons, and the next event to stop at."""
        if self.once is not None:
            return self.once
        later = [number for number in self.stop_at if number > view.events + 1]
        return self.stop_on, min(later) if later else 0

    def apply(self):
        view = View()
        stop_on, stop_at = self.settings(view)
        view.write(View.STOP_ON, stop_on)
        view.write(View.STOP_AT, stop_at)
        return view

    def restart(self, once=None, to_main=False):
        """Run from the beginning; the user's own breakpoints are ignored until then."""
        self.once = once
        self.to_main = to_main
        disabled = [point for point in gdb.breakpoints() if point.enabled and point.visible]
        for point in disabled:
            point.enabled = False
        try:
            gdb.execute("run")
            if to_main:
                self.on_to_main()
        finally:
            for point in disabled:
                if point.is_valid():
                    point.enabled = True

    def on_to_main(self):
        """Called after BeginPoint, since breakpoints must not be made inside a stop()."""
        self.to_main = False
        if is_running() and not self.failed:
            MainPoint(View().main)
            gdb.execute("continue")

    def resume(self, once):
        self.once = once
        self.apply()
        gdb.execute("continue")


session = Session(MAZUR_SESSION)


def is_running():
    return gdb.selected_inferior().pid != 0 and gdb.selected_thread() is not None


def need_view():
    if not is_running():
        raise gdb.GdbError("the program is not running; start it with run or mazur start")
    return View()


def position(view):
    """Number of the event that comes next."""
    return view.events + 1


def say(text):
    gdb.write("mazur: " + text + "\n")


# --- Breakpoints of the runtime

class BeginPoint(gdb.Breakpoint):
    """The program is set up and main is about to run."""

    def __init__(self):
        super().__init__("mazur_debug_begin", internal=True)
        self.silent = True

    def stop(self):
        session.failed = False
        session.on_before_call = None
        session.apply()
        return session.to_main


class MainPoint(gdb.Breakpoint):
    def __init__(self, address):
        known = gdb.lookup_global_symbol("main") is not None
        super().__init__("main" if known else "*%d" % address, internal=True, temporary=True)
        self.silent = True


class StopPoint(gdb.Breakpoint):
    """The runtime stops itself, as the view asked."""

    def __init__(self):
        super().__init__("mazur_debug_stop", internal=True)
        self.silent = True


class IllegalPoint(gdb.Breakpoint):
    """An illegal instruction of the program; gdb does not stop at the signal, which is also that of the
    runtime's own traps."""

    def __init__(self):
        super().__init__("mazur_debug_illegal", internal=True)
        self.silent = True


class FailurePoint(gdb.Breakpoint):
    def __init__(self):
        super().__init__("mazur_debug_failure", internal=True)
        self.silent = True

    def stop(self):
        # a crash or a hang was shown where it happened
        return not session.failed


def skip_runtime():
    """step does not go into the runtime's functions: the files of its folders."""
    function = gdb.lookup_global_symbol("mazur_debug_stop")
    if function is not None:  # else it is stripped, and there are no lines to step to
        root = os.path.dirname(os.path.dirname(function.symtab.filename))
        for depth in ("*", "*/*", "*/*/*"):  # a star does not match a slash
            gdb.execute("skip -gfi %s/%s.[ch]" % (root, depth), to_string=True)


def on_library(event):
    """Once the runtime is there its functions have names; later runs keep the breakpoints."""
    if os.path.basename(event.new_objfile.filename or "") == "libmazur.so":
        gdb.events.new_objfile.disconnect(on_library)
        BeginPoint()
        StopPoint()
        IllegalPoint()
        FailurePoint()
        skip_runtime()


# --- What a stop shows

def show_arrival(view):
    """Returns the event that comes next, if it is the trace's."""
    number = position(view)
    if number > len(session.events):
        say("past the last event of the trace, in %s" % session.label(view.running))
        return None
    event = session.events[number - 1]
    if event["thread"] != view.running:
        say("this execution has left the trace: event %d should be of %s, but %s runs"
            % (number, session.label(event["thread"]), session.label(view.running)))
        return None
    if event["why"] and view.reason != NONE:
        mark = ">" if view.reason == PREEMPTED else "-"
        say("%s %s; %s runs" % (mark, event["why"], session.label(view.running)))
    say("at event " + session.event_text(number)[1:])
    return event


def is_same_failure(view, expected):
    """The trace knows more than the program: names of objects, readable names of types."""
    if view.failure != expected["kind"]:
        return False
    if expected["name"] == "exception":
        return view.events == len(session.events)
    return expected["message"].startswith(view.message)


def show_failure(view):
    """Returns whether it is the trace's failure."""
    expected = session.failure
    session.failed = True
    if view.failure == NONDETERMINISM:
        number = position(view)
        say("the execution has diverged: it can't follow the trace any further")
        if number <= len(session.events):
            say("the trace continues with " + session.event_text(number))
        if view.message:
            say(view.message)
        return False
    known = is_same_failure(view, expected)
    # gdb may show another line where code was optimised
    where = ", at " + expected["where"] if known and expected["where"] else ""
    say("FAILURE: " + (expected["message"] if known else view.message) + where)
    if view.failure != expected["kind"]:
        say("the trace shows another failure: %s: %s"
            % (session.titles[expected["kind"]], expected["message"]))
    return known


def show_signal(view, signal):
    expected = session.failure
    session.failed = True
    what = "no visible operation for a long time" if signal == HANG_SIGNAL else signal
    say("FAILURE: %s in %s, after event %d" % (what, session.label(view.running), view.events))
    if expected["name"] not in ("crash", "hang", "memory"):
        say("the trace shows another failure: " + expected["message"])
    else:
        say("the trace says: " + expected["message"])


def show_frame(place=None):
    if select_user_frame(place):
        gdb.execute("frame")


def select_thread(view, slot):
    thread = thread_of_slot(view, slot)
    if thread is not None:
        thread.switch()


def on_stop(event):
    if not is_running():
        return
    try:
        view = session_stopped()
    except gdb.error:
        return  # before the runtime is loaded
    signal = getattr(event, "stop_signal", None)
    points = getattr(event, "breakpoints", [])
    if any(isinstance(point, BeginPoint) for point in points):
        return  # on the way to main
    if signal in CRASH_SIGNALS or signal == HANG_SIGNAL:
        show_signal(view, signal)
        show_frame()
    elif any(isinstance(point, IllegalPoint) for point in points):
        show_signal(view, "SIGILL")
        show_frame()
    elif signal == "SIGINT":  # Ctrl-C reaches any thread; the running one is meant
        select_thread(view, view.running)
        say("%s runs, after event %d" % (session.full_name(view.running), view.events))
        show_frame()
    elif any(isinstance(point, FailurePoint) for point in points):
        known = show_failure(view)
        if known:
            select_thread(view, session.failure["thread"])
        show_frame(session.failure if known else None)
    elif any(isinstance(point, StopPoint) for point in points):
        event = show_arrival(view)
        if view.started >> view.running & 1:
            show_frame(event)
    elif any(isinstance(point, MainPoint) for point in points) or is_own(gdb.newest_frame()):
        show_frame()  # a watchpoint is met inside the runtime's atomic operations
        if program_frame() is None and view.started >> view.running & 1:
            say("%s has finished its function" % session.label(view.running))


def session_stopped():
    session.once = None
    view = session.apply()
    name_threads(view)
    return view


def on_exit(event):
    if not hasattr(event, "exit_code"):
        return  # killed, to be run again
    session.once = None
    if event.exit_code != 0:  # the runtime ends the process with 0, whatever came out
        say("FAILURE: the program ended behind Mazur's back, status %d" % event.exit_code)
    elif not session.failed:
        say("the execution ended without the failure of the trace: " +
            session.failure["message"])
    say("the execution is over; run starts it again, mazur goto N goes to an event")


# --- Calls from the debugger

def on_call(event):
    """print f() is not part of the execution: its operations are not scheduled."""
    try:
        view = View()
    except gdb.error:
        return
    memory = gdb.selected_inferior()
    if isinstance(event, gdb.InferiorCallPreEvent):
        if session.on_before_call is None:
            session.on_before_call = memory.read_memory(view.on, 1).tobytes()
            memory.write_memory(view.on, b"\0")
    elif session.on_before_call is not None:
        memory.write_memory(view.on, session.on_before_call)
        session.on_before_call = None


# --- Stepping

class ReturnPoint(gdb.Breakpoint):
    """Where the thread is back in the program's code."""

    def __init__(self, address):
        super().__init__("*%d" % address, internal=True, temporary=True)
        self.silent = True
        self.thread = gdb.selected_thread().global_num
        self.met = False

    def stop(self):
        self.met = True
        return True


def first_line(view):
    """Where the program's own code begins in a thread that is about to start. A routine without
    lines is a library's (std::thread), which calls the function that the reports name."""
    if gdb.find_pc_line(view.routine).symtab is None:
        try:
            places = gdb.decode_line(session.function(view.running))[1]
        except gdb.error:
            places = None
        if places and len(places) == 1:
            return places[0].pc
    return view.routine


def leave_runtime():
    """Before step and next: a thread that is in the runtime is first brought back to the
    program's code, since these commands step through its lines. The event that it was about
    to make is executed."""
    if not is_running() or not is_own(gdb.newest_frame()):
        return
    view = View()
    if view.failure:
        raise gdb.GdbError("the execution ends here; prev-switch and mazur goto N go back")
    starts = not view.started >> view.running & 1
    frame = program_frame()
    if not starts and frame is None:
        raise gdb.GdbError("%s has finished its function; use continue or next-switch"
                           % session.label(view.running))
    if not starts and frame.newer().type() == gdb.SIGTRAMP_FRAME:
        raise gdb.GdbError("gdb can't step here: Mazur has replaced instructions of this function "
                           "by traps; use next-switch or mazur goto N")
    point = ReturnPoint(first_line(view) if starts else frame.pc())
    said = gdb.execute("continue", to_string=True)
    if not point.met:  # another stop came first, and that one counts
        gdb.write(said)
        if point.is_valid():
            point.delete()
        raise gdb.GdbError("stopped before the step was over")


def prepare_finish():
    """Before finish, which is about the selected frame. gdb finishes an inlined function by steps, and
    these can't begin inside the runtime."""
    if not is_running() or not is_own(gdb.newest_frame()):
        return
    if unstarted_slot() is not None:
        raise gdb.GdbError("%s has not started its function; next goes to its first line, next-switch "
                           "to the next switch" % session.label(unstarted_slot()))
    if View().failure:
        leave_runtime()  # says that this is the end
    if is_own(gdb.selected_frame()):
        select_user_frame()
    frame = gdb.selected_frame()
    if frame.type() != gdb.INLINE_FRAME:
        return
    name = frame.name()
    leave_runtime()
    if not frame.is_valid():  # the event was the last thing that it did
        show_frame()
        raise gdb.GdbError("%s has ended" % name)
    frame.select()


def refuse_reverse():
    """Before the reverse- commands of gdb, unless the user records with gdb itself."""
    if gdb.current_recording() is not None:
        return
    advice = "mazur goto N goes to event N"
    if is_running() and View().events > 0:
        advice = "mazur goto %d goes to the event before" % View().events
    raise gdb.GdbError("this execution can't run backwards, but it can be repeated: %s, prev-switch to the "
                       "previous switch" % advice)


# --- Settings of gdb itself

def set_up():
    for line in ("set exec-wrapper " + session.launcher,
                 "set startup-with-shell on",
                 "set disable-randomization on",
                 "set print thread-events off",
                 "set non-stop off",
                 "set detach-on-fork on",
                 "set follow-fork-mode parent",
                 "set breakpoint pending on",
                 "handle %s stop print pass" % HANG_SIGNAL,
                 # The runtime's own traps (runtime/traps/traps.c); IllegalPoint stops at the others.
                 "handle SIGILL nostop noprint pass"):
        gdb.execute(line, to_string=True)
    HideRuntime()
    gdb.events.new_objfile.connect(on_library)
    gdb.events.stop.connect(on_stop)
    gdb.events.exited.connect(on_exit)
    gdb.events.inferior_call.connect(on_call)


set_up()
