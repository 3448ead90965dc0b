// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the program says about itself.
#ifndef SNUG_EXAMPLES_SOLVE_CSV_USAGE_HPP
#define SNUG_EXAMPLES_SOLVE_CSV_USAGE_HPP

#include <cstdio>
#include <string>

inline void print_usage(const std::string& program) {
  std::printf("Usage: %s [FILE] [flags]\n", program.c_str());
  std::fputs(
      R"(
Places buffers of known sizes and lifespans at fixed offsets, as low as can be,
or below a capacity. Without any argument, it solves an example and draws it.

  FILE, --input=FILE  CSV with the columns id,lower,upper,size and, optionally,
                      those below; - is standard input
  --capacity=N        most bytes that may be used: 1048576, 0x100000, or 512KiB,
                      512Ki, 512k, 1.5M, ... up to P, in powers of 1024; without
                      it, the lowest height is looked for
  --minimize_capacity look for it also with --capacity, an upper limit then;
                      --minimize for short
  --minimize_penalty  below --capacity, the least cost by the column penalty
  --pool=NAME:CAPACITY[:COST_PER_BYTE]
                      a memory of its own, CAPACITY an amount or unlimited; may
                      be repeated. Each buffer gets a pool (the column pool) and
                      an offset there, at the least cost. Give a limit, too:
                      the proof may take very long
  --output=FILE       where to write the CSV with offsets. Without it, they go to
                      standard output, unless something else does. As with all
                      files, - is standard output too, with the status line on
                      standard error; and without a placement none is written
  --timeout=TIME      stop after 500ms, 3s, 1.5m, 1h30m, ... (default inf)
  --nodes=N           stop after N search nodes
  --racers=N          search with N seeds at once, one a core (default 1), each
                      with --nodes, all together with --memory; not with --pool
                      and --minimize_penalty
  --memory=N          search with some N bytes at the most, beside what any
                      placement of so many buffers takes (default inf)
  --validate          report PASS or FAIL (every placement is validated)
  --quiet             no notes and no progress on standard error
  -h, --help, --version

When it does not fit the --capacity:
  --explain           say which buffers are to blame, at any cost
  --spill             say which to move elsewhere so that the others fit; also
                      if a limit came first, with as much time once more
  --certificate=FILE  write a proof for check_certificate; where the lowest height
                      is looked for, that nothing is lower; without a proof,
                      the file is left alone, and a note says why

Pictures; with --pool, of each pool, in --html and --svg:
  --html=FILE         a page to zoom and search, for any browser
  --svg=FILE          an SVG picture
  --draw              in the terminal, as wide as it is, in colours if it has any
  --colour=auto|always|never
                      colours with --draw
  --colour_by=size|kind|family
                      what the colours of --html and --svg stand for
  --compare           say what first fit by size would have needed

Other names of columns: buffer or buffer_id for id; start or begin for lower; end
for upper, but there the last time at which the buffer is live, which counts in
(end 4 is upper 5), as do then the ends of gaps.

Optional columns, whose fields may be empty:
  alignment           the offset is a multiple of it
  hint                offset to be tried first, never binding (-1: none)
  gaps                LO-HI (inactive) or LO-HI@WINLO:WINHI (only those bytes of
                      the buffer in use), separated by spaces
  alias               ID, ID+N or ID-N: N bytes above or below that buffer
  follows             ID: begins where that buffer ends
  apart               IDs: no byte in common, whatever the lifespans
  may_overlap         IDs: may share bytes although both are live
  penalty             ID*COST: what it costs if their bytes are not disjoint,
                      for --minimize_penalty
  memory_end          bottom or top: bottom buffers lie below top buffers
  pools               NAMEs or NAME*COST, separated by spaces: only these pools,
                      at this cost on top of that of its bytes
  pool                NAME: in this pool; what --pool writes can be read back
  offset              fixed offset (-1: free), in the pool if there is one
)",
      stdout);
  std::fputs(
      R"(
The whole memory, or each pool:
  --base=N            no offset is below N (default 0)
  --alignment=N       every offset is a multiple of N (default 1)
  --reserve=LO-HI[@T0-T1]
                      no buffer occupies the bytes [LO, HI), at times [T0, T1)
                      only if these are given; may be repeated

Search:
  --strategies=sTCA,sTWA,wWAT,wZW     rule and preorder letters of each strategy
                                      (default: TCA,TWA,WAT,ZW with s, then with
                                      w)
  --preordering_heuristics=WAT,TAW    the same without the rule, which is s
  --seed=N                            seed of restarts and walks
  --RULE=false or --noRULE            turn a rule off: section_inference,
      no_hurt_placement (or hatless_pruning), abandoned_slot (or
      check_dominance), twins, failed_states, conflict_sets, decomposition (or
      dynamic_decomposition), failure_weights, restarts
  The switches canonical_only, dynamic_ordering, unallocated_floor,
  static_preordering, monotonic_floor and print_solution are accepted and
  ignored. Of the flags that Abseil gives to every program, --flagfile,
  --undefok, --helpfull and the like do what they do there; those of logs are
  ignored, too.

The last line on standard output, or on standard error where a file is -, is
  status=solved height=12 lower_bound=12 buffers=5 nodes=5 seconds=0.000012
where status is solved, infeasible, time_limit, node_limit, cancelled or
invalid. With --minimize_penalty, cost and cost_bound (nothing costs less) take
the place of lower_bound; with --pool, that of height, too. There is none when
the flags are wrong, a file cannot be read or written, there is not enough
memory, or the exit status is 4.

Exit status: 0 a placement was found and written; 1 proved infeasible; 2 wrong
flags or input, or a file that cannot be read or written; 3 stopped by a limit,
an interrupt or for want of memory without a placement; 4 internal error: the
placement found is not valid (it is not written).

Under the name minimalloc it behaves as google/minimalloc's program does: no
status line, `Elapsed time 0.001s` on standard error, exit status 0 or 1, and a
capacity of 0 where none is given.
)",
      stdout);
}

#endif  // SNUG_EXAMPLES_SOLVE_CSV_USAGE_HPP
