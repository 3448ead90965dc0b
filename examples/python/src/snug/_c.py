# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C interface of snug: snug/c_api.h, which explains it, in ctypes.

The library is the one that the environment variable SNUG_LIBRARY names, else
that beside this file, else libsnug_c where the system looks for libraries.
"""

import ctypes
import ctypes.util
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double,
                    c_int, c_int32, c_int64, c_size_t, c_ubyte, c_uint64,
                    c_void_p)
from pathlib import Path

# The element structs of arrays are made of 64-bit integers: rows of a table.
INT64S = POINTER(c_int64)


class Problem(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("buffer_count", c_int64),
        ("lower", INT64S),
        ("upper", INT64S),
        ("size", INT64S),
        ("alignment", INT64S),
        ("offset", INT64S),
        ("hint", INT64S),
        ("end", POINTER(c_ubyte)),
        ("gap_count", c_int64),
        ("gaps", INT64S),
        ("alias_count", c_int64),
        ("aliases", INT64S),
        ("group_count", c_int64),
        ("group_sizes", INT64S),
        ("group_members", INT64S),
        ("apart_count", c_int64),
        ("apart", INT64S),
        ("may_overlap_count", c_int64),
        ("may_overlap", INT64S),
        ("reserved_count", c_int64),
        ("reserved", INT64S),
        ("penalty_count", c_int64),
        ("penalties", INT64S),
        ("base", c_int64),
        ("heap_alignment", c_int64),
    ]


class Pools(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("pool_count", c_int64),
        ("pools", INT64S),
        ("reserved_count", c_int64),
        ("reserved", INT64S),
        ("costs", INT64S),
    ]


class Flag(Structure):
    _fields_ = [("raised", c_ubyte)]


class Progress(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("height", c_int64),
        ("lower_bound", c_int64),
        ("nodes", c_int64),
        ("seconds", c_double),
    ]


ProgressFunction = CFUNCTYPE(c_int, POINTER(Progress), c_void_p)


class Options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("time_limit_ns", c_int64),
        ("node_limit", c_int64),
        ("seed", c_uint64),
        ("cancel", POINTER(Flag)),
        ("progress", ProgressFunction),
        ("progress_data", c_void_p),
        ("progress_interval_ns", c_int64),
        ("memory_limit", c_uint64),
    ]


class Result(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("status", c_int32),
        ("stopped_by", c_int32),
        ("height", c_int64),
        ("lower_bound", c_int64),
        ("cost", c_int64),
        ("cost_bound", c_int64),
        ("buffer_count", c_int64),
        ("proved", c_int32),
        ("cause", c_int32),
        ("moment", c_int64),
        ("nodes", c_int64),
        ("backtracks", c_int64),
        ("runs", c_int64),
        ("seconds", c_double),
        ("peak_bytes", c_int64),
        ("strategy", c_char * 8),
        ("buffer", c_int64),
        ("other", c_int64),
        ("entry", c_int64),
        ("message", c_char * 256),
        ("error", c_int32),
        ("entry_kind", c_int32),
        ("pool", c_int64),
        ("text_length", c_int64),
    ]


def _find() -> str:
    given = os.environ.get("SNUG_LIBRARY")
    if given:
        return given
    for beside in sorted(Path(__file__).parent.glob("libsnug_c.*")):
        return str(beside)
    system = ctypes.util.find_library("snug_c")
    if system is None:
        raise ImportError("no library snug_c: install this package with pip, "
                          "or set SNUG_LIBRARY")
    return system


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(_find())
    problem = POINTER(Problem)
    options = POINTER(Options)
    result = POINTER(Result)
    declarations = {
        "version": (c_int, []),
        "cancel": (None, [POINTER(Flag)]),
        "check": (c_int, [problem, result]),
        "validate": (c_int, [problem, c_int64, INT64S, result]),
        "solve": (c_int, [problem, c_int64, options, INT64S, result]),
        "minimize": (c_int, [problem, options, INT64S, result]),
        "minimize_within": (c_int, [problem, c_int64, options, INT64S, result]),
        "minimize_penalty": (c_int, [problem, c_int64, options, INT64S,
                                     result]),
        "explain": (c_int, [problem, c_int64, options, INT64S, result]),
        "suggest_spills": (c_int, [problem, c_int64, INT64S, options, INT64S,
                                   result]),
        "assign": (c_int, [problem, POINTER(Pools), options, INT64S, INT64S,
                           result]),
        "certify": (c_int, [problem, c_int64, options, c_char_p, c_size_t,
                            result]),
        "make_planner": (c_int, [problem, c_int64, INT64S, POINTER(c_void_p),
                                 result]),
        "planner_count": (c_int64, [c_void_p]),
        "planner_add": (c_int, [c_void_p, problem, options, INT64S, INT64S,
                                result]),
        "planner_fix": (c_int, [c_void_p, c_int64]),
        "planner_unfix": (c_int, [c_void_p, c_int64]),
        "planner_remove": (c_int, [c_void_p, c_int64]),
        "free_planner": (None, [c_void_p]),
        "read_csv": (c_int, [c_char_p, c_size_t, POINTER(c_void_p), result]),
        "csv_problem": (problem, [c_void_p]),
        "csv_id": (c_char_p, [c_void_p, c_int64]),
        "csv_note": (c_char_p, [c_void_p, c_int64]),
        "write_csv": (c_int, [c_void_p, INT64S, c_char_p, c_size_t,
                              POINTER(c_size_t)]),
        "free_csv": (None, [c_void_p]),
    }
    for name, (result_type, arguments) in declarations.items():
        function = getattr(library, "snug_" + name)
        function.restype = result_type
        function.argtypes = arguments
    return library


LIBRARY = _load()
