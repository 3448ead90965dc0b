# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The planner for ExecuTorch with stand-ins for what it uses of it, as they are
in exir/memory_planning.py and exir/tensor.py."""

import dataclasses
import functools
import sys
import types
import unittest
import unittest.mock
from dataclasses import dataclass


@dataclass
class SpecAllocResult:
    mem_id: int
    mem_obj_id: int
    mem_offset: int


@dataclass
class MemoryAlgoResult:
    spec_dict: dict
    bufsizes: list


class TensorSpec:
    def __init__(self, nbytes, first, last, mem_id=None):
        self.nbytes = nbytes
        self.lifetime = [first, last]  # both included
        self.mem_id = mem_id
        self.alignment = 1

    def realign(self, alignment):
        self.alignment = alignment
        return self.allocated_memory

    @property
    def allocated_memory(self):
        return -(-self.nbytes // self.alignment) * self.alignment


planning = types.ModuleType("executorch.exir.memory_planning")
planning.MemoryAlgoResult = MemoryAlgoResult
planning.SpecAllocResult = SpecAllocResult
sys.modules.setdefault("executorch", types.ModuleType("executorch"))
sys.modules.setdefault("executorch.exir", types.ModuleType("executorch.exir"))
sys.modules.setdefault(planning.__name__, planning)

import snug  # noqa: E402
from snug.executorch import snug_planner  # noqa: E402


class Planner(unittest.TestCase):
    def plan(self, specs, graph_module=None, padding=0, planner=snug_planner):
        """Calls it as the suite does, and checks what its verifier checks."""
        result = planner(16, set(specs), graph_module, None, padding)
        self.assertEqual(set(result.spec_dict), set(specs))
        for a in specs:
            plan = result.spec_dict[a]
            self.assertEqual(plan.mem_offset % 16, 0)
            self.assertLessEqual(plan.mem_offset + a.allocated_memory,
                                 result.bufsizes[plan.mem_id] - padding)
            for b in specs:
                other = result.spec_dict[b]
                if (a is b or plan.mem_id != other.mem_id or
                        a.lifetime[1] < b.lifetime[0] or
                        b.lifetime[1] < a.lifetime[0]):
                    continue
                self.assertTrue(
                    plan.mem_offset + a.allocated_memory <= other.mem_offset or
                    other.mem_offset + b.allocated_memory <= plan.mem_offset)
        self.assertEqual(len({(plan.mem_id, plan.mem_obj_id) for plan in
                              result.spec_dict.values()}),
                         len({plan.mem_id for plan in
                              result.spec_dict.values()}))
        return result

    def test_last_step_counts_in(self):
        specs = [TensorSpec(30, 0, 2), TensorSpec(32, 2, 4),
                 TensorSpec(64, 3, 5)]
        result = self.plan(specs)
        self.assertEqual(result.bufsizes, [0, 96])  # 30 bytes take 32

    def test_arenas(self):
        specs = [TensorSpec(16, 0, 2, 1), TensorSpec(16, 0, 2, 3),
                 TensorSpec(16, 1, 2, 3), TensorSpec(16, 0, 2)]
        result = self.plan(specs, padding=5)
        self.assertEqual(result.bufsizes, [0, 37, 0, 37])
        self.assertEqual(result.spec_dict[specs[3]].mem_id, 1)

    def test_memory_taken_by_inputs(self):
        graph_module = types.SimpleNamespace(input_mem_buffer_sizes=[0, 40])
        spec = TensorSpec(16, 0, 2)
        result = self.plan([spec], graph_module)
        self.assertEqual(result.spec_dict[spec].mem_offset, 48)
        self.assertEqual(result.bufsizes, [0, 64])

    def test_nothing(self):
        self.assertEqual(self.plan([]).bufsizes, [0, 0])

    def test_time_limit(self):
        planner = functools.partial(snug_planner, time_limit=0)
        specs = [TensorSpec(16, 0, 2), TensorSpec(16, 1, 3)]
        self.assertEqual(self.plan(specs, planner=planner).bufsizes, [0, 32])

    def test_no_placement(self):
        """It is no plan of height 0, which the suite would prefer."""
        specs = [TensorSpec(16, 0, 2)]
        stopped = dataclasses.replace(snug.minimize(snug.Problem()),
                                      status=snug.Status.UNKNOWN, offsets=None)
        with unittest.mock.patch("snug.executorch.minimize",
                                 return_value=stopped):
            with self.assertRaisesRegex(RuntimeError, "arena 1: UNKNOWN"):
                self.plan(specs)


if __name__ == "__main__":
    unittest.main()
