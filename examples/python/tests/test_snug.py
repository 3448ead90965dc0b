# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module against values worked out by hand. Needs the library only."""

import copy
import ctypes
import math
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

import snug
from snug import (Alias, Buffer, End, Error, Gap, Options, Penalty, Pool,
                  Problem, Reserved)

DATA = Path(__file__).resolve().parents[3] / "benchmarks" / "data"

FIVE = Problem([Buffer(0, 3, 4), Buffer(3, 9, 4), Buffer(0, 9, 4),
                Buffer(9, 21, 4), Buffer(0, 21, 4)])


def two(**members):
    """Two of 4 bytes, live together."""
    return Problem([Buffer(0, 2, 4), Buffer(1, 3, 4)], **members)


def in_turn(**members):
    """Two of 4 bytes, one after the other."""
    return Problem([Buffer(0, 2, 4), Buffer(5, 7, 4)], **members)


def many():
    """Too large to be minimised in a test."""
    return Problem([Buffer(i, i + 2 + i * i * 7 % 97, 1000 + i * i * 13 % 9973)
                    for i in range(1500)])


class Placements(unittest.TestCase):
    def expect(self, problem, capacity, offsets):
        """There is one placement within capacity, and none with a byte less."""
        result = snug.solve(problem, capacity)
        self.assertEqual(result.offsets, offsets)
        self.assertTrue(snug.validate(problem, capacity, offsets))
        self.assertEqual(snug.solve(problem, capacity - 1).status,
                         snug.Status.INFEASIBLE)

    def test_solve_and_minimize(self):
        result = snug.solve(FIVE, 12)
        self.assertEqual(result.status, snug.Status.OPTIMAL)
        self.assertEqual(result.stopped_by, snug.Stop.NONE)
        self.assertEqual((result.height, result.lower_bound), (12, 12))
        self.assertTrue(snug.validate(FIVE, 12, result.offsets))
        self.assertIsInstance(result.offsets, list)
        none = snug.solve(FIVE, 11)
        self.assertEqual(none.status, snug.Status.INFEASIBLE)
        self.assertIsNone(none.offsets)
        self.assertEqual(none.lower_bound, 12)
        self.assertEqual(snug.minimize(FIVE).height, 12)
        self.assertEqual(snug.minimize_within(FIVE, 12).height, 12)
        self.assertEqual(snug.minimize_within(FIVE, 11).status,
                         snug.Status.INFEASIBLE)
        self.assertEqual(snug.minimize(Problem()).offsets, [])

    def test_buffers(self):
        problem = two()
        problem.buffers[0].offset = 4
        self.expect(problem, 8, [4, 0])
        problem = two()
        problem.buffers[1].hint = 0
        self.expect(problem, 8, [4, 0])
        problem = two()
        problem.buffers[0].end = End.TOP
        problem.buffers[1].end = End.BOTTOM
        self.expect(problem, 8, [4, 0])
        problem = two()
        problem.buffers[0].offset = 0
        problem.buffers[1].alignment = 8
        self.expect(problem, 12, [0, 8])
        problem.alignment = 16
        self.expect(problem, 20, [0, 16])
        problem = Problem([Buffer(0, 1, 4)], base=16)
        self.expect(problem, 20, [16])

    def test_moved(self):
        problem = two()
        self.assertEqual(snug.solve(problem, 8).moved, [])
        problem.buffers[0].hint = problem.buffers[1].hint = 0
        result = snug.solve(problem, 8)
        self.assertEqual(result.moved, [result.offsets.index(4)])
        self.assertEqual(snug.solve(problem, 7).moved, [])

    def test_gaps(self):
        problem = Problem([Buffer(0, 10, 4, gaps=[Gap(2, 6)]), Buffer(2, 6, 2)])
        self.expect(problem, 4, [0, 0])
        problem.buffers[0].gaps = [(2, 6, 0, 2)]  # its lower half stays
        self.expect(problem, 4, [0, 2])

    def test_relations(self):
        self.expect(Problem([Buffer(0, 2, 8), Buffer(1, 3, 4)],
                            aliases=[Alias(1, 0, 4)]), 8, [0, 4])
        self.expect(two(contiguous=[[1, 0]]), 8, [4, 0])
        self.expect(two(may_overlap=[(0, 1)]), 4, [0, 0])
        self.assertEqual(snug.minimize(in_turn()).height, 4)
        self.assertEqual(snug.minimize(in_turn(apart=[(0, 1)])).height, 8)
        self.expect(in_turn(reserved=[Reserved(0, 4)]), 8, [4, 4])
        self.expect(in_turn(reserved=[(0, 4, 6, 8)], aliases=[(1, 0, 4)]), 8,
                    [0, 4])

    def test_penalties(self):
        problem = in_turn(penalties=[Penalty(0, 1, 7)])
        result = snug.minimize_penalty(problem, 7)
        self.assertEqual((result.status, result.cost, result.cost_bound),
                         (snug.Status.OPTIMAL, 7, 7))
        self.assertEqual(snug.minimize_penalty(problem, 8).cost, 0)

    def test_explain(self):
        why = snug.explain(FIVE, 11)
        self.assertEqual(why.status, snug.Status.INFEASIBLE)
        self.assertEqual(why.cause, snug.Cause.LOAD)
        self.assertTrue(why.proved)
        self.assertIn((why.moment < 3, why.buffers),
                      [(True, [0, 2, 4]), (False, [1, 2, 4])])
        why = snug.explain(in_turn(apart=[(0, 1)]), 7)
        self.assertEqual((why.cause, why.buffers), (snug.Cause.SEARCH, [0, 1]))
        self.assertEqual(snug.explain(FIVE, 12).buffers, [])

    def test_spills(self):
        spills = snug.suggest_spills(FIVE, 8, [1, 1, 9, 9, 9])
        self.assertEqual((spills.buffers, spills.cost, spills.cost_bound),
                         ([0, 1], 2, 2))
        self.assertTrue(spills.proved)
        self.assertEqual(spills.offsets[:2], [None, None])
        self.assertNotIn(None, spills.offsets[2:])
        self.assertEqual(snug.suggest_spills(FIVE, 8).cost, 4)
        with self.assertRaisesRegex(snug.InvalidProblem, "buffer 1: cost"):
            snug.suggest_spills(FIVE, 8, [1, -1, 9, 9, 9])
        with self.assertRaisesRegex(ValueError, "costs: 1 for 5 buffers"):
            snug.suggest_spills(FIVE, 8, [1])

    def test_assign(self):
        pools = [Pool(8), Pool(100, cost_per_byte=2)]
        found = snug.assign(FIVE, pools)
        self.assertEqual((found.status, found.stopped_by),
                         (snug.Status.OPTIMAL, snug.Stop.NONE))
        self.assertEqual((found.cost, found.cost_bound), (8, 8))
        self.assertIn(found.pools, [[0, 0, 1, 0, 0], [0, 0, 0, 0, 1]])
        self.expect_assigned(FIVE, pools, found)
        costs = [[0, 1], [0, 2], [snug.NEVER, 5], [0, 0], [0, snug.NEVER]]
        found = snug.assign(FIVE, pools, costs, Options(time_limit=60))
        self.assertEqual((found.cost, found.pools), (13, [0, 0, 1, 0, 0]))
        self.expect_assigned(FIVE, pools, found)
        none = snug.assign(FIVE, pools[:1])
        self.assertEqual(none.status, snug.Status.INFEASIBLE)
        self.assertIsNone(none.pools)
        self.assertIsNone(none.offsets)
        self.assertEqual(snug.assign(Problem(), []).pools, [])

    def expect_assigned(self, problem, pools, found):
        """Each pool by itself is a placement."""
        for p, pool in enumerate(pools):
            own = [i for i, its in enumerate(found.pools) if its == p]
            part = Problem([problem.buffers[i] for i in own], base=pool.base,
                           alignment=pool.alignment, reserved=pool.reserved)
            self.assertTrue(snug.validate(part, pool.capacity,
                                          [found.offsets[i] for i in own]))

    def test_pools(self):
        problem = Problem([Buffer(0, 2, 4), Buffer(0, 2, 4)], base=1000)
        pools = [Pool(20, base=4, alignment=8, reserved=[(8, 9, 1, 2)]),
                 Pool(12, cost_per_byte=3,
                      reserved=[Reserved(0, 4), Reserved(5, 8, 1, 3)])]
        costs = [[0, snug.NEVER], [snug.NEVER, 0]]
        found = snug.assign(problem, pools, costs)
        self.assertEqual((found.pools, found.offsets, found.cost),
                         ([0, 1], [16, 8], 12))
        for wrong in ([[0, 0]], [[0], [0, 0]], [[], []]):
            with self.assertRaisesRegex(ValueError,
                                        "costs: not 2 for each of 2 buffers"):
                snug.assign(problem, pools, wrong)
        pools[1].reserved[1] = (5, 5)
        with self.assertRaisesRegex(snug.InvalidProblem,
                                    "pool 1: reserved range 2: ") as caught:
            snug.assign(problem, pools, costs)
        self.assertEqual(caught.exception.error, Error.BAD_RESERVED)
        self.assertEqual(caught.exception.pool, 1)
        with self.assertRaisesRegex(snug.InvalidProblem, "no pool") as caught:
            snug.assign(problem, [])
        self.assertEqual(caught.exception.error, Error.NO_POOL)
        self.assertIsNone(caught.exception.pool)

    def test_certify(self):
        text = "snug certificate 1\ncapacity 11\nstack 0 2 4\n"
        proof = snug.certify(FIVE, 11)
        self.assertEqual((proof.status, proof.text),
                         (snug.Status.INFEASIBLE, text))
        # With too little room at first, and with just enough.
        for size in (1, len(text) - 1, len(text)):
            with unittest.mock.patch("snug._PROOF_BYTES", size):
                self.assertEqual(snug.certify(FIVE, 11).text, text)
        fits = snug.certify(FIVE, 12)
        self.assertEqual((fits.status, fits.text), (snug.Status.FEASIBLE, ""))
        unknown = snug.certify(two(aliases=[(1, 0)]), 4)
        self.assertEqual((unknown.status, unknown.stopped_by, unknown.text),
                         (snug.Status.UNKNOWN, snug.Stop.NONE, ""))
        stopped = snug.certify(FIVE, 12, Options(node_limit=0))
        self.assertEqual(stopped.stopped_by, snug.Stop.NODE_LIMIT)

    def test_arrays(self):
        lower = (ctypes.c_int64 * 2)(0, 1)  # any iterable of integers
        problem = Problem.from_arrays(lower, [2, 3], (4, 4), [1, 1])
        self.assertEqual(problem, two())
        with self.assertRaisesRegex(ValueError, "differ in length"):
            Problem.from_arrays([0], [1], [])
        try:
            import numpy
        except ImportError:
            return
        column = numpy.array([4, 4], dtype=numpy.int32)
        problem = Problem.from_arrays(numpy.arange(2), column, column)
        self.assertEqual(snug.minimize(problem).height, 8)
        self.assertTrue(snug.validate(problem, 8, numpy.array([4, 0])))
        self.assertEqual(snug.suggest_spills(problem, 4, column).cost, 4)


class Planners(unittest.TestCase):
    def test_steps(self):
        planner = snug.Planner(12, Problem([Buffer(0, 9, 3), Buffer(0, 9, 3)]),
                               [2, 7])
        step = planner.add(Buffer(0, 9, 2))
        self.assertEqual(step.status, snug.Status.FEASIBLE)
        self.assertEqual((step.offset, step.moved, step.height), (0, [], 10))
        planner.fix(0)
        planner.fix(1)
        step = planner.add(Buffer(0, 9, 4))
        self.assertEqual(step.status, snug.Status.INFEASIBLE)
        self.assertEqual((step.offset, step.moved), (None, []))
        self.assertEqual(planner.offsets, [2, 7, 0])
        planner.unfix(1)
        step = planner.add(Buffer(0, 9, 4))
        self.assertEqual(step.moved, [1])
        self.assertEqual(planner.offsets[0], 2)
        self.assertEqual(step.offset, planner.offsets[3])
        planner.remove(0)
        planner.remove(2)
        self.assertEqual(planner.add(Buffer(0, 9, 5)).status,
                         snug.Status.FEASIBLE)
        self.assertEqual(len(planner.offsets), 5)

    def test_from_nothing(self):
        planner = snug.Planner(8)
        self.assertEqual(planner.offsets, [])
        self.assertEqual(planner.add(Buffer(0, 2, 4, hint=4)).offset, 4)
        gaps = [Gap(3, 4), Gap(20, 30)]
        with self.assertRaises(snug.InvalidProblem) as caught:
            planner.add(Buffer(2, 9, 4, gaps=gaps))
        self.assertEqual(caught.exception.buffer, 1)
        self.assertEqual(planner.offsets, [4])

    def test_refused(self):
        with self.assertRaises(snug.InvalidProblem):
            snug.Planner(8, two(), [0, 2])
        with self.assertRaises(ValueError):
            snug.Planner(8, two(), [0])
        planner = snug.Planner(8, in_turn(contiguous=[[0, 1]]), [0, 4])
        with self.assertRaises(ValueError):
            planner.remove(0)
        for change in (planner.fix, planner.unfix, planner.remove):
            with self.assertRaises(IndexError):
                change(2)
            with self.assertRaises(IndexError):
                change(-1)

    def test_interrupted_too_late(self):
        planner = snug.Planner(8)
        call = snug._call

        def late(*arguments):
            call(*arguments)
            raise KeyboardInterrupt

        with unittest.mock.patch("snug._call", late):
            with self.assertRaises(KeyboardInterrupt):
                planner.add(Buffer(0, 2, 4))
        self.assertEqual(planner.offsets, [0])


class Errors(unittest.TestCase):
    def test_invalid_problems(self):
        problem = two()
        problem.buffers[1].upper = 1
        for call in (snug.check, snug.minimize,
                     lambda problem: snug.solve(problem, 8),
                     lambda problem: snug.minimize_within(problem, 8),
                     lambda problem: snug.minimize_penalty(problem, 8),
                     lambda problem: snug.explain(problem, 8),
                     lambda problem: snug.suggest_spills(problem, 8),
                     lambda problem: snug.assign(problem, [Pool(8)]),
                     lambda problem: snug.certify(problem, 8),
                     lambda problem: snug.validate(problem, 8, [0, 0])):
            with self.assertRaises(snug.InvalidProblem) as caught:
                call(problem)
            self.assertEqual(
                str(caught.exception),
                "buffer 1: lifespan is empty: lower must be below upper")
            self.assertEqual(caught.exception.buffer, 1)
            self.assertIsNone(caught.exception.other)
            self.assertEqual(caught.exception.error, Error.EMPTY_LIFESPAN)
        with self.assertRaisesRegex(snug.InvalidProblem, "capacity is nega"):
            snug.solve(two(), -1)
        with self.assertRaisesRegex(snug.InvalidProblem, "gap 0: buffer 1: "):
            snug.check(Problem([Buffer(0, 1, 1),
                                Buffer(0, 1, 1, gaps=[Gap(0, 2)])]))

    def test_wrong_types(self):
        with self.assertRaises(TypeError):
            snug.minimize(Problem([Buffer(0, 1, 4.0)]))
        with self.assertRaises(OverflowError):
            snug.minimize(Problem([Buffer(0, 1, 2**63)]))
        with self.assertRaises(TypeError):
            snug.minimize(two(aliases=[(1,)]))
        with self.assertRaises(ValueError):
            snug.minimize(Problem([Buffer(0, 1, 4, end=3)]))
        for call in (snug.solve, snug.minimize_within, snug.minimize_penalty,
                     snug.explain, snug.suggest_spills, snug.certify):
            for wrong in ("8", 8.0):
                with self.assertRaises(TypeError):
                    call(two(), wrong)

    def test_integers_beyond_64_bits(self):
        planner = snug.Planner(2**63 - 1)
        planner.add(Buffer(0, 2, 4))
        for beyond in (2**63, 2**64, 2**64 + 8, -2**63 - 1):
            for call in (snug.solve, snug.minimize_within,
                         snug.minimize_penalty, snug.explain,
                         snug.suggest_spills, snug.certify):
                with self.assertRaises(OverflowError):
                    call(two(), beyond)
            for call in (lambda: snug.validate(two(), beyond, [0, 4]),
                         lambda: snug.check(two(base=beyond)),
                         lambda: snug.minimize(two(alignment=beyond)),
                         lambda: snug.minimize(two(reserved=[(0, beyond)])),
                         lambda: snug.assign(two(), [Pool(beyond)]),
                         lambda: snug.Planner(beyond),
                         lambda: planner.fix(beyond),
                         lambda: planner.unfix(beyond),
                         lambda: planner.remove(beyond)):
                with self.assertRaises(OverflowError):
                    call()
        for seed in (-1, 2**64):
            with self.assertRaises(OverflowError):
                snug.minimize(two(), Options(seed=seed))
        self.assertEqual(planner.offsets, [0])
        self.assertEqual(snug.solve(two(), 2**63 - 1).height, 8)

    def test_validate(self):
        verdict = snug.validate(two(), 8, [0, 4])
        self.assertTrue(verdict)
        self.assertEqual((verdict.message, verdict.height), ("", 8))
        self.assertEqual(verdict.error, Error.NONE)
        verdict = snug.validate(two(), 8, [0, 3])
        self.assertFalse(verdict)
        self.assertEqual(verdict.message,
                         "buffer 0: two buffers overlap (buffer 1)")
        self.assertEqual((verdict.buffer, verdict.other), (0, 1))
        self.assertEqual(verdict.error, Error.FAULT_OVERLAP)
        with self.assertRaisesRegex(ValueError, "offsets: 1 for 2 buffers"):
            snug.validate(two(), 8, [0])


class Limits(unittest.TestCase):
    def test_limits(self):
        problem = many()
        result = snug.minimize(problem, Options(node_limit=500))
        self.assertEqual(result.status, snug.Status.FEASIBLE)
        self.assertEqual(result.stopped_by, snug.Stop.NODE_LIMIT)
        self.assertEqual(result.stats.nodes, 500)
        self.assertTrue(snug.validate(problem, result.height, result.offsets))
        again = snug.minimize(problem, Options(node_limit=500))
        self.assertEqual(again.offsets, result.offsets)
        result = snug.minimize(problem, Options(node_limit=0))
        self.assertEqual(result.stats.nodes, 0)
        small = snug.minimize(problem, Options(node_limit=500, memory_limit=1))
        self.assertTrue(snug.validate(problem, small.height, small.offsets))
        self.assertLess(small.stats.peak_bytes, again.stats.peak_bytes)
        for limit in (0.02, 0):
            result = snug.minimize(problem, Options(time_limit=limit))
            self.assertEqual(result.stopped_by, snug.Stop.TIME_LIMIT)

    def test_limits_beyond_64_bits(self):
        # The search that these must not keep from running.
        problem = Problem([Buffer(0, 2, 3), Buffer(1, 4, 3), Buffer(3, 6, 4),
                           Buffer(5, 8, 3), Buffer(0, 1, 4), Buffer(2, 3, 4),
                           Buffer(4, 5, 3), Buffer(6, 8, 4)], aliases=[(7, 4)])
        wanted = snug.minimize(problem)
        self.assertGreater(wanted.stats.nodes, 0)
        for limits in ({"time_limit": 1e10}, {"time_limit": math.inf},
                       {"time_limit": 2**70}, {"node_limit": 2**63},
                       {"node_limit": 2**64}, {"node_limit": math.inf},
                       {"memory_limit": 2**64}, {"memory_limit": math.inf},
                       {"seed": 2**64 - 1}):
            found = snug.minimize(problem, Options(**limits))
            self.assertEqual((found.status, found.height, found.stopped_by),
                             (wanted.status, wanted.height, snug.Stop.NONE))
        for name in ("time_limit", "node_limit", "memory_limit",
                     "progress_interval"):
            with self.assertRaisesRegex(ValueError, "not a number"):
                snug.minimize(problem, Options(**{name: math.nan}))
            with self.assertRaisesRegex(ValueError, "a limit is negative"):
                snug.minimize(problem, Options(**{name: -1}))
        # Less than a nanosecond is still a limit.
        stopped = snug.minimize(many(), Options(time_limit=1e-12))
        self.assertEqual(stopped.stopped_by, snug.Stop.TIME_LIMIT)

    def test_progress(self):
        reports = []

        def watch(progress):
            self.assertIs(threading.current_thread(), threading.main_thread())
            reports.append(progress)
            return len(reports) < 3

        result = snug.minimize(many(), Options(progress=watch,
                                               progress_interval=0))
        self.assertEqual(result.stopped_by, snug.Stop.CANCELLED)
        self.assertEqual(result.status, snug.Status.FEASIBLE)
        self.assertEqual(len(reports), 3)
        self.assertGreaterEqual(reports[2].height, reports[2].lower_bound)

    def test_progress_raises(self):
        def fail(progress):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            snug.minimize(many(), Options(progress=fail, progress_interval=0))

    @unittest.skipIf(sys.platform == "win32", "no signals")
    def test_interrupt(self):
        interrupted = []

        def interrupt():
            interrupted.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.2, interrupt)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            snug.minimize(many(), Options(time_limit=60))
        self.assertLess(time.monotonic() - interrupted[0], 10)
        # Nothing of it is left running.
        timer.join()
        self.assertEqual(threading.active_count(), 1)


class Library(unittest.TestCase):
    def test_version(self):
        config = DATA.parents[1] / "include" / "snug" / "config.hpp"
        numbers = re.findall(r"define SNUG_VERSION_\w+ (\d+)",
                             config.read_text(encoding="utf-8"))
        self.assertEqual(snug.__version__, ".".join(numbers))


    def test_errors(self):
        header = DATA.parents[1] / "include" / "snug" / "c_error.h"
        numbers = re.findall(r"SNUG_(?:ERROR_)?((?:FAULT_)?\w+) = (\d+),",
                             header.read_text(encoding="utf-8"))
        self.assertEqual({name: int(number) for name, number in numbers
                          if not name.startswith("ENTRY_")},
                         {error.name: error.value for error in Error})


class Changes(unittest.TestCase):
    """Lists that change while they are read: a call goes by what they were."""

    class Reading:
        """Zero, whose reading does something."""

        def __init__(self, does):
            self.does = does

        def __index__(self):
            self.does()
            return 0

    def changing(self, does, **members):
        """in_turn(), which does(problem) once the first buffer is read."""
        problem = in_turn(**members)
        problem.buffers[0].lower = self.Reading(lambda: does(problem))
        return problem

    def test_buffers(self):
        def shrink(problem):
            del problem.buffers[1:]

        def grow(problem):
            problem.buffers.extend([Buffer(0, 9, 4)] * 1000)

        for change in (shrink, grow):
            with self.subTest(change.__name__):
                def problem():
                    return self.changing(change)

                self.assertEqual(snug.minimize(problem()).offsets, [0, 0])
                self.assertEqual(snug.solve(problem(), 4).offsets, [0, 0])
                self.assertEqual(snug.explain(problem(), 3).buffers, [0])
                self.assertEqual(snug.suggest_spills(problem(), 3).buffers,
                                 [0, 1])
                self.assertEqual(snug.assign(problem(), [Pool(4)]).offsets,
                                 [0, 0])
                self.assertTrue(snug.validate(problem(), 4, [0, 0]))
                self.assertEqual(snug.Planner(4, problem(), [0, 0]).offsets,
                                 [0, 0])
                with self.assertRaises(ValueError):
                    snug.validate(problem(), 4, [0])

    def test_relations(self):
        for name, row in (("aliases", Alias(1, 0)), ("apart", (0, 1)),
                          ("may_overlap", (0, 1)), ("contiguous", [0, 1]),
                          ("penalties", Penalty(0, 1, 5)),
                          ("reserved", Reserved(0, 4))):
            with self.subTest(name):
                before = snug.minimize(in_turn(**{name: [row]}))
                problem = self.changing(
                    lambda problem: getattr(problem, name).clear(),
                    **{name: [row]})
                self.assertEqual(snug.minimize(problem).offsets,
                                 before.offsets)
                self.assertEqual(getattr(problem, name), [])
        problem = self.changing(
            lambda problem: problem.contiguous[0].clear(),
            contiguous=[[0, 1]])
        self.assertEqual(snug.minimize(problem).offsets, [0, 4])

    def test_pools(self):
        pools = [Pool(4, cost_per_byte=1), Pool(4)]
        pools[0].base = self.Reading(lambda: pools.__delitem__(1))
        self.assertEqual(snug.assign(two(), pools).cost, 4)
        self.assertEqual(len(pools), 1)

    def test_table(self):
        table = snug.read_csv(DATA / "running_example.csv")
        table.problem.buffers.clear()
        with self.assertRaises(ValueError):
            table.to_csv([])
        self.assertEqual(table.to_csv([0] * 5).count("\n"), 6)

    def test_no_length(self):
        with self.assertRaises(TypeError):
            snug.minimize(Problem(iter([Buffer(0, 1, 4)])))


class Copies(unittest.TestCase):
    def test_refused(self):
        """A copy would outlive what the library has freed with the first."""
        for owner in (snug.Planner(8), snug.parse_csv("id,lower,upper,size\n")):
            for make in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "copy or pickle a " +
                                            type(owner).__name__):
                    make(owner)
        self.assertEqual(copy.deepcopy(FIVE), FIVE)


class Tables(unittest.TestCase):
    TEXT = ("id,lower,upper,size,alignment,hint,gaps,alias,follows,apart,"
            "may_overlap,penalty,memory_end,offset\n"
            "a,0,9,8,4,-1,2-4 5-7@1:3,,,b,,,bottom,-1\n"
            "b,-2,9,4,1,16,,,,,'c d',,,-1\n"
            "c d,0,9,4,1,-1,,a-4,,,,b*5,,-1\n"
            "é,0,9,4,1,-1,,,a,,,,top,12\n")

    def test_all_columns(self):
        table = snug.parse_csv(self.TEXT)
        self.assertEqual(table.ids, ["a", "b", "c d", "é"])
        self.assertEqual(table.problem, Problem(
            buffers=[Buffer(0, 9, 8, 4, end=End.BOTTOM,
                            gaps=[Gap(2, 4), Gap(5, 7, 1, 3)]),
                     Buffer(-2, 9, 4, hint=16),
                     Buffer(0, 9, 4),
                     Buffer(0, 9, 4, offset=12, end=End.TOP)],
            aliases=[Alias(2, 0, -4)], contiguous=[[0, 3]], apart=[(0, 1)],
            may_overlap=[(1, 2)], penalties=[Penalty(2, 1, 5)]))
        self.assertEqual(table.to_csv(), self.TEXT)
        planned = table.to_csv([4, 16, 0, 12]).splitlines()
        self.assertEqual([line.rpartition(",")[2] for line in planned],
                         ["offset", "4", "16", "0", "12"])
        with self.assertRaises(ValueError):
            table.to_csv([1])

    def test_round_trip(self):
        table = snug.read_csv(DATA / "whole_model.csv")
        result = snug.minimize(table.problem)
        self.assertEqual(result.status, snug.Status.OPTIMAL)
        planned = snug.parse_csv(table.to_csv(result.offsets))
        self.assertEqual([buffer.offset for buffer in planned.problem.buffers],
                         result.offsets)
        self.assertTrue(snug.validate(planned.problem, result.height,
                                      result.offsets))

    def test_notes(self):
        self.assertEqual(snug.parse_csv(self.TEXT).notes, [])
        # Ids that are no UTF-8 are still two, and can be read again.
        table = snug.parse_csv(b"id,lower,upper,size\n\xe4,0,1,2\n\xe5,0,1,2\n")
        self.assertEqual(table.ids, ["\\xe4", "\\xe5"])
        self.assertEqual(snug.parse_csv(table.to_csv()).ids, table.ids)
        table = snug.parse_csv("id,lower,upper,size,color,pools,pool,é\n"
                               "a,0,9,4,red,,,\nb,0,9,4,,sram,dram,\n")
        self.assertEqual(table.notes, [
            "1:21: column 'color' is not known and ignored",
            "1:38: column 'é' is not known and ignored",
            "3:10: column 'pools' is ignored: the problem has one memory",
            "3:15: column 'pool' is ignored: the problem has one memory"])

    def test_errors(self):
        with self.assertRaisesRegex(snug.InvalidProblem,
                                    "^2:5: upper: not an integer: 'x'$"):
            snug.parse_csv(b"id,lower,upper,size\na,0,x,4\n")
        for read in (snug.parse_csv, snug.Table):
            for wrong in ([], {}, 7, None):
                with self.assertRaisesRegex(TypeError, "^text: not bytes but "):
                    read(wrong)
        with self.assertRaises(FileNotFoundError):
            snug.read_csv(DATA / "no such file.csv")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "bad.csv")
            path.write_text("id,lower,upper,size\na,0,x,4\n")
            with self.assertRaises(snug.InvalidProblem) as raised:
                snug.read_csv(path)
            self.assertEqual(str(raised.exception),
                             f"{path}:2:5: upper: not an integer: 'x'")

    def test_script(self):
        script = Path(__file__).resolve().parents[1] / "plan_csv.py"
        done = subprocess.run(
            [sys.executable, str(script), str(DATA / "running_example.csv")],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        self.assertEqual(done.stderr.split(), [b"OPTIMAL,", b"height", b"12"])
        planned = snug.parse_csv(done.stdout).problem
        self.assertTrue(snug.validate(
            planned, 12, [buffer.offset for buffer in planned.buffers]))


if __name__ == "__main__":
    unittest.main()
