// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds items, the rows of a table, by their ids, and ids that come twice; names for
/// those that have none.
///
/// The ids are sorted by a hash, so that one is rarely touched. Ids made to
/// collide cost comparisons, not more.
///
/// Cost: O(n log n) and 16 bytes a row to build, O(log n) to find a row.
#ifndef SNUG_IO_IDS_HPP
#define SNUG_IO_IDS_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Ids {
 public:
  static constexpr std::size_t kNoRow =
      (std::numeric_limits<std::size_t>::max)();

  /// `ids` must outlive this.
  explicit Ids(const std::vector<std::string>& ids) : ids_(&ids) {
    keys_.reserve(ids.size());
    for (const std::string& id : ids)
      keys_.push_back({hash_of(id), keys_.size()});
    std::sort(keys_.begin(), keys_.end(), [&](const Key& a, const Key& b) {
      if (a.hash != b.hash) return a.hash < b.hash;
      const int order = ids[a.row].compare(ids[b.row]);
      return order != 0 ? order < 0 : a.row < b.row;
    });
  }

  /// The first row with this id, or kNoRow.
  [[nodiscard]] std::size_t find(std::string_view id) const {
    const std::uint64_t hash = hash_of(id);
    const auto found = std::lower_bound(
        keys_.begin(), keys_.end(), id, [&](const Key& key, std::string_view) {
          return key.hash != hash ? key.hash < hash : (*ids_)[key.row] < id;
        });
    return found != keys_.end() && (*ids_)[found->row] == id ? found->row
                                                             : kNoRow;
  }

  /// The first row, if any, whose id an earlier row has: that row and the
  /// earlier one, or the number of ids twice.
  [[nodiscard]] std::pair<std::size_t, std::size_t> find_duplicate() const {
    std::pair<std::size_t, std::size_t> found{keys_.size(), keys_.size()};
    for (std::size_t k = 1; k < keys_.size(); ++k)
      if (keys_[k].hash == keys_[k - 1].hash &&
          (*ids_)[keys_[k].row] == (*ids_)[keys_[k - 1].row] &&
          keys_[k].row < found.first)
        found = {keys_[k].row, keys_[k - 1].row};
    return found;
  }

 private:
  struct Key {
    std::uint64_t hash;
    std::size_t row;
  };

  /// FNV-1a.
  [[nodiscard]] static std::uint64_t hash_of(std::string_view id) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : id)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
  }

  const std::vector<std::string>* ids_;
  std::vector<Key> keys_{};
};

/// What a writer calls n items: by the `names` that they have, which may be
/// fewer, each as a reader will have it: as_read(name); an empty one is a name
/// unless `empty_is_none`. Of several that are the same then, all but the first
/// get `#` and their index. An item without a name is called by its index, and
/// left empty here; where that is the name of another one, it gets the index.
/// What is added ends with as many `_` as it takes for an item to differ from all
/// that have names.
[[nodiscard]] inline std::vector<std::string> distinct_names(
    std::vector<std::string> names, std::size_t n,
    std::string (*as_read)(std::string_view), bool empty_is_none = false) {
  for (std::string& name : names) name = as_read(name);
  std::vector<std::string> out = names;
  if (out.size() < n) out.resize(n);
  const Ids given(names);
  const bool are_distinct = given.find_duplicate().first == names.size();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool has_name =
        i < names.size() && !(empty_is_none && out[i].empty());
    if (has_name && (are_distinct || given.find(out[i]) == i)) continue;
    std::string added = (has_name ? "#" : "") + std::to_string(i);
    if (!has_name && given.find(added) == Ids::kNoRow) continue;
    while (given.find(out[i] + added) != Ids::kNoRow) added += '_';
    out[i] += added;
  }
  return out;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_IDS_HPP
