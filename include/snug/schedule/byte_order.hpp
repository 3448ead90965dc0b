// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order of operators on different streams that use the same bytes, where tensors
/// are parts of one another, or are updated:
///
///     a read   waits for the last write of each of its bytes
///     a write  waits for all that read its bytes since the last write, or for that
///
/// All else follows: who came before a write, at one of its bytes, comes before all that
/// come after it. Of several operators on one stream it is enough to wait for the last.
///
/// Bytes are cut into *segments* where a tensor begins or ends.
///
/// Cost: O(k) for a use of k segments, and who read them; at most one dependency for
/// each stream and use.
#ifndef SNUG_SCHEDULE_BYTE_ORDER_HPP
#define SNUG_SCHEDULE_BYTE_ORDER_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Of one tensor and its parts. Uses come in the order of the operators.
class ByteOrder {
 public:
  using Bytes = Interval<std::int64_t>;

  /// An operator, and the number of its stream.
  struct User {
    std::size_t op = 0;
    std::size_t stream = 0;
  };

  explicit ByteOrder(const std::vector<Bytes>& tensors) {
    for (const Bytes& bytes : tensors) {
      ends_.push_back(bytes.lower);
      ends_.push_back(bytes.upper);
    }
    sort_unique(ends_);
    segments_.resize(ends_.size());
  }

  /// Both list the operators that `user` waits for in `flow`.
  void read(const User& user, const Bytes& bytes,
            std::vector<Dependency>& flow) {
    const std::size_t end = index_in(ends_, bytes.upper);
    for (std::size_t k = index_in(ends_, bytes.lower); k < end; ++k)
      read_segment(user, segments_[k]);
    end_use(user, flow);
  }
  /// What the operator read of `bytes` in parts that it `copied`, it leaves as it is.
  void write(const User& user, const Bytes& bytes,
             const std::vector<Bytes>& copied, std::vector<Dependency>& flow) {
    const std::size_t end = index_in(ends_, bytes.upper);
    for (std::size_t k = index_in(ends_, bytes.lower); k < end; ++k) {
      Segment& segment = segments_[k];
      const auto holds = [&](const Bytes& part) {
        return part.lower <= ends_[k] && ends_[k] < part.upper;
      };
      if (std::any_of(copied.begin(), copied.end(), holds)) {
        read_segment(user, segment);
        continue;
      }
      for (const User& reader : segment.readers) wait_for(reader);
      if (segment.readers.empty() && segment.is_written)
        wait_for(segment.writer);
      segment.readers.clear();
      segment.writer = user;
      segment.is_written = true;
    }
    end_use(user, flow);
  }

 private:
  struct Segment {
    bool is_written = false;
    User writer{};
    std::vector<User> readers{};  ///< since then, the last one of each stream
  };

  void read_segment(const User& user, Segment& segment) {
    if (segment.is_written) wait_for(segment.writer);
    for (User& reader : segment.readers)
      if (reader.stream == user.stream) {
        reader = user;
        return;
      }
    segment.readers.push_back(user);
  }

  void wait_for(const User& user) {
    if (latest_.size() <= user.stream) latest_.resize(user.stream + 1, 0);
    if (latest_[user.stream] == 0) waited_.push_back(user.stream);
    latest_[user.stream] = (std::max)(latest_[user.stream], user.op + 1);
  }
  /// Lists the last one of each stream but its own.
  void end_use(const User& user, std::vector<Dependency>& flow) {
    for (const std::size_t stream : waited_) {
      if (stream != user.stream) flow.push_back({latest_[stream] - 1, user.op});
      latest_[stream] = 0;
    }
    waited_.clear();
  }

  std::vector<std::int64_t> ends_{};
  std::vector<Segment> segments_{};  ///< from each end to the next
  /// Whom the use at hand waits for: of each stream the last operator, plus one.
  std::vector<std::size_t> latest_{};
  std::vector<std::size_t> waited_{};  ///< streams
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_BYTE_ORDER_HPP
