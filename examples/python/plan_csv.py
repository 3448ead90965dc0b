# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans the buffers of a CSV file: plan_csv.py model.csv > planned.csv"""

import sys

import snug

table = snug.read_csv(sys.argv[1])
for note in table.notes:
    print(f"{sys.argv[1]}:{note}", file=sys.stderr)
result = snug.minimize(table.problem, snug.Options(time_limit=10))
print(f"{result.status.name}, height {result.height}", file=sys.stderr)
print(table.to_csv(result.offsets), end="")
