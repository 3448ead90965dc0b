// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads a FlatBuffer that nobody has checked: no byte outside the file is ever
/// read, whatever the file says.
///
///     root:  u32 ──▶ table: i32 ──(back)──▶ vtable: u16 its size, u16 the
///                    table's size, then for each field u16: where in the table
///                    it is, 0 where it is not
///     field: a scalar, or u32 ──▶ table, vector (u32 length, elements) or text
///
/// All numbers are little-endian. References (u32) count from where they stand
/// and point forward, so that whole files can be put behind new bytes.
///
/// The first fault is kept: what is wrong, and at which byte of the file. After
/// it all readers give nothing, so that a caller may look at fault() late.
///
/// A file that refers to the same list over and over could ask for far more work
/// than it has bytes: list() and text() let no more elements and letters pass
/// than four times the bytes of the file.
#ifndef SNUG_EXAMPLES_TFLITE_FLATBUFFER_HPP
#define SNUG_EXAMPLES_TFLITE_FLATBUFFER_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tflite {

/// What is wrong with a file, and the byte at which.
struct Fault {
  std::size_t offset = 0;
  std::string message{};

  [[nodiscard]] bool ok() const noexcept { return message.empty(); }
};

/// A table in the file; `at` is 0 where there is none.
struct Table {
  std::size_t at = 0;
  std::size_t vtable = 0;
  std::uint32_t vtable_size = 0;
  std::uint32_t size = 0;

  [[nodiscard]] bool exists() const noexcept { return at != 0; }
};

/// The elements of a vector in the file; `at` is 0 where there is none.
struct Vector {
  std::size_t at = 0;  ///< the first element
  std::size_t count = 0;
};

class Flatbuffer {
 public:
  /// Refers to `bytes`.
  explicit Flatbuffer(std::string_view bytes)
      : bytes_(bytes),
        elements_left_(std::uint64_t{bytes.size()} * 4 + 65536) {}

  [[nodiscard]] const Fault& fault() const noexcept { return fault_; }
  [[nodiscard]] bool ok() const noexcept { return fault_.ok(); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }

  /// Keeps the first fault. Returns false.
  bool fail(std::size_t offset, std::string message) {
    if (ok()) fault_ = {offset, std::move(message)};
    return false;
  }

  [[nodiscard]] std::uint32_t u8(std::size_t at) { return number<1>(at); }
  [[nodiscard]] std::uint32_t u16(std::size_t at) { return number<2>(at); }
  [[nodiscard]] std::uint32_t u32(std::size_t at) { return number<4>(at); }
  [[nodiscard]] std::int32_t i32(std::size_t at) {
    return static_cast<std::int32_t>(u32(at));
  }
  [[nodiscard]] std::uint64_t u64(std::size_t at) {
    const std::uint64_t low = u32(at);
    return low | std::uint64_t{u32(at + 4)} << 32;
  }

  /// The place that the reference at `at` points to.
  [[nodiscard]] std::size_t follow(std::size_t at) {
    const std::uint32_t distance = u32(at);
    if (!ok()) return 0;
    if (distance < 4 || distance > size() - at) {
      fail(at, "reference points outside the file");
      return 0;
    }
    return at + distance;
  }

  /// The table that the reference at `at` points to.
  [[nodiscard]] Table table(std::size_t at) {
    Table out;
    const std::size_t place = follow(at);
    if (!has(place, 4, "table")) return {};
    const std::int64_t vtable =
        static_cast<std::int64_t>(place) - std::int64_t{i32(place)};
    if (vtable < 0 || static_cast<std::uint64_t>(vtable) > size() - 4) {
      fail(place, "table without a vtable: that lies outside the file");
      return {};
    }
    out.vtable = static_cast<std::size_t>(vtable);
    out.vtable_size = u16(out.vtable);
    out.size = u16(out.vtable + 2);
    if (out.vtable_size < 4 || out.vtable_size % 2 != 0 ||
        out.vtable_size > size() - out.vtable) {
      fail(out.vtable, "vtable has a bad size");
      return {};
    }
    if (out.size < 4 || out.size > size() - place) {
      fail(out.vtable + 2, "table has a bad size");
      return {};
    }
    out.at = place;
    return out;
  }

  /// The place of a field of `width` bytes; 0 where the table lacks it.
  [[nodiscard]] std::size_t field(const Table& table, std::uint32_t index,
                                  std::uint32_t width) {
    const std::uint32_t slot = 4 + 2 * index;
    if (!table.exists() || slot + 2 > table.vtable_size) return 0;
    const std::uint32_t place = u16(table.vtable + slot);
    if (place == 0) return 0;
    if (place < 4 || place > table.size || width > table.size - place) {
      fail(table.vtable + slot, "field lies outside its table");
      return 0;
    }
    return table.at + place;
  }

  /// A scalar field, or `otherwise` where the table lacks it.
  [[nodiscard]] std::uint32_t get_u32(const Table& table, std::uint32_t index) {
    const std::size_t at = field(table, index, 4);
    return at == 0 ? 0 : u32(at);
  }
  [[nodiscard]] std::uint32_t get_u8(const Table& table, std::uint32_t index) {
    const std::size_t at = field(table, index, 1);
    return at == 0 ? 0 : u8(at);
  }
  [[nodiscard]] std::uint64_t get_u64(const Table& table, std::uint32_t index) {
    const std::size_t at = field(table, index, 8);
    return at == 0 ? 0 : u64(at);
  }

  [[nodiscard]] Table get_table(const Table& of, std::uint32_t index) {
    const std::size_t at = field(of, index, 4);
    return at == 0 ? Table{} : table(at);
  }

  /// A field that is a vector of elements of `width` bytes.
  [[nodiscard]] Vector vector(const Table& table, std::uint32_t index,
                              std::size_t width) {
    const std::size_t at = field(table, index, 4);
    if (at == 0) return {};
    const std::size_t place = follow(at);
    if (!has(place, 4, "vector")) return {};
    const std::size_t count = u32(place);
    if (count > (size() - place - 4) / width) {
      fail(place, "vector reaches beyond the end of the file");
      return {};
    }
    return {place + 4, count};
  }

  /// As vector(), for one whose elements are all looked at.
  [[nodiscard]] Vector list(const Table& table, std::uint32_t index,
                            std::size_t width) {
    const Vector out = vector(table, index, width);
    if (out.count > elements_left_) {
      fail(out.at, "lists are referred to over and over");
      return {};
    }
    elements_left_ -= out.count;
    return out;
  }

  /// A field that is text, which others may copy for each table that has it.
  [[nodiscard]] std::string_view text(const Table& table, std::uint32_t index) {
    const Vector letters = list(table, index, 1);
    return ok() ? bytes_.substr(letters.at, letters.count) : std::string_view();
  }

 private:
  /// Whether there are `count` bytes at `at`, which is not 0.
  [[nodiscard]] bool has(std::size_t at, std::size_t count, const char* what) {
    if (!ok()) return false;
    return (at <= size() && count <= size() - at) ||
           fail(at, std::string(what) + " reaches beyond the end of the file");
  }

  template <std::size_t kBytes>
  [[nodiscard]] std::uint32_t number(std::size_t at) {
    if (!has(at, kBytes, "number")) return 0;
    std::uint32_t value = 0;
    for (std::size_t k = kBytes; k-- > 0;)
      value = value << 8U | static_cast<unsigned char>(bytes_[at + k]);
    return value;
  }

  std::string_view bytes_;
  std::uint64_t elements_left_;
  Fault fault_{};
};

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_FLATBUFFER_HPP
