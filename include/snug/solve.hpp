// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SNUG_SOLVE_HPP
#define SNUG_SOLVE_HPP
#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include <algorithm>
SNUG_BEGIN_NAMESPACE
template <class Size, class Time>
Result<Size> solve(const Problem<Size, Time>& p, typename Problem<Size, Time>::SizeType capacity, const Options& = {}) {
  Result<Size> r; r.error = check(p); if (!r.error.ok()) return r;
  std::size_t n = p.buffers.size(); std::vector<Size> m(n, 0), best; std::vector<char> used(n, 0); std::int64_t nodes = 0; bool stop = false;
  auto rec = [&](auto&& self, std::size_t k) -> bool {
    if (++nodes > 200000) { stop = true; return false; }
    if (k == n) return true;
    for (std::size_t i = 0; i < n && !stop; ++i) if (!used[i]) {
      Size o = 0; for (std::size_t j = 0; j < n; ++j) if (used[j] && p.buffers[j].lifespan.overlaps(p.buffers[i].lifespan)) o = (std::max)(o, static_cast<Size>(m[j] + p.buffers[j].size));
      Size a = p.buffers[i].alignment; o = static_cast<Size>((o + a - 1) / a * a);
      if (o + p.buffers[i].size > capacity) return false;
      used[i] = 1; m[i] = o; if (self(self, k + 1)) return true; used[i] = 0; }
    return false; };
  if (rec(rec, 0)) { r.status = Status::kSolved; r.offsets = m; for (std::size_t i = 0; i < n; ++i) r.height = (std::max)(r.height, static_cast<Size>(m[i] + p.buffers[i].size)); }
  else r.status = stop ? Status::kNodeLimit : Status::kInfeasible;
  r.stats.nodes = nodes; return r; }
SNUG_END_NAMESPACE
#endif
