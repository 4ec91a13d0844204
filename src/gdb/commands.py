# The commands that `mazur debug` adds to gdb; see session.py, into whose namespace this is sourced.
#
# To go forwards, the program runs to the stop that the view asks for; to go back, it runs again
# from the beginning, since an execution can't be undone. Event numbers are those of
# the reports, from 1.

class NextSwitch(gdb.Command):
    """Run to the next switch to another thread, whatever its reason.
Usage: next-switch [COUNT]"""

    def __init__(self):
        super().__init__("next-switch", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        for _ in range(number_of(argument or "1")):
            before = position(need_view())
            session.resume((SWITCHES, 0))
            if not is_running() or session.failed or position(View()) <= before:
                break


class PrevSwitch(gdb.Command):
    """Go back to the previous switch, by running again from the beginning.
Usage: prev-switch [COUNT]"""

    def __init__(self):
        super().__init__("prev-switch", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        count = number_of(argument or "1")
        here = position(View()) if is_running() else len(session.events) + 1
        switches = [number for number, event in enumerate(session.events, 1)
                    if event["switch"] != "none" and number < here]
        if count > len(switches):
            say("there is no earlier switch; back to the beginning")
            session.restart(to_main=True)
        else:
            go_to(switches[-count])


class Mazur(gdb.Command):
    """The trace that this program follows: where, events, threads, thread, goto, stop-at,
stop-on, start, report. See also next-switch and prev-switch."""

    def __init__(self):
        super().__init__("mazur", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


def plural(count, noun):
    return "%d %s%s" % (count, noun, "" if count == 1 else "s")


def number_of(text):
    try:
        number = int(text)
    except ValueError:
        raise gdb.GdbError("'%s' is not a number" % text) from None
    if number < 1:
        raise gdb.GdbError("numbers start at 1")
    return number


def event_number(text):
    if text == "inflection" and session.inflection is not None:
        return session.inflection["event"]
    number = number_of(text)
    if number > len(session.events):
        raise gdb.GdbError("the trace has %d events" % len(session.events))
    return number


def go_to(number):
    """Stop just before event `number`: forwards, or from the beginning again."""
    if is_running() and position(View()) < number and not session.failed:
        session.resume((0, number))
    else:
        session.restart((0, number))


class Where(gdb.Command):
    """Which event of the trace comes next, which thread runs, what comes after it.
Usage: mazur where"""

    def __init__(self):
        super().__init__("mazur where", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        view = need_view()
        number = position(view)
        say("%d of %d events done, %s runs" % (view.events, len(session.events),
                                               session.full_name(view.running)))
        if view.events > 0 and view.events <= len(session.events):
            say("last:  " + session.event_text(view.events))
        if number > len(session.events):
            say("next:  the failure: " + session.failure["message"])
            return
        say("next:  " + session.event_text(number))
        for later in range(number + 1, len(session.events) + 1):
            event = session.events[later - 1]
            if event["switch"] != "none":
                say("then:  at event %d %s; %s runs" % (later, event["why"],
                                                        session.label(event["thread"])))
                return
        say("then:  %d more, and the failure: %s" % (len(session.events) - number,
                                                     session.failure["message"]))


class Events(gdb.Command):
    """Show events of the trace: those around the current one, or the given ones.
Usage: mazur events [FIRST [LAST]]"""

    def __init__(self):
        super().__init__("mazur events", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        here = position(View()) if is_running() else 0
        if words:
            first = event_number(words[0])
            last = event_number(words[1]) if len(words) > 1 else first + 2 * AROUND
        else:
            first, last = max(1, here - AROUND), max(1, here) + AROUND
        for number in range(first, min(last, len(session.events)) + 1):
            event = session.events[number - 1]
            if event["switch"] != "none":
                mark = ">" if event["switch"] == "preempted" else "-"
                gdb.write("        %s %s; %s runs\n" % (mark, event["why"],
                                                        session.label(event["thread"])))
            gdb.write("%s %s\n" % ("=>" if number == here else "  ",
                                   session.event_text(number)))
            if session.inflection is not None and number == session.inflection["event"]:
                gdb.write("        ! %s\n" % session.inflection["text"])
        if last >= len(session.events):
            gdb.write("        x %s\n" % session.failure["message"])


def thread_state(view, slot):
    bit = 1 << slot
    if view.finished & bit:
        return "has ended"
    stuck = view.failure in (DEADLOCK, LIVELOCK) and not view.enabled & bit
    if slot == view.running and not stuck:
        return "runs"
    if not view.started & bit:
        return "has not started" if view.enabled & bit else "does not exist yet"
    return "can run" if view.enabled & bit else "waits"


def next_event_of(slot, number):
    for later in range(number, len(session.events) + 1):
        if session.events[later - 1]["thread"] == slot:
            return "#%d %s" % (later, session.events[later - 1]["what"])
    return session.threads[slot]["pending"] if slot < len(session.threads) else ""


class Threads(gdb.Command):
    """The program's threads: gdb's number, Mazur's name, state, next operation.
Usage: mazur threads"""

    def __init__(self):
        super().__init__("mazur threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        view = need_view()
        for slot in range(view.slots):
            thread = thread_of_slot(view, slot)
            state = thread_state(view, slot)
            over = state == "has ended" or (state == "runs" and session.failed)
            after = "" if over else next_event_of(slot, position(view))
            gdb.write("%s %-4s %-20s %-18s %s\n"
                      % ("=>" if slot == view.running else "  ",
                         "-" if thread is None or state == "has ended" else thread.num,
                         session.full_name(slot), state, "next: " + after if after else ""))


class Thread(gdb.Command):
    """Select a thread by Mazur's name and show its stack.
Usage: mazur thread T2"""

    def __init__(self):
        super().__init__("mazur thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        view = need_view()
        for slot in range(view.slots):
            if argument in ("T%d" % slot, session.label(slot), session.full_name(slot)):
                thread = thread_of_slot(view, slot)
                if thread is None:
                    raise gdb.GdbError("%s %s" % (argument, thread_state(view, slot)))
                thread.switch()
                select_user_frame()
                gdb.execute("bt")
                return
        raise gdb.GdbError("there is no thread '%s' (mazur threads lists them)" % argument)

    def complete(self, text, word):
        return [thread["label"] for thread in session.threads
                if thread["label"].startswith(word)]


class Goto(gdb.Command):
    """Go to an event, forwards or back (by running again), and stop just before it.
inflection is the event after which every continuation fails, where that is known.
Usage: mazur goto N|inflection"""

    def __init__(self):
        super().__init__("mazur goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go_to(event_number(argument))


class StopAt(gdb.Command):
    """Stop before an event each time it is reached; none removes these stops.
Usage: mazur stop-at [N|inflection|none]"""

    def __init__(self):
        super().__init__("mazur stop-at", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        if argument == "none":
            session.stop_at.clear()
        elif argument:
            session.stop_at.add(event_number(argument))
        here = position(View()) if is_running() else 0
        for number in sorted(session.stop_at):
            say("stops at %s%s" % (session.event_text(number),
                                   " (when it is run again)" if number <= here else ""))
        if not session.stop_at:
            say("stops at no event")
        if is_running():
            session.apply()


class StopOn(gdb.Command):
    """Choose the switches at which the program stops by itself.
Usage: mazur stop-on preemptions|switches|nothing"""

    def __init__(self):
        super().__init__("mazur stop-on", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        if argument not in SETS:
            raise gdb.GdbError("one of: " + ", ".join(sorted(SETS)))
        session.stop_on = SETS[argument]
        if is_running():
            session.apply()

    def complete(self, text, word):
        return [name for name in sorted(SETS) if name.startswith(word)]


class Leave(gdb.Command):
    """Return to the program's code if the thread is in Mazur's; step, next and until do this first.
Usage: mazur leave"""

    def __init__(self):
        super().__init__("mazur leave", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        leave_runtime()


class BeforeFinish(gdb.Command):
    """Prepare for finish, which does this first.
Usage: mazur before-finish"""

    def __init__(self):
        super().__init__("mazur before-finish", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        prepare_finish()


class BeforeReverse(gdb.Command):
    """Say what to use in place of the reverse- commands, which do this first.
Usage: mazur before-reverse"""

    def __init__(self):
        super().__init__("mazur before-reverse", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        refuse_reverse()


class Start(gdb.Command):
    """Run from the beginning and stop in main.
Usage: mazur start"""

    def __init__(self):
        super().__init__("mazur start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        failure = session.failure
        preemptions = sum(event["switch"] == "preempted" for event in session.events)
        say("%s: %s, %s, then: %s%s"
            % (session.program, plural(len(session.events), "event"),
               plural(preemptions, "preemption"), failure["message"],
               ", at " + failure["where"] if failure["where"] else ""))
        say("stops at each preemption and at the failure; next-switch, prev-switch, "
            "mazur where; help mazur")
        session.restart(to_main=True)


class Report(gdb.Command):
    """Run to the failure, show where every thread is, and run to the end.
Usage: mazur report"""

    def __init__(self):
        super().__init__("mazur report", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        session.restart((0, 0))
        if not is_running():
            return
        gdb.execute("mazur where")
        gdb.execute("mazur threads")
        gdb.execute("thread apply all -ascending bt 20")
        for _ in range(3):  # a crash stops where it happens, and its report once more
            if is_running():
                session.resume((0, 0))


for command in (Mazur, NextSwitch, PrevSwitch, Where, Events, Threads, Thread, Goto, StopAt,
                StopOn, Leave, BeforeFinish, BeforeReverse, Start, Report):
    command()
for name, first in (("step", "leave"), ("next", "leave"), ("until", "leave"), ("finish", "before-finish")):
    gdb.execute("define hook-%s\nmazur %s\nend" % (name, first))
for name in ("step", "next", "stepi", "nexti", "continue", "finish"):
    gdb.execute("define hook-reverse-%s\nmazur before-reverse\nend" % name)
