// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names of the items of a JSON array, and references to them, which may stand
/// before the items: resolved when all have been read.
#ifndef SNUG_IO_JSON_NAMES_HPP
#define SNUG_IO_JSON_NAMES_HPP

#include "snug/config.hpp"
#include "snug/io/ids.hpp"
#include "snug/io/json_scan.hpp"
#include "snug/io/text.hpp"

#include <cstddef>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An item by its name, or by its index.
struct JsonReference {
  std::string name{};
  std::size_t index = 0;
  bool is_named = false;
  JsonPosition position{};

  bool read(JsonScanner& in) {
    position = in.position();
    is_named = in.peek() == '"';
    return is_named ? in.string(name) : in.integer(index, "a name or an index");
  }
};

/// Reads an array of exactly two: read(0) the first one, read(1) the second.
/// `what` they are, for messages.
template <class Read>
bool read_json_two(JsonScanner& in, const char* what, Read read) {
  const JsonPosition begin = in.position();
  std::size_t count = 0;
  return in.array([&] {
    return count < 2 ? read(count++)
                     : in.fail(std::string("more than two ") + what);
  }) && (count == 2 || in.fail(begin, std::string("fewer than two ") + what));
}

/// `[first, second]`
struct JsonPair {
  JsonReference first{};
  JsonReference second{};

  bool read(JsonScanner& in) {
    return read_json_two(in, "in a pair", [&](std::size_t k) {
      return (k == 0 ? first : second).read(in);
    });
  }
};

class JsonNames {
 public:
  /// `what` they name, for messages. Refers to its arguments.
  JsonNames(const std::vector<std::string>& names, const char* what)
      : names_(names), ids_(names), what_(what) {}

  /// Whether all names differ; `positions` says where their items stand.
  bool check(JsonScanner& in,
             const std::vector<JsonPosition>& positions) const {
    const auto [item, earlier] = ids_.find_duplicate();
    if (item == names_.size()) return true;
    return in.fail(positions[item],
                   std::string(what_) + " '" + printable(names_[item]) +
                       "' is also that in line " +
                       std::to_string(positions[earlier].line));
  }

  bool resolve(JsonScanner& in, const JsonReference& reference,
               std::size_t& index) const {
    index = reference.is_named ? ids_.find(reference.name) : reference.index;
    if (index < names_.size()) return true;
    return in.fail(
        reference.position,
        std::string("no ") + what_ + " has this " +
            (reference.is_named ? "name: '" + printable(reference.name) + '\''
                                : "index"));
  }

  bool resolve(JsonScanner& in, const JsonPair& pair, std::size_t& first,
               std::size_t& second) const {
    return resolve(in, pair.first, first) && resolve(in, pair.second, second);
  }

  bool resolve(JsonScanner& in, const std::vector<JsonReference>& list,
               std::vector<std::size_t>& indices) const {
    indices.reserve(list.size());
    for (const JsonReference& reference : list) {
      indices.push_back(0);
      if (!resolve(in, reference, indices.back())) return false;
    }
    return true;
  }

 private:
  const std::vector<std::string>& names_;
  Ids ids_;
  const char* what_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_NAMES_HPP
