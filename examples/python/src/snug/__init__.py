# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exact static memory allocation: snug from Python, by way of its C library.

    problem = snug.Problem([snug.Buffer(0, 3, 4), snug.Buffer(2, 9, 4)])
    result = snug.minimize(problem, snug.Options(time_limit=10))
    result.height, result.offsets  # 8, [4, 0]

Wherever integers are expected in a list, a numpy array will do. All functions
that place buffers can be interrupted (Ctrl-C): they stop at once and raise
KeyboardInterrupt. They raise InvalidProblem for a problem that contradicts
itself, and MemoryError.
"""

import ctypes
import mmap
import os
import queue
import threading
import weakref
from array import array
from ctypes import byref, c_int64, c_ubyte
from operator import index
from typing import Any, Callable, Iterable, List, Optional, Sequence, Union

from . import _c
from .model import (NEVER, Alias, Assignment, Buffer, Cause, Certificate, End,
                    Error, Explanation, Gap, InvalidProblem, Options, Penalty,
                    Pool, Problem, Progress, Reserved, Result, Spills, Stats,
                    Status, Step, Stop, Validation, flatten)

__all__ = [
    "NEVER", "Alias", "Assignment", "Buffer", "Cause", "Certificate", "End",
    "Error", "Explanation", "Gap", "InvalidProblem", "Options", "Penalty",
    "Planner", "Pool", "Problem", "Progress", "Reserved", "Result", "Spills",
    "Stats", "Status", "Step", "Stop", "Table", "Validation", "assign",
    "certify", "check", "explain", "minimize", "minimize_penalty",
    "minimize_within", "parse_csv", "read_csv", "solve", "suggest_spills",
    "validate",
]

_version = _c.LIBRARY.snug_version()
#: of the library
__version__ = f"{_version // 10000}.{_version // 100 % 100}.{_version % 100}"

_INVALID, _BAD_ARGUMENT, _OUT_OF_MEMORY = 4, 5, 6
_POLL_SECONDS = 0.1  # Windows cannot interrupt a longer wait
_PROOF_BYTES = 1 << 26  # what a proof leaves untouched takes no memory


def solve(problem: Problem, capacity: int,
          options: Options = Options()) -> Result:
    """Finds a placement within `capacity`, or proves that there is none."""
    return _place(_c.LIBRARY.snug_solve, problem, options, capacity)


def minimize(problem: Problem, options: Options = Options()) -> Result:
    """Finds a placement of the lowest height."""
    return _place(_c.LIBRARY.snug_minimize, problem, options)


def minimize_within(problem: Problem, capacity: int,
                    options: Options = Options()) -> Result:
    """The same, unless that takes more than `capacity`."""
    return _place(_c.LIBRARY.snug_minimize_within, problem, options, capacity)


def minimize_penalty(problem: Problem, capacity: int,
                     options: Options = Options()) -> Result:
    """Finds a placement within `capacity` whose penalties cost least."""
    return _place(_c.LIBRARY.snug_minimize_penalty, problem, options, capacity)


def explain(problem: Problem, capacity: int,
            options: Options = Options()) -> Explanation:
    """Finds buffers that do not fit `capacity`, although they would without any
    one of them."""
    given = _to_c(problem)
    buffers = _room(given)
    out = _run(_c.LIBRARY.snug_explain, given, options,
               [_int64(capacity)], buffers)
    return Explanation(Status(out.status), Stop(out.stopped_by),
                       buffers[:out.buffer_count], bool(out.proved),
                       Cause(out.cause), out.moment, _stats(out))


def suggest_spills(problem: Problem, capacity: int,
                   costs: Optional[Iterable[int]] = None,
                   options: Options = Options()) -> Spills:
    """Finds buffers of small total cost without which the others fit. By
    default a buffer costs its size."""
    given = _to_c(problem)
    prices = (None if costs is None else
              _one_each(given.buffer_count, costs, "costs"))
    offsets = _room(given)
    out = _run(_c.LIBRARY.snug_suggest_spills, given, options,
               [_int64(capacity), prices], offsets)
    return Spills(Stop(out.stopped_by),
                  [i for i, offset in enumerate(offsets) if offset < 0],
                  [None if offset < 0 else offset for offset in offsets],
                  out.cost, out.cost_bound, bool(out.proved), _stats(out))


def assign(problem: Problem, pools: Sequence[Pool],
           costs: Optional[Iterable[Iterable[int]]] = None,
           options: Options = Options()) -> Assignment:
    """Divides buffers among pools, each by itself a placement within its
    capacity, at the least cost. `costs` has a row for each buffer: what it
    costs in each pool, on top of the cost of its bytes, or NEVER; by default 0.
    The problem's own base, alignment and reserved ranges are not looked at.
    Give a limit: the proof may take long."""
    given = _to_c(problem)
    pool_of, offsets = _room(given), _room(given)
    out = _run(_c.LIBRARY.snug_assign, given, options,
               [byref(_pools_to_c(given.buffer_count, pools, costs))], pool_of,
               offsets)
    placed = out.status <= Status.FEASIBLE
    return Assignment(Status(out.status), Stop(out.stopped_by),
                      list(pool_of) if placed else None,
                      list(offsets) if placed else None, out.cost,
                      out.cost_bound, _stats(out))


def certify(problem: Problem, capacity: int,
            options: Options = Options()) -> Certificate:
    """Proves that the buffers do not fit `capacity`, in a text that snug's
    program check_certificate checks. For use when solve() has said so, or with
    the height that minimize() found, less one."""
    given = _to_c(problem)
    size = _PROOF_BYTES
    while True:
        memory = mmap.mmap(-1, size)
        text = (ctypes.c_char * size).from_buffer(memory)
        out = _call(_c.LIBRARY.snug_certify, given, options,
                    [_int64(capacity)], text, size)
        if out.text_length <= size:
            _raise_unless_known(out.status, out)
            return Certificate(Status(out.status), Stop(out.stopped_by),
                               memory[:out.text_length].decode("ascii"),
                               _stats(out))
        size = out.text_length  # it has to be found again


def check(problem: Problem) -> None:
    """Raises InvalidProblem unless the problem is well formed."""
    _check(_to_c(problem))


def validate(problem: Problem, capacity: int,
             offsets: Iterable[int]) -> Validation:
    """Whether `offsets`, one a buffer, is a placement of a well-formed problem
    within `capacity`."""
    given = _to_c(problem)
    _check(given)
    out = _result()
    status = _c.LIBRARY.snug_validate(
        byref(given), _int64(capacity),
        _one_each(given.buffer_count, offsets, "offsets"), byref(out))
    if status != _INVALID:
        _raise_unless_known(status, out)
    return Validation(_text(out.message), _index(out.buffer), _index(out.other),
                      out.height, Error(out.error))


class _Owner:
    """Has something in the library that is freed with it, so that there is one
    of it."""

    def __reduce__(self) -> Any:  # of all copies and pickles
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}")


class Planner(_Owner):
    """A placement to which buffers are added one after the other, each for the
    price of what changes; snug's header planner.hpp describes it. For one thread
    at a time."""

    def __init__(self, capacity: int, problem: Problem = Problem(),
                 offsets: Iterable[int] = ()) -> None:
        """Begins with a placement of `problem` within `capacity`. Raises
        InvalidProblem if it is none."""
        given = _to_c(problem)
        start = _one_each(given.buffer_count, offsets, "offsets")
        handle = ctypes.c_void_p()
        out = _result()
        status = _c.LIBRARY.snug_make_planner(byref(given), _int64(capacity),
                                              start, byref(handle), byref(out))
        _raise_unless_known(status, out)
        self._handle = handle
        self._offsets = list(start)
        weakref.finalize(self, _c.LIBRARY.snug_free_planner, handle)

    @property
    def offsets(self) -> List[int]:
        """One a buffer, in the order in which they came."""
        return list(self._offsets)

    def add(self, buffer: Buffer, options: Options = Options()) -> Step:
        """Places a buffer at its hint, or as low as it can be without another
        one moving; where there is no such offset, others that are not fixed
        move. If it cannot be placed, nothing changes."""

        def add(*arguments: Any) -> int:
            return _c.LIBRARY.snug_planner_add(self._handle, *arguments)

        given = _to_c(Problem([buffer]))
        count = len(self._offsets)
        offsets, moved = (c_int64 * (count + 1))(), (c_int64 * (count + 1))()
        try:
            out = _run(add, given, options, [], offsets, moved)
        finally:  # an interrupt may come too late
            if _c.LIBRARY.snug_planner_count(self._handle) > count:
                self._offsets = list(offsets)
        return Step(Status(out.status), Stop(out.stopped_by),
                    self._offsets[count] if len(self._offsets) > count else None,
                    moved[:out.buffer_count], out.height, _stats(out))

    def fix(self, buffer: int) -> None:
        """Lets a buffer stay where it is from now on."""
        self._change(_c.LIBRARY.snug_planner_fix, buffer)

    def unfix(self, buffer: int) -> None:
        """Lets a buffer move again, if others need its place."""
        self._change(_c.LIBRARY.snug_planner_unfix, buffer)

    def remove(self, buffer: int) -> None:
        """Takes the bytes of a buffer back. It keeps its index, with a size of
        zero; so it must not be in a contiguous group."""
        self._change(_c.LIBRARY.snug_planner_remove, buffer)

    def _change(self, function: Callable[..., int], buffer: int) -> None:
        if function(self._handle, _int64(buffer)) == _BAD_ARGUMENT:
            if not 0 <= buffer < len(self._offsets):
                raise IndexError(f"buffer {buffer} of {len(self._offsets)}")
            raise ValueError(f"buffer {buffer} is in a contiguous group")


class Table(_Owner):
    """A problem from comma-separated text, and the ids of its buffers.

    The columns are id, lower, upper, size and, if need be, those of all
    constraints; snug's header io/csv.hpp describes them.
    """

    problem: Problem
    ids: List[str]
    #: what had no effect, as "1:23: column 'color' is not known and ignored"
    notes: List[str]

    def __init__(self, text: bytes) -> None:
        """Raises InvalidProblem, its message starting with line and column."""
        if not isinstance(text, bytes):
            raise TypeError(f"text: not bytes but {type(text).__name__}")
        handle = ctypes.c_void_p()
        out = _result()
        status = _c.LIBRARY.snug_read_csv(text, len(text), byref(handle),
                                          byref(out))
        _raise_unless_known(status, out)
        self._handle = handle
        weakref.finalize(self, _c.LIBRARY.snug_free_csv, handle)
        read = _c.LIBRARY.snug_csv_problem(handle).contents
        self.problem = _from_c(read)
        self._count = read.buffer_count  # the problem's may change
        self.ids = [_text(_c.LIBRARY.snug_csv_id(handle, i))
                    for i in range(read.buffer_count)]
        self.notes = []
        while True:
            note = _c.LIBRARY.snug_csv_note(handle, len(self.notes))
            if note is None:
                break
            self.notes.append(_text(note))

    def to_csv(self, offsets: Optional[Iterable[int]] = None) -> str:
        """The problem as text, with the offsets as last column: the rows in
        their order, the columns that snug knows in its own, under its names."""
        given = (None if offsets is None else
                 _one_each(self._count, offsets, "offsets"))
        length = ctypes.c_size_t()
        write = _c.LIBRARY.snug_write_csv
        text = ctypes.create_string_buffer(0)
        while True:
            status = write(self._handle, given, text, len(text), byref(length))
            if status == _OUT_OF_MEMORY:
                raise MemoryError
            if length.value <= len(text):
                return _text(text.raw[:length.value])
            text = ctypes.create_string_buffer(length.value)


def parse_csv(text: Union[str, bytes]) -> Table:
    """Reads a problem from comma-separated text."""
    return Table(text.encode() if isinstance(text, str) else text)


def read_csv(path: Union[str, "os.PathLike[str]"]) -> Table:
    """Reads a problem from a file of comma-separated text. The message of an
    InvalidProblem starts with the path."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        return Table(text)
    except InvalidProblem as error:
        error.args = (f"{os.fsdecode(path)}:{error}",)
        raise


# Python -> C


def _int64(value: int) -> int:
    """An integer for C, which would take any other one modulo 2**64."""
    return array("q", [index(value)])[0]


def _int64s(values: Iterable[int]) -> Any:
    data = array("q", map(index, values))
    return (c_int64 * len(data)).from_buffer(data)


def _room(given: _c.Problem) -> Any:
    return (c_int64 * given.buffer_count)()


def _one_each(count: int, values: Iterable[int], what: str) -> Any:
    result = _int64s(values)
    if len(result) != count:
        raise ValueError(f"{what}: {len(result)} for {count} buffers")
    return result


def _taken(values: Sequence[Any]) -> Sequence[Any]:
    """A list as it is now. It may change during a call, by another thread or by
    what an element does when it is read; C would believe an earlier count."""
    len(values)  # what has none could be read only once
    return tuple(values)


def _to_c(problem: Problem) -> _c.Problem:
    """Each function calls this once, and takes from the result how many there
    are of anything."""
    buffers = _taken(problem.buffers)
    aliases = _taken(problem.aliases)
    groups = [_taken(group) for group in _taken(problem.contiguous)]
    apart = _taken(problem.apart)
    may_overlap = _taken(problem.may_overlap)
    reserved = _taken(problem.reserved)
    penalties = _taken(problem.penalties)

    def column(get: Callable[[Buffer], int]) -> Any:
        return _int64s(map(get, buffers))

    def free(value: Optional[int]) -> int:
        return -1 if value is None else value

    def table(rows: Sequence[Sequence[int]], kind: Callable[..., Any]) -> Any:
        return _int64s(flatten(kind(*row) for row in rows))

    def pair(first: int, second: int) -> Sequence[int]:
        return first, second

    gaps = [(i, *Gap(*gap)) for i, buffer in enumerate(buffers)
            for gap in buffer.gaps]
    return _c.Problem(
        struct_size=ctypes.sizeof(_c.Problem),
        buffer_count=len(buffers),
        lower=column(lambda buffer: buffer.lower),
        upper=column(lambda buffer: buffer.upper),
        size=column(lambda buffer: buffer.size),
        alignment=column(lambda buffer: buffer.alignment),
        offset=column(lambda buffer: free(buffer.offset)),
        hint=column(lambda buffer: free(buffer.hint)),
        end=(c_ubyte * len(buffers))(*(End(buffer.end) for buffer in buffers)),
        gap_count=len(gaps),
        gaps=_int64s(flatten(gaps)),
        alias_count=len(aliases),
        aliases=table(aliases, Alias),
        group_count=len(groups),
        group_sizes=_int64s(map(len, groups)),
        group_members=_int64s(flatten(groups)),
        apart_count=len(apart),
        apart=table(apart, pair),
        may_overlap_count=len(may_overlap),
        may_overlap=table(may_overlap, pair),
        reserved_count=len(reserved),
        reserved=table(reserved, Reserved),
        penalty_count=len(penalties),
        penalties=table(penalties, Penalty),
        base=_int64(problem.base),
        heap_alignment=_int64(problem.alignment),
    )


def _pools_to_c(buffer_count: int, pools: Sequence[Pool],
                costs: Optional[Iterable[Iterable[int]]]) -> _c.Pools:
    pools = _taken(pools)
    rows = None if costs is None else [list(row) for row in costs]
    if rows is not None and ([len(row) for row in rows] !=
                             [len(pools)] * buffer_count):
        raise ValueError(f"costs: not {len(pools)} for each of "
                         f"{buffer_count} buffers")
    reserved = [(p, *Reserved(*given)) for p, pool in enumerate(pools)
                for given in pool.reserved]
    return _c.Pools(
        struct_size=ctypes.sizeof(_c.Pools),
        pool_count=len(pools),
        pools=_int64s(flatten((pool.capacity, pool.base, pool.alignment,
                               pool.cost_per_byte) for pool in pools)),
        reserved_count=len(reserved),
        reserved=_int64s(flatten(reserved)),
        costs=None if rows is None else _int64s(flatten(rows)),
    )


def _options(options: Options, flag: _c.Flag,
             report: Callable[[Progress], None]) -> _c.Options:
    def clamp(value: float, most: int) -> int:
        """At least 1. What is beyond any number of C, as math.inf is, is the
        largest one."""
        if value != value:
            raise ValueError("a limit is not a number")
        if value < 0:
            raise ValueError("a limit is negative")
        return int(min(max(value, 1), most))

    def limit(value: Optional[float], unit: int) -> int:
        """In C, 0 is no limit and -1 is 0."""
        if value is None:
            return 0
        return -1 if value == 0 else clamp(value * unit, 2**63 - 1)

    def tell(progress: Any, _: Any) -> int:
        told = progress.contents
        report(Progress(told.height, told.lower_bound, told.nodes,
                        told.seconds))
        return 0

    return _c.Options(
        struct_size=ctypes.sizeof(_c.Options),
        time_limit_ns=limit(options.time_limit, 10**9),
        node_limit=limit(options.node_limit, 1),
        seed=array("Q", [index(options.seed)])[0],
        cancel=ctypes.pointer(flag),
        progress=(_c.ProgressFunction(tell) if options.progress else
                  _c.ProgressFunction(0)),
        progress_interval_ns=limit(options.progress_interval, 10**9),
        memory_limit=(0 if options.memory_limit is None else
                      clamp(options.memory_limit, 2**64 - 1)),
    )


# Calls


def _check(problem: _c.Problem) -> None:
    out = _result()
    status = _c.LIBRARY.snug_check(byref(problem), byref(out))
    _raise_unless_known(status, out)


def _call(function: Callable[..., int], problem: _c.Problem, options: Options,
          arguments: List[Any], *room: Any) -> _c.Result:
    """Calls `function`, which fills `room`, in a thread of its own: this one
    stays open to interrupts, and hands on reports of progress."""
    events: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
    flag = _c.Flag()
    out = _result()

    def report(progress: Progress) -> None:
        if events.empty():  # else who watches is busy with another one
            events.put(progress)

    given = _options(options, flag, report)

    def work() -> None:
        try:
            events.put(function(byref(problem), *arguments, byref(given),
                                *room, byref(out)))
        except BaseException as error:  # wrong types of arguments
            events.put(error)

    watch = options.progress
    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
        while True:
            try:
                event = events.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                continue
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, int):
                return out
            if watch is not None and watch(event) is False:
                watch = None
                _c.LIBRARY.snug_cancel(byref(flag))
    finally:
        _c.LIBRARY.snug_cancel(byref(flag))
        thread.join()


def _run(function: Callable[..., int], problem: _c.Problem, options: Options,
         arguments: List[Any], *room: Any) -> _c.Result:
    """The same; raises what the call has found to be wrong."""
    out = _call(function, problem, options, arguments, *room)
    _raise_unless_known(out.status, out)
    return out


def _place(function: Callable[..., int], problem: Problem, options: Options,
           *arguments: int) -> Result:
    given = _to_c(problem)
    offsets = _room(given)
    out = _run(function, given, options, list(map(_int64, arguments)), offsets)
    placed = out.status <= Status.FEASIBLE
    moved = ([i for i, offset in enumerate(offsets)
              if given.hint[i] not in (-1, offset)] if placed else [])
    return Result(Status(out.status), Stop(out.stopped_by),
                  list(offsets) if placed else None, moved, out.height,
                  out.lower_bound, out.cost, out.cost_bound, _stats(out))


# C -> Python


def _result() -> _c.Result:
    return _c.Result(struct_size=ctypes.sizeof(_c.Result))


def _text(raw: bytes) -> str:
    """What is not UTF-8 stays told apart, as ids have to be: `\\xe4`."""
    return raw.decode("utf-8", "backslashreplace")


def _index(value: int) -> Optional[int]:
    return None if value == -1 else value


def _stats(out: _c.Result) -> Stats:
    return Stats(out.nodes, out.backtracks, out.runs, out.seconds,
                 out.peak_bytes)


def _raise_unless_known(status: int, out: _c.Result) -> None:
    if status == _INVALID:
        raise InvalidProblem(_text(out.message), _index(out.buffer),
                             _index(out.other), Error(out.error),
                             _index(out.pool))
    if status == _BAD_ARGUMENT:
        raise ValueError(_text(out.message))
    if status == _OUT_OF_MEMORY:
        raise MemoryError


def _from_c(read: _c.Problem) -> Problem:
    """What a table can hold: no reserved ranges, base or alignment."""

    def rows(values: Any, count: int, width: int) -> List[List[int]]:
        return [values[k * width:(k + 1) * width] for k in range(count)]

    problem = Problem([
        Buffer(read.lower[i], read.upper[i], read.size[i], read.alignment[i],
               _index(read.offset[i]), _index(read.hint[i]), End(read.end[i]))
        for i in range(read.buffer_count)
    ])
    for buffer, *gap in rows(read.gaps, read.gap_count, 5):
        problem.buffers[buffer].gaps.append(Gap(*gap))
    problem.aliases = [Alias(*row)
                       for row in rows(read.aliases, read.alias_count, 3)]
    first = 0
    for size in read.group_sizes[:read.group_count]:
        problem.contiguous.append(read.group_members[first:first + size])
        first += size
    problem.apart = [(a, b) for a, b in rows(read.apart, read.apart_count, 2)]
    problem.may_overlap = [
        (a, b) for a, b in rows(read.may_overlap, read.may_overlap_count, 2)
    ]
    problem.penalties = [Penalty(*row) for row in
                         rows(read.penalties, read.penalty_count, 3)]
    return problem
