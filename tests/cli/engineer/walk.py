# Goes from switch to switch to the failure, and prints for each stop what gdb has selected and what the
# trace says: thread, file, line.
def selected(place, slot):
    here = gdb.selected_frame().find_sal()
    name = os.path.basename(here.symtab.filename) if here.symtab else "nowhere"
    gdb.write("SELECTED %s %s:%d TRACE %s %s:%d\n"
              % (gdb.selected_thread().name, name, here.line,
                 session.full_name(slot), os.path.basename(place["file"]), place["line"]))


while is_running() and not session.failed:
    gdb.execute("next-switch")
    if session.failed:
        selected(session.failure, session.failure["thread"])
    elif is_running() and unstarted_slot() is None:
        event = session.events[View().events]
        if event["line"]:
            selected(event, event["thread"])
