"""Exceptions that come at any line, as from the handler of a signal."""

import sys
from itertools import count


class Alarm(Exception):
    """From the handler of a signal."""


def interrupted(call, at, modules):
    """Whether a call is interrupted at the ``at``-th line that it runs of some modules."""
    seen, files = 0, {module.__file__ for module in modules}

    def trace(frame, event, _):
        nonlocal seen
        if frame.f_code.co_filename not in files:
            return None
        seen += event == "line"
        if seen == at:
            raise Alarm
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except Alarm:
        return True
    finally:
        sys.settrace(before)
    return False


def torn(make, change, *modules):
    """What ``make`` makes, ``change`` of it interrupted at each line of the modules in turn.

    A pair each: the number of the line, and the object.
    """
    for at in count(1):
        made = make()
        if not interrupted(lambda made=made: change(made), at, modules):
            return
        yield at, made
