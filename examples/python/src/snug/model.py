# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems, options and results: what snug's headers under model/ describe."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import (Callable, Iterable, List, NamedTuple, Optional, Sequence,
                    Tuple)


class End(IntEnum):
    """The end of memory that a buffer grows from."""

    ANY = 0
    BOTTOM = 1
    TOP = 2


class Status(IntEnum):
    """What is known of a problem."""

    OPTIMAL = 0  #: a placement, and proved: none is better
    FEASIBLE = 1  #: a placement
    INFEASIBLE = 2  #: proved: no placement fits
    UNKNOWN = 3  #: none of these: something stopped the call


class Stop(IntEnum):
    """What ended a call before its question was answered."""

    NONE = 0
    TIME_LIMIT = 1
    NODE_LIMIT = 2
    CANCELLED = 3


class Cause(IntEnum):
    """Why buffers do not fit."""

    NONE = 0
    LOAD = 1  #: at Explanation.moment they need more bytes than there are
    SEARCH = 2  #: at no moment do they, but there is no placement


class Error(IntEnum):
    """What is wrong with a problem or with a placement; snug's header c_error.h
    says more."""

    NONE = 0  #: nothing, or what the message alone says
    NEGATIVE_SIZE = 1
    EMPTY_LIFESPAN = 2
    BAD_ALIGNMENT = 3
    EMPTY_GAP = 4
    GAP_OUTSIDE_LIFESPAN = 5
    OVERLAPPING_GAPS = 6
    WINDOW_OUTSIDE_SIZE = 7
    NEGATIVE_OFFSET = 8
    MISALIGNED_OFFSET = 9
    OFFSET_OVERFLOW = 10
    NEGATIVE_HINT = 11
    SIZE_OVERFLOW = 12
    NEGATIVE_CAPACITY = 14
    NEGATIVE_BASE = 15
    BAD_HEAP_ALIGNMENT = 16
    OFFSET_BELOW_BASE = 17
    UNKNOWN_BUFFER = 18
    PAIR_OF_ONE = 19
    CONTRADICTORY_ALIAS = 20
    CONTRADICTORY_OFFSET = 21
    UNALIGNABLE_ALIAS = 22
    APART_BUT_TIED = 23
    APART_BUT_MAY_OVERLAP = 24
    BAD_RESERVED = 25
    RESERVED_OFFSET = 26
    CONFLICTING_OFFSETS = 27
    NEGATIVE_COST = 28
    COST_OVERFLOW = 29
    NO_POOL = 30

    #: of validate() alone, from here on
    FAULT_NEGATIVE_OFFSET = 67
    FAULT_BELOW_BASE = 68
    FAULT_MOVED_FIXED_OFFSET = 69
    FAULT_MISALIGNED_PLACEMENT = 70
    FAULT_BEYOND_CAPACITY = 71
    FAULT_BROKEN_ALIAS = 72
    FAULT_BROKEN_GROUP = 73
    FAULT_NOT_APART = 74
    FAULT_OVERLAP = 75
    FAULT_WRONG_END = 76
    FAULT_RESERVED_BYTES = 77


class Gap(NamedTuple):
    """A time [lower, upper) in which a buffer occupies only its bytes
    [window_lower, window_upper): by default none."""

    lower: int
    upper: int
    window_lower: int = 0
    window_upper: int = 0


class Alias(NamedTuple):
    """The offset of `buffer` is that of `of`, plus `delta`."""

    buffer: int
    of: int
    delta: int = 0


class Penalty(NamedTuple):
    """What it costs if two buffers share bytes; see minimize_penalty()."""

    first: int
    second: int
    cost: int


class Reserved(NamedTuple):
    """The bytes [lower, upper) are nobody's in [begin, end), or always if both
    of these are 0."""

    lower: int
    upper: int
    begin: int = 0
    end: int = 0


@dataclass
class Buffer:
    """A block of `size` bytes, live in [lower, upper)."""

    lower: int
    upper: int
    size: int
    alignment: int = 1
    offset: Optional[int] = None  #: fixed offset
    hint: Optional[int] = None  #: preferred offset, not binding
    end: End = End.ANY
    gaps: List[Gap] = field(default_factory=list)


@dataclass
class Problem:
    """What is to be placed. Buffers are known by their index; in the place of
    an Alias, a Gap and so on, any tuple with its members will do."""

    buffers: List[Buffer] = field(default_factory=list)
    aliases: List[Alias] = field(default_factory=list)
    #: groups of buffers, each of which begins where the one before it ends
    contiguous: List[List[int]] = field(default_factory=list)
    #: pairs that share no byte, whatever their lifespans
    apart: List[Tuple[int, int]] = field(default_factory=list)
    #: pairs that may share bytes although both are live
    may_overlap: List[Tuple[int, int]] = field(default_factory=list)
    reserved: List[Reserved] = field(default_factory=list)
    penalties: List[Penalty] = field(default_factory=list)
    base: int = 0  #: no offset is lower
    alignment: int = 1  #: of every offset

    @staticmethod
    def from_arrays(lower: Iterable[int], upper: Iterable[int],
                    size: Iterable[int],
                    alignment: Optional[Iterable[int]] = None) -> "Problem":
        """A problem of one buffer for each element of lists or arrays (such as
        numpy's) of equal length."""
        columns = [list(lower), list(upper), list(size)]
        if alignment is not None:
            columns.append(list(alignment))
        if len({len(column) for column in columns}) > 1:
            raise ValueError("the arrays differ in length")
        return Problem([Buffer(*row) for row in zip(*columns)])


#: What it costs in a pool that the buffer may not be in.
NEVER = -1


@dataclass
class Pool:
    """A memory; see assign()."""

    capacity: int
    base: int = 0  #: no offset is lower
    alignment: int = 1  #: of every offset
    cost_per_byte: int = 0  #: of every buffer placed in it
    reserved: List[Reserved] = field(default_factory=list)


class Progress(NamedTuple):
    """What is known while a call runs."""

    height: int  #: of the best placement so far; -1: none
    lower_bound: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Options:
    """Limits of a call, and who watches it. A limit may be math.inf; a call
    with one that is negative or not a number raises ValueError."""

    time_limit: Optional[float] = None  #: seconds
    #: most placements tried by the search; with it a call is deterministic
    node_limit: Optional[int] = None
    seed: int = 1  #: > 0
    #: called in the caller's thread; returning False cancels the call, and so
    #: does whatever it raises
    progress: Optional[Callable[[Progress], Optional[bool]]] = None
    progress_interval: float = 0.1  #: seconds between two reports, at least
    #: bytes held beside what grows with the problem alone, about
    memory_limit: Optional[int] = None


class Stats(NamedTuple):
    """What a call did."""

    nodes: int  #: placements tried
    backtracks: int  #: of them, those that failed
    runs: int  #: searches, or solves, started
    seconds: float
    peak_bytes: int  #: most memory held at one time


@dataclass(frozen=True)
class Result:
    """A placement, if there is one, and what is proved."""

    status: Status
    stopped_by: Stop
    offsets: Optional[List[int]]  #: one a buffer; None if none is known
    moved: List[int]  #: buffers that have a hint and are elsewhere
    height: int  #: largest offset + size of the placement
    lower_bound: int  #: no placement is lower (0 from minimize_penalty())
    cost: int  #: of the penalties paid: minimize_penalty() alone
    cost_bound: int  #: no placement costs less: likewise
    stats: Stats


@dataclass(frozen=True)
class Step:
    """What adding a buffer to a Planner has come to."""

    status: Status  #: FEASIBLE: it is there now
    stopped_by: Stop
    offset: Optional[int]  #: of the new buffer; None if it is not there
    moved: List[int]  #: those that were elsewhere before
    height: int  #: largest offset + size of all
    stats: Stats


@dataclass(frozen=True)
class Explanation:
    """Buffers that do not fit, if the status is INFEASIBLE."""

    status: Status
    stopped_by: Stop
    buffers: List[int]  #: their indices, ascending
    proved: bool  #: without any one of them the others are known to fit
    cause: Cause
    moment: int  #: for Cause.LOAD: when they need too many bytes
    stats: Stats


@dataclass(frozen=True)
class Spills:
    """Buffers to be moved elsewhere, and a placement of the others."""

    stopped_by: Stop
    buffers: List[int]  #: to be spilled, ascending
    offsets: List[Optional[int]]  #: None for those
    cost: int  #: of those
    cost_bound: int  #: nothing that lets the rest fit costs less
    proved: bool  #: nothing is cheaper
    stats: Stats


@dataclass(frozen=True)
class Assignment:
    """A pool and an offset for each buffer, if they are known."""

    status: Status
    stopped_by: Stop
    pools: Optional[List[int]]  #: one a buffer; None if none is known
    offsets: Optional[List[int]]  #: in its pool; likewise
    cost: int  #: of all buffers where they are
    cost_bound: int  #: nothing costs less
    stats: Stats


@dataclass(frozen=True)
class Certificate:
    """A proof that buffers do not fit, if the status is INFEASIBLE. UNKNOWN
    with Stop.NONE: what keeps them from fitting cannot be certified."""

    status: Status
    stopped_by: Stop
    text: str  #: empty without a proof
    stats: Stats


@dataclass(frozen=True)
class Validation:
    """The verdict on a placement. It is true if nothing is wrong."""

    message: str  #: what is wrong, or ""
    buffer: Optional[int]  #: with which buffer, if with one
    other: Optional[int]  #: and with which other one
    height: int  #: of a valid placement
    error: Error  #: what is wrong, as one of FAULT_..., or NONE

    def __bool__(self) -> bool:
        return not self.message


class InvalidProblem(ValueError):
    """The problem, what goes with it, or a text that should be one, is not well
    formed: `error` says why. The indices are None where nothing is to blame."""

    def __init__(self, message: str, buffer: Optional[int] = None,
                 other: Optional[int] = None, error: Error = Error.NONE,
                 pool: Optional[int] = None) -> None:
        super().__init__(message)
        self.buffer = buffer
        self.other = other
        self.error = error
        self.pool = pool  #: for assign(): where something is wrong


def flatten(rows: Iterable[Sequence[int]]) -> List[int]:
    return [value for row in rows for value in row]
