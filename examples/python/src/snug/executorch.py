# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""snug as a memory planning algorithm of ExecuTorch.

    from executorch.exir import memory_planning
    from executorch.exir.passes import MemoryPlanningPass
    from snug.executorch import snug_planner

    suite = memory_planning.MemoryPlanningAlgorithmSuite(
        [memory_planning.greedy, snug_planner])
    MemoryPlanningPass(suite)

The suite takes the plan with the smallest sum of arenas. Another time limit:
functools.partial(snug_planner, time_limit=60).
"""

from typing import Any, Dict, Iterable, List

from executorch.exir.memory_planning import MemoryAlgoResult, SpecAllocResult

from . import Buffer, Options, Problem, minimize


def snug_planner(alignment: int, specs: Iterable[Any], graph_module: Any,
                 graph_signature: Any, extra_padding: int = 0, *,
                 time_limit: float = 10) -> Any:
    """Places the tensors of each arena (spec.mem_id, or 1) as low as it can."""
    arenas: Dict[int, List[Any]] = {}
    for spec in specs:
        spec.realign(alignment)
        arena = 1 if spec.mem_id is None else spec.mem_id
        arenas.setdefault(arena, []).append(spec)
    taken = getattr(graph_module, "input_mem_buffer_sizes", None) or []
    result = MemoryAlgoResult({}, [0] * (max(arenas, default=1) + 1))
    for arena, members in arenas.items():
        # The specs are a set, whose order differs from run to run.
        members.sort(key=lambda spec: (*spec.lifetime, spec.allocated_memory))
        # The last step of a lifetime counts in.
        problem = Problem([Buffer(spec.lifetime[0], spec.lifetime[1] + 1,
                                  spec.allocated_memory, alignment)
                           for spec in members],
                          base=taken[arena] if arena < len(taken) else 0)
        plan = minimize(problem, Options(time_limit=time_limit))
        # Not half a plan: the host would take it for the smallest of all.
        if plan.offsets is None:
            raise RuntimeError(f"no placement of arena {arena}: "
                               f"{plan.status.name}")
        # What shares storage must be one object, so that an arena is one.
        for spec, offset in zip(members, plan.offsets):
            result.spec_dict[spec] = SpecAllocResult(arena, 0, offset)
        result.bufsizes[arena] = plan.height + extra_padding
    return result
