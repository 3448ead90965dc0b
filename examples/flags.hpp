// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Command line flags in the manner of Abseil's: `--name=value`, `--name value`
/// and, for switches, `--name`, `--noname`, `--name=false`. One dash does as
/// well as two; the last of several wins; `--` ends the flags. What is no flag
/// goes to the positional argument, if the program has one.
#ifndef SNUG_EXAMPLES_FLAGS_HPP
#define SNUG_EXAMPLES_FLAGS_HPP

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace flags {

/// Reads a decimal or 0x number. Each parse_* returns whether it could.
template <class Integer>
[[nodiscard]] bool parse_integer(std::string_view text, Integer& value) {
  int base = 10;
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    base = 16;
    text.remove_prefix(2);
    if (text.empty() || text.front() == '-') return false;
  }
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc{} && rest == end;
}

/// Reads a range such as `0-16`, `-5--2` or `0x100-0x200`, which is not empty.
template <class Integer>
[[nodiscard]] bool parse_range(std::string_view text, Integer& low,
                               Integer& high) {
  const std::size_t dash = text.find('-', 1);  // the first may be a sign
  return dash != std::string_view::npos &&
         parse_integer(text.substr(0, dash), low) &&
         parse_integer(text.substr(dash + 1), high) && low < high;
}

/// In every locale, of ASCII alone.
[[nodiscard]] inline std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

[[nodiscard]] inline bool parse_bool(std::string text, bool& value) {
  text = in_lower_case(std::move(text));
  const auto is_one_of = [&](std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  value = is_one_of({"true", "t", "yes", "y", "1"});
  return value || is_one_of({"false", "f", "no", "n", "0"});
}

/// A number: `whole`, and `fraction` divided by 10 to the power of `decimals`, which
/// are as few as can be.
struct Decimal {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  int decimals = 0;
  bool is_exact = true;  ///< all digits fit

  [[nodiscard]] double value() const {
    double scale = 1;
    for (int k = 0; k < decimals; ++k) scale *= 10;
    return static_cast<double>(whole) + static_cast<double>(fraction) / scale;
  }
};

/// Takes a number such as `12`, `.5` or `1.25` off the front of `text`. (Some
/// standard libraries lack std::from_chars for doubles.) A whole part that does not
/// fit is the largest there is; of a fraction some 19 digits count.
[[nodiscard]] inline bool take_decimal(std::string_view& text, Decimal& value) {
  constexpr std::uint64_t kMost = (std::numeric_limits<std::uint64_t>::max)();
  value = {};
  bool has_digits = false;
  bool has_point = false;
  bool is_full = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == '.' && !has_point) {
      has_point = true;
      is_full = false;
      continue;
    }
    if (c < '0' || c > '9') break;
    has_digits = true;
    std::uint64_t& part = has_point ? value.fraction : value.whole;
    is_full = is_full || part > (kMost - 9) / 10;
    if (!is_full) {
      part = part * 10 + static_cast<std::uint64_t>(c - '0');
      value.decimals += has_point ? 1 : 0;
    } else if (!has_point) {
      part = kMost;
      value.is_exact = false;
    } else {
      value.is_exact = value.is_exact && c == '0';
    }
  }
  for (; value.decimals > 0 && value.fraction % 10 == 0; --value.decimals)
    value.fraction /= 10;
  return has_digits;
}
[[nodiscard]] inline bool take_decimal(std::string_view& text, double& value) {
  Decimal decimal;
  const bool is_number = take_decimal(text, decimal);
  value = decimal.value();
  return is_number;
}

/// What parse_bytes() reads, for messages.
inline constexpr const char* kBytes =
    "an integer from 0 to 2^63 - 1, or an amount in K, M, G, T or P (KiB to "
    "PiB, powers of 1024) such as 512KiB or 1M";

/// Reads an amount of memory, not negative: an integer, or a number with a
/// binary unit, such as `512KiB`, `512Ki`, `512k` or `1.5M`, that is whole in
/// bytes; its letters may be of either case. `KB` is refused: to some, it is 1000.
[[nodiscard]] inline bool parse_bytes(std::string_view text,
                                      std::int64_t& value) {
  if (parse_integer(text, value)) return value >= 0;
  Decimal number;
  if (!take_decimal(text, number) || !number.is_exact || text.empty())
    return false;
  constexpr std::string_view kUnits = "kmgtp";
  const std::string letters = in_lower_case(std::string(text));
  const std::size_t unit = kUnits.find(letters[0]);
  const std::string rest = letters.substr(1);
  if (unit == std::string_view::npos ||
      !(rest.empty() || rest == "i" || rest == "ib"))
    return false;
  // Of the fraction fives are divided away, and twos taken off those of the unit.
  const int twos = 10 * (static_cast<int>(unit) + 1);
  int shift = twos - number.decimals;
  for (int k = 0; k < number.decimals; ++k, number.fraction /= 5)
    if (number.fraction % 5 != 0) return false;
  for (; shift < 0; ++shift, number.fraction /= 2)
    if (number.fraction % 2 != 0) return false;
  constexpr auto kMost =
      static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
  if (number.whole > kMost >> twos) return false;
  // Less than one of the unit is added, so it fits.
  value = static_cast<std::int64_t>((number.whole << twos) +
                                    (number.fraction << shift));
  return true;
}

/// Reads a sum such as `1h30m`, `1.5s` or `500ms` (units ns, us, ms, s, m, h),
/// `inf`, or `0`. What does not fit is the longest duration there is.
[[nodiscard]] inline bool parse_duration(std::string_view text,
                                         std::chrono::nanoseconds& value) {
  using std::chrono::nanoseconds;
  using Unit = std::pair<std::string_view, double>;
  const std::array<Unit, 6> units = {{{"ns", 1},
                                      {"us", 1e3},
                                      {"ms", 1e6},  // before "m"
                                      {"s", 1e9},
                                      {"m", 60e9},
                                      {"h", 3600e9}}};
  value = text == "inf" ? (nanoseconds::max)() : nanoseconds::zero();
  if (text == "inf" || text == "0") return true;
  double total = 0;
  do {
    double number = 0;
    if (!take_decimal(text, number)) return false;
    const auto unit =
        std::find_if(units.begin(), units.end(), [&](const Unit& candidate) {
          return text.substr(0, candidate.first.size()) == candidate.first;
        });
    if (unit == units.end()) return false;
    text.remove_prefix(unit->first.size());
    total += number * unit->second;
  } while (!text.empty());
  const auto longest = static_cast<double>((nanoseconds::max)().count());
  value =
      total < longest ? nanoseconds(std::llround(total)) : (nanoseconds::max)();
  return true;
}

/// The flags of a program and what to do with them.
class Parser {
 public:
  /// Called with the value; returns whether it is one that the flag can have.
  using Setter = std::function<bool(const std::string&)>;

  /// A switch: without a value it is true.
  void add_switch(std::string name, std::function<void(bool)> set) {
    flags_.push_back({std::move(name), "true or false", true,
                      [set = std::move(set)](const std::string& text) {
                        bool value = false;
                        if (!parse_bool(text, value)) return false;
                        set(value);
                        return true;
                      }});
  }
  void add_switch(std::string name, bool& value) {
    add_switch(std::move(name), [&value](bool given) { value = given; });
  }
  /// A flag with a value; `kind` says which, for messages.
  void add_value(std::string name, std::string kind, Setter set) {
    flags_.push_back({std::move(name), std::move(kind), false, std::move(set)});
  }
  void add_capacity(std::optional<std::int64_t>& value) {
    add_value("capacity", kBytes, [&value](const std::string& text) {
      std::int64_t bytes = 0;
      if (!parse_bytes(text, bytes)) return false;
      value = bytes;
      return true;
    });
  }
  void add_timeout(std::chrono::nanoseconds& value) {
    add_value("timeout", "a time such as 500ms, 3s or 1h30m",
              [&value](const std::string& text) {
                return parse_duration(text, value);
              });
  }
  /// Accepted, with a value or without, and of no effect.
  void add_ignored(std::string name, bool is_switch) {
    flags_.push_back({std::move(name), "a value", is_switch,
                      [](const std::string&) { return true; }});
  }
  /// For what is no flag; called once for each such argument.
  void set_positional(Setter set) { positional_ = std::move(set); }
  /// The file to read: `--input`, of which the last counts, or what is no flag;
  /// not both, as one of them would be ignored. `path` comes empty.
  void add_input(std::string& path) {
    const auto is_positional = std::make_shared<bool>(false);
    add_value("input", "the name of the one file to read",
              [&path, is_positional](const std::string& text) {
                if (*is_positional) return false;
                path = text;
                return !text.empty();
              });
    set_positional([&path, is_positional](const std::string& text) {
      if (!path.empty() || text.empty()) return false;
      path = text;
      *is_positional = true;
      return true;
    });
  }
  /// Ignores a flag that is not known, and its value if it is behind a `=`.
  void allow_unknown(std::string name) { allowed_.push_back(std::move(name)); }
  void add_text(std::string name, std::string kind, std::string& value) {
    add_value(std::move(name), std::move(kind),
              [&value](const std::string& text) {
                value = text;
                return !text.empty();
              });
  }

  /// Reads the arguments. Returns what is wrong with them, or nothing.
  [[nodiscard]] std::string parse(int argc, const char* const* argv) const {
    bool flags_ended = false;
    for (int i = 1; i < argc; ++i) {
      const std::string_view argument = argv[i];
      if (argument == "--" && !flags_ended) {
        flags_ended = true;
        continue;
      }
      if (flags_ended || argument.size() < 2 || argument.front() != '-') {
        if (!positional_ || !positional_(std::string(argument)))
          return unexpected(argument);
        continue;
      }
      const std::string_view body = argument.substr(argument[1] == '-' ? 2 : 1);
      const std::size_t equals = body.find('=');
      const bool has_value = equals != std::string_view::npos;
      const std::string_view name = body.substr(0, equals);
      const std::string_view as_written =
          argument.substr(0, argument.size() - body.size() + name.size());
      std::string value(has_value ? body.substr(equals + 1) : "true");

      const Flag* flag = find(name);
      if (flag == nullptr && !has_value) {
        flag = find_negated(name);
        value = "false";
      }
      if (flag == nullptr && is_allowed(name)) continue;
      if (flag == nullptr)
        return "unknown flag '" + std::string(as_written) + "'";
      if (!flag->is_switch && !has_value) {
        if (++i == argc) return "--" + flag->name + ": value missing";
        value = argv[i];
      }
      if (!flag->set(value))
        return "--" + flag->name + ": expected " + flag->kind + ", not '" +
               value + "'";
    }
    return {};
  }

 private:
  struct Flag {
    std::string name;
    std::string kind;
    bool is_switch;
    Setter set;
  };

  [[nodiscard]] static std::string unexpected(std::string_view argument) {
    return "unexpected argument '" + std::string(argument) + "'";
  }

  [[nodiscard]] const Flag* find(std::string_view name) const {
    for (const Flag& flag : flags_)
      if (flag.name == name) return &flag;
    return nullptr;
  }

  /// The switch that `name`, which starts with "no", turns off.
  [[nodiscard]] const Flag* find_negated(std::string_view name) const {
    if (name.substr(0, 2) != "no") return nullptr;
    const Flag* const flag = find(name.substr(2));
    return flag != nullptr && flag->is_switch ? flag : nullptr;
  }

  [[nodiscard]] bool is_allowed(std::string_view name) const {
    return std::any_of(allowed_.begin(), allowed_.end(),
                       [&](const std::string& allowed) {
                         return name == allowed || name == "no" + allowed;
                       });
  }

  std::vector<Flag> flags_{};
  std::vector<std::string> allowed_{};
  Setter positional_{};
};

}  // namespace flags

#endif  // SNUG_EXAMPLES_FLAGS_HPP
