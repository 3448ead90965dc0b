// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lifespan of every tensor of a schedule. Operator t runs during step t,
/// the interval of time [t, t + 1): its outputs are live from the beginning of
/// that step, its inputs to the end of it.
///
///     op 0: x -> a        a  [0, 3)   written by op 0, last read by op 2
///     op 1: a -> b        b  [1, 3)   written by op 1, last read by op 2
///     op 2: a, b -> y     y  [2, 3)   an output: live to the end
///                         x  [0, 1)   an input: live from the start
///
/// An operator that updates a tensor reads it, and does not define it.
///
/// Parts share bytes with their parent. Where an operator writes both, as a
/// concat that copies, each has its own lifespan. What nobody writes, neither the host,
/// - is *assembled* if parts of it are written: it begins when the last of these does,
///   and they stay live until then, as do others that have bytes of it, such as a part
///   of its parent that reaches into it (schedule/outsiders.hpp). Not so if something
///   that it is a part of, and that is no scratch, begins before that last part does:
///   this then is a slice of what is there already;
/// - is a *view* otherwise: it begins with its parent.
///
/// Who writes a part of what was there before, as a slice of a cache, or bytes that
/// another part has, too, changes bytes that others may read, as an update does: these
/// are in order, also on different streams (schedule/byte_order.hpp).
///
/// Cost: O(tensors + operators + k log k) for k operands, and what byte_order.hpp and
/// outsiders.hpp take for tensors that have parts or are updated.
#ifndef SNUG_SCHEDULE_LIVENESS_HPP
#define SNUG_SCHEDULE_LIVENESS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/schedule/byte_order.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/schedule/operators.hpp"
#include "snug/schedule/outsiders.hpp"
#include "snug/schedule/sizes.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What is known of one tensor.
struct Life {
  /// The first step that may read it; kNoIndex: nobody defines it.
  std::size_t ready = kNoIndex;
  /// The tensor whose writing completed this one: itself, unless it is
  /// assembled (the last part) or a view (that of its parent).
  std::size_t definer = kNoIndex;
  Interval<std::size_t> steps{};  ///< empty: no operator or flag mentions it
  bool is_mentioned = false;
  bool is_scratch = false;
  bool is_assembled = false;
  bool is_view = false;
};

/// The lifespans, and who uses what.
class Liveness {
 public:
  /// Refers to both.
  Liveness(const Schedule& schedule, const TensorSizes& sizes)
      : schedule_(schedule),
        sizes_(sizes),
        order_(sizes.order),
        steps_((std::max)(schedule.operators.size(), std::size_t{1})),
        lives_(schedule.tensors.size()),
        users_(schedule.tensors.size()) {
    find_updates();
    if (!read_operators()) return;
    define_parts();
    if (!read_inputs()) return;
    set_lifespans();
    list_members();
    check_scratch();
  }

  [[nodiscard]] const ScheduleError& error() const noexcept { return error_; }
  [[nodiscard]] const Life& operator[](std::size_t tensor) const noexcept {
    return lives_[tensor];
  }
  /// The operators that read or write each tensor.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& users()
      const noexcept {
    return users_;
  }

  /// Whether operator `t` updates a tensor.
  [[nodiscard]] bool updates(std::size_t t, std::size_t tensor) const {
    const std::vector<std::size_t>& its = updated_[t];
    return std::binary_search(its.begin(), its.end(), tensor);
  }

  /// That each reader waits for all the writers of what it reads, and who writes over
  /// bytes for who used them. As long as the inputs of all operators, more where they
  /// are assembled, and as byte_order.hpp says.
  [[nodiscard]] std::vector<Dependency> data_flow() const {
    std::vector<std::vector<std::size_t>> writers(lives_.size());
    for (std::size_t t = 0; t < schedule_.operators.size(); ++t) {
      for (const std::size_t x : schedule_.operators[t].outputs)
        if (!schedule_.tensors[x].lives_throughout && !updates(t, x))
          writers[x].push_back(t);
    }
    const auto append = [&](std::size_t to, std::size_t from) {
      writers[to].insert(writers[to].end(), writers[from].begin(),
                         writers[from].end());
    };
    for (std::size_t k = order_.size(); k-- > 0;)
      if (is_piece(order_[k])) append(parent_of(order_[k]), order_[k]);
    for (const std::size_t x : order_)
      if (lives_[x].is_view) append(x, parent_of(x));
    std::vector<Dependency> flow;
    for (std::size_t t = 0; t < schedule_.operators.size(); ++t)
      for (const std::size_t x : schedule_.operators[t].inputs)
        for (const std::size_t writer : writers[x]) flow.push_back({writer, t});
    order_writes(flow);
    return flow;
  }

 private:
  /// Finds what each operator updates.
  void find_updates() {
    for (const Operator& op : schedule_.operators) {
      std::vector<std::size_t> read = op.inputs;
      std::vector<std::size_t> written = op.outputs;
      heap_sort(read);
      heap_sort(written);
      std::vector<std::size_t>& updated = updated_.emplace_back();
      for (const std::size_t x : read)
        if (std::binary_search(written.begin(), written.end(), x))
          updated.push_back(x);
    }
  }

  /// Orders who uses bytes of tensors that have parts, or are updated.
  void order_writes(std::vector<Dependency>& flow) const {
    std::vector<std::size_t> streams;
    for (const Operator& op : schedule_.operators) streams.push_back(op.stream);
    const std::vector<std::size_t> numbers = number_streams(streams);
    std::vector<ByteOrder> orders;
    const std::vector<std::size_t> order_of = make_orders(orders);
    const auto is_ordered = [&](std::size_t x) {
      return !schedule_.tensors[x].lives_throughout &&
             order_of[sizes_.roots[x]] != kNoIndex;
    };
    std::vector<ByteOrder::Bytes> copied;
    for (std::size_t t = 0; t < schedule_.operators.size(); ++t) {
      const Operator& op = schedule_.operators[t];
      const ByteOrder::User user{t, numbers[t]};
      for (const std::size_t x : op.inputs)
        if (is_ordered(x) && !updates(t, x))
          orders[order_of[sizes_.roots[x]]].read(user, bytes_of(x), flow);
      for (const auto* list : {&op.outputs, &op.scratch})
        for (const std::size_t x : *list) {
          if (!is_ordered(x)) continue;
          copied.clear();
          // An update leaves nothing as it is.
          if (!updates(t, x))
            for (const std::size_t y : op.inputs)
              if (is_part_of(schedule_.tensors, y, x))
                copied.push_back(bytes_of(y));
          orders[order_of[sizes_.roots[x]]].write(user, bytes_of(x), copied,
                                                  flow);
        }
    }
  }

  /// Makes the orders; returns the number of that of each root, or kNoIndex.
  [[nodiscard]] std::vector<std::size_t> make_orders(
      std::vector<ByteOrder>& orders) const {
    std::vector<std::size_t> order_of(lives_.size(), kNoIndex);
    std::vector<ByteOrder::Bytes> bytes;
    for (std::size_t root = 0; root < lives_.size(); ++root) {
      if (members_[root].empty()) continue;
      bytes.clear();
      for (const std::size_t x : members_[root]) bytes.push_back(bytes_of(x));
      order_of[root] = orders.size();
      orders.emplace_back(bytes);
    }
    return order_of;
  }

  [[nodiscard]] ByteOrder::Bytes bytes_of(std::size_t x) const noexcept {
    return {sizes_.places[x], sizes_.places[x] + sizes_.sizes[x]};
  }

  /// Whether two tensors of one root share a byte.
  [[nodiscard]] bool meet(std::size_t x, std::size_t y) const noexcept {
    return sizes_.sizes[x] != 0 && sizes_.sizes[y] != 0 &&
           bytes_of(x).overlaps(bytes_of(y));
  }

  [[nodiscard]] std::size_t parent_of(std::size_t x) const noexcept {
    return schedule_.tensors[x].parent;
  }

  /// Whether `x` is one of those that its parent is assembled of.
  [[nodiscard]] bool is_piece(std::size_t x) const noexcept {
    const std::size_t parent = parent_of(x);
    return parent != kNoIndex && lives_[parent].is_assembled &&
           !lives_[x].is_view && !lives_[x].is_scratch &&
           lives_[x].ready != kNoIndex;
  }

  [[nodiscard]] bool refuse(ScheduleReason reason, std::size_t op,
                            std::size_t tensor) {
    error_ = {reason, op, tensor};
    return false;
  }

  /// Finds the writer of each tensor.
  [[nodiscard]] bool read_operators() {
    const std::vector<Tensor>& tensors = schedule_.tensors;
    for (std::size_t x = 0; x < tensors.size(); ++x) {
      const Tensor& tensor = tensors[x];
      Life& life = lives_[x];
      life.is_mentioned =
          tensor.is_input || tensor.is_output || tensor.lives_throughout;
      if (!tensor.is_input && !tensor.lives_throughout) continue;
      life.ready = 0;
      life.definer = x;
    }
    for (std::size_t t = 0; t < schedule_.operators.size(); ++t) {
      const Operator& op = schedule_.operators[t];
      for (const auto* list : {&op.inputs, &op.outputs, &op.scratch})
        for (const std::size_t x : *list) {
          if (x >= tensors.size())
            return refuse(ScheduleReason::kUnknownTensor, t, x);
          users_[x].push_back(t);
          lives_[x].is_mentioned = true;
        }
      for (const InPlace& pair : op.in_place)
        if (pair.output >= op.outputs.size() || pair.input >= op.inputs.size())
          return refuse(ScheduleReason::kBadInPlace, t, kNoIndex);
      for (const auto* list : {&op.outputs, &op.scratch})
        for (const std::size_t x : *list) {
          const bool is_scratch = list == &op.scratch;
          if (tensors[x].lives_throughout || (!is_scratch && updates(t, x)))
            continue;
          if (is_scratch && (tensors[x].is_input || tensors[x].is_output))
            return refuse(ScheduleReason::kSharedScratch, t, x);
          if (lives_[x].ready != kNoIndex)
            return refuse(ScheduleReason::kProducedTwice, t, x);
          lives_[x].ready = t + 1;
          lives_[x].definer = x;
          lives_[x].is_scratch = is_scratch;
        }
    }
    return true;
  }

  /// Finds what defines the tensors that nobody writes.
  void define_parts() {
    for (std::size_t k = order_.size(); k-- > 0;) {
      const Life& part = lives_[order_[k]];
      const std::size_t parent = parent_of(order_[k]);
      if (parent == kNoIndex || part.ready == kNoIndex || part.is_scratch)
        continue;
      Life& whole = lives_[parent];
      if (whole.ready != kNoIndex && !whole.is_assembled) continue;
      if (!whole.is_assembled || part.ready > whole.ready) {
        whole.ready = part.ready;
        whole.definer = part.definer;
      }
      whole.is_assembled = true;
    }
    // When the first of those begins that a tensor is a part of.
    std::vector<std::size_t> begins(lives_.size(), kNoIndex);
    for (const std::size_t x : order_) {
      const std::size_t parent = parent_of(x);
      if (parent == kNoIndex) continue;
      Life& life = lives_[x];
      const Life& whole = lives_[parent];
      begins[x] = begins[parent];
      // Nothing stays in scratch.
      if (!whole.is_scratch) begins[x] = (std::min)(begins[x], whole.ready);
      life.is_assembled = life.is_assembled && life.ready <= begins[x];
      if (life.definer == x || life.is_assembled) continue;
      life.ready = whole.ready;
      life.definer = whole.definer;
      life.is_view = life.ready != kNoIndex;
      life.is_scratch = whole.is_scratch;
    }
  }

  [[nodiscard]] bool read_inputs() {
    for (std::size_t t = 0; t < schedule_.operators.size(); ++t)
      for (const std::size_t x : schedule_.operators[t].inputs) {
        if (lives_[x].is_scratch)
          return refuse(ScheduleReason::kSharedScratch, t, x);
        if (lives_[x].ready > t)
          return refuse(ScheduleReason::kUsedBeforeProduced, t, x);
      }
    for (std::size_t x = 0; x < lives_.size(); ++x) {
      if (!schedule_.tensors[x].is_output) continue;
      if (lives_[x].is_scratch)
        return refuse(ScheduleReason::kSharedScratch, kNoIndex, x);
      if (lives_[x].ready == kNoIndex)
        return refuse(ScheduleReason::kNeverProduced, kNoIndex, x);
    }
    return true;
  }

  void set_lifespans() {
    // A view keeps its parent's bytes in use from where the parent begins.
    for (std::size_t k = order_.size(); k-- > 0;) {
      const Life& life = lives_[order_[k]];
      if (life.is_mentioned && life.is_view)
        lives_[parent_of(order_[k])].is_mentioned = true;
    }
    // Until which step at least that stays of which others are assembled.
    std::vector<std::size_t> stays(lives_.size(), 0);
    keep_outsiders(stays);
    for (const std::size_t x : order_) {
      Life& life = lives_[x];
      const Tensor& tensor = schedule_.tensors[x];
      if (is_piece(x)) {
        const Life& whole = lives_[tensor.parent];
        stays[x] =
            (std::max)(stays[x], whole.is_mentioned ? whole.steps.lower + 1
                                                    : stays[tensor.parent]);
      }
      if (!life.is_mentioned) continue;
      const std::size_t first = life.ready == 0 ? 0 : life.ready - 1;
      std::size_t last = (std::max)(first + 1, stays[x]);
      for (const std::size_t t : users_[x]) last = (std::max)(last, t + 1);
      if (tensor.is_output || tensor.lives_throughout) last = steps_;
      life.steps = {first, last};
    }
  }

  /// Raises `stays` of those whose bytes are in an assembled tensor, but which are no
  /// part of it, as pieces have theirs.
  void keep_outsiders(std::vector<std::size_t>& stays) const {
    const auto is_used_whole = [&](std::size_t x) {
      return lives_[x].is_assembled && lives_[x].is_mentioned;
    };
    if (std::none_of(order_.begin(), order_.end(), is_used_whole)) return;
    List<std::uint8_t> is_written(lives_.size(), 0);
    for (std::size_t x = 0; x < lives_.size(); ++x)
      is_written[x] = lives_[x].definer == x && !lives_[x].is_scratch ? 1 : 0;
    // Perhaps bytes that nobody wrote before.
    for (const std::vector<std::size_t>& updated : updated_)
      for (const std::size_t x : updated) is_written[x] = 1;
    const Outsiders outsiders(schedule_.tensors, sizes_, is_written);
    for (const std::size_t x : order_)
      if (is_used_whole(x))
        outsiders.visit(x, [&](std::size_t y) {
          stays[y] = (std::max)(stays[y], lives_[x].ready);
        });
  }

  void list_members() {
    List<std::uint8_t> is_wanted(lives_.size(), 0);
    for (const std::size_t x : order_)
      if (sizes_.roots[x] != x) is_wanted[sizes_.roots[x]] = 1;
    for (const std::vector<std::size_t>& updated : updated_)
      for (const std::size_t x : updated) is_wanted[sizes_.roots[x]] = 1;
    members_.resize(lives_.size());
    for (const std::size_t x : order_)
      if (is_wanted[sizes_.roots[x]] != 0)
        members_[sizes_.roots[x]].push_back(x);
  }

  /// Refuses scratch that shares bytes with what others need meanwhile.
  void check_scratch() {
    for (std::size_t t = 0; t < schedule_.operators.size(); ++t)
      for (const std::size_t x : schedule_.operators[t].scratch)
        for (const std::size_t other : members_[sizes_.roots[x]])
          if (lives_[x].is_scratch && !lives_[other].is_scratch &&
              !schedule_.tensors[other].lives_throughout && meet(other, x) &&
              lives_[other].steps.overlaps(lives_[x].steps)) {
            (void)refuse(ScheduleReason::kSharedScratch, t, x);
            return;
          }
  }

  const Schedule& schedule_;
  const TensorSizes& sizes_;
  const std::vector<std::size_t>& order_;  ///< parents before parts
  std::size_t steps_;
  List<Life> lives_;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<std::vector<std::size_t>> updated_{};  ///< by operator, ascending
  /// By root, of those that have parts or are updated: all that share bytes with it.
  std::vector<std::vector<std::size_t>> members_{};
  ScheduleError error_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_LIVENESS_HPP
