// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Prints a module of random functions that read and write buffers through
/// aliases: parts, selects, results of branches and loops, arguments of blocks.
/// `main` calls each of them, and prints a number that depends on all they read.
///
///     make_functions COUNT SEED
///
/// Every buffer is filled before it is read, so that the numbers are the same
/// wherever the buffers are.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

/// What all aliases are.
constexpr const char* kAlias = "memref<?xi32, strided<[1], offset: ?>>";

struct Alias {
  std::string name{};
  std::set<int> buffers{};  ///< those that it may be
  int length = 0;           ///< elements that it has at least
};

class Function {
 public:
  Function(int number, std::mt19937& random)
      : number_(number), random_(random) {}

  void print() {
    std::printf("func.func @f%d(%%seed: i32, %%flag: i1) -> i32 {\n", number_);
    for (int i = 0; i < 8; ++i)
      std::printf("  %%c%d = arith.constant %d : index\n", i, i);
    std::printf("  %%prime = arith.constant 31 : i32\n");
    std::printf("  %%shelf = memref.alloca() : memref<%s>\n", kAlias);
    sum_ = "%seed";
    const int steps = 6 + below(30);
    for (int step = 0; step < steps; ++step) print_step();
    if (!aliases_.empty() && below(3) == 0)
      print_blocks();
    else
      while (!aliases_.empty()) print_end();
    std::printf("  return %s : i32\n}\n", sum_.c_str());
  }

 private:
  [[nodiscard]] int below(int bound) {
    return static_cast<int>(random_() % static_cast<unsigned>(bound));
  }
  [[nodiscard]] std::string fresh() { return "%v" + std::to_string(values_++); }
  [[nodiscard]] const Alias& any() {
    return aliases_[static_cast<std::size_t>(
        below(static_cast<int>(aliases_.size())))];
  }

  void print_step() {
    if (aliases_.empty()) return print_buffer();
    const Alias a = any();
    const Alias b = any();
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        return print_buffer();
      case 3:
        return print_part(a);
      case 4:
        return print_select(a, b);
      case 5:
        return print_if(a, b);
      case 6:
        return print_loop(a, b);
      case 7:
        return print_call(a);
      case 8:
        return print_end();
      case 9:
        return print_store(a);
      case 10:
        return below(3) == 0 ? print_shelf(a) : print_load(a);
      default:
        return print_load(a);
    }
  }

  void print_buffer() {
    const int buffer = buffers_++;
    const int length = 2 + below(7);
    const std::string type = "memref<" + std::to_string(length) + "xi32>";
    const std::string memref = "%b" + std::to_string(buffer);
    types_.push_back(type);
    std::printf("  %s = memref.alloc() : %s\n", memref.c_str(), type.c_str());
    std::printf("  linalg.fill ins(%s : i32) outs(%s : %s)\n", sum_.c_str(),
                memref.c_str(), type.c_str());
    Alias alias{fresh(), {buffer}, length};
    std::printf("  %s = memref.cast %s : %s to %s\n", alias.name.c_str(),
                memref.c_str(), type.c_str(), kAlias);
    aliases_.push_back(alias);
  }

  void print_part(const Alias& of) {
    if (of.length < 2) return;
    const int at = below(of.length);
    Alias part{fresh(), of.buffers, of.length - at};
    std::printf("  %s = memref.subview %s[%%c%d][%%c%d][1] : %s to %s\n",
                part.name.c_str(), of.name.c_str(), (std::min)(at, 7),
                (std::min)(part.length, 7), kAlias, kAlias);
    part.length = (std::min)(part.length, 7);
    aliases_.push_back(part);
  }

  [[nodiscard]] Alias either(const Alias& a, const Alias& b) {
    Alias alias{fresh(), a.buffers, (std::min)(a.length, b.length)};
    alias.buffers.insert(b.buffers.begin(), b.buffers.end());
    return alias;
  }

  void print_select(const Alias& a, const Alias& b) {
    const Alias alias = either(a, b);
    std::printf("  %s = arith.select %%flag, %s, %s : %s\n", alias.name.c_str(),
                a.name.c_str(), b.name.c_str(), kAlias);
    aliases_.push_back(alias);
  }

  void print_if(const Alias& a, const Alias& b) {
    const Alias alias = either(a, b);
    const std::string sum = fresh();
    std::printf("  %s, %s = scf.if %%flag -> (%s, i32) {\n", alias.name.c_str(),
                sum.c_str(), kAlias);
    const std::string before = sum_;
    print_load(a);
    std::printf("  scf.yield %s, %s : %s, i32\n  } else {\n", a.name.c_str(),
                sum_.c_str(), kAlias);
    sum_ = before;
    print_store(a);
    std::printf("  scf.yield %s, %s : %s, i32\n  }\n", b.name.c_str(),
                sum_.c_str(), kAlias);
    sum_ = sum;
    aliases_.push_back(alias);
  }

  /// Two aliases change places from round to round.
  void print_loop(const Alias& a, const Alias& b) {
    const Alias alias = either(a, b);
    const Alias from = either(a, b);
    const Alias to = either(a, b);
    const std::string sum = fresh();
    const std::string inner = fresh();
    std::printf(
        "  %s, %s_, %s = scf.for %%i = %%c0 to %%c%d step %%c1\n"
        "      iter_args(%s = %s, %s = %s, %s = %s) -> (%s, %s, i32) {\n",
        alias.name.c_str(), alias.name.c_str(), sum.c_str(), below(4),
        from.name.c_str(), a.name.c_str(), to.name.c_str(), b.name.c_str(),
        inner.c_str(), sum_.c_str(), kAlias, kAlias);
    sum_ = inner;
    print_load(from);
    print_store(to);
    std::printf("  scf.yield %s, %s, %s : %s, %s, i32\n  }\n", to.name.c_str(),
                from.name.c_str(), sum_.c_str(), kAlias, kAlias);
    sum_ = sum;
    aliases_.push_back(alias);
  }

  void print_call(const Alias& alias) {
    const std::string result = fresh();
    std::printf("  %s = func.call @touch(%s) : (%s) -> i32\n", result.c_str(),
                alias.name.c_str(), kAlias);
    add(result);
  }

  /// Stored and loaded, so that nothing tells which buffer it is.
  void print_shelf(const Alias& of) {
    const Alias alias{fresh(), of.buffers, of.length};
    std::printf("  memref.store %s, %%shelf[] : memref<%s>\n", of.name.c_str(),
                kAlias);
    std::printf("  %s = memref.load %%shelf[] : memref<%s>\n",
                alias.name.c_str(), kAlias);
    aliases_.push_back(alias);
  }

  /// No more of one buffer: often it is deallocated.
  void print_end() {
    const std::set<int> buffers = any().buffers;
    const int buffer = *buffers.begin();
    aliases_.erase(std::remove_if(aliases_.begin(), aliases_.end(),
                                  [&](const Alias& alias) {
                                    return alias.buffers.count(buffer) != 0;
                                  }),
                   aliases_.end());
    if (below(3) != 0)
      std::printf("  memref.dealloc %%b%d : %s\n", buffer,
                  types_[static_cast<std::size_t>(buffer)].c_str());
  }

  void print_store(const Alias& alias) {
    std::printf("  memref.store %s, %s[%%c%d] : %s\n", sum_.c_str(),
                alias.name.c_str(), index(alias), kAlias);
  }

  void print_load(const Alias& alias) {
    const std::string loaded = fresh();
    std::printf("  %s = memref.load %s[%%c%d] : %s\n", loaded.c_str(),
                alias.name.c_str(), index(alias), kAlias);
    add(loaded);
  }

  [[nodiscard]] int index(const Alias& alias) {
    return below((std::min)(alias.length, 8));
  }

  void add(const std::string& value) {
    const std::string product = fresh();
    const std::string sum = fresh();
    std::printf("  %s = arith.muli %s, %%prime : i32\n", product.c_str(),
                sum_.c_str());
    std::printf("  %s = arith.addi %s, %s : i32\n", sum.c_str(),
                product.c_str(), value.c_str());
    sum_ = sum;
  }

  void print_blocks() {
    const Alias a = any();
    const Alias b = any();
    const Alias argument = either(a, b);
    std::printf("  cf.cond_br %%flag, ^more(%s : %s), ^more(%s : %s)\n",
                a.name.c_str(), kAlias, b.name.c_str(), kAlias);
    std::printf("^more(%s: %s):\n", argument.name.c_str(), kAlias);
    print_load(argument);
    print_store(any());
    print_load(any());
    std::printf("  cf.br ^exit\n^exit:\n");
    print_load(argument);
  }

  int number_;
  std::mt19937& random_;
  std::vector<Alias> aliases_{};  ///< of the entry block
  std::vector<std::string> types_{};
  int buffers_ = 0;
  int values_ = 0;
  std::string sum_{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int count = std::atoi(argv[1]);
  std::mt19937 random(static_cast<unsigned>(std::atoi(argv[2])));
  std::puts("func.func private @printI64(i64)");
  std::puts("func.func private @printNewline()");
  std::printf(
      "func.func private @touch(%%m: %s) -> i32 {\n"
      "  %%c0 = arith.constant 0 : index\n"
      "  %%old = memref.load %%m[%%c0] : %s\n"
      "  %%new = arith.addi %%old, %%old : i32\n"
      "  memref.store %%new, %%m[%%c0] : %s\n"
      "  return %%old : i32\n}\n",
      kAlias, kAlias, kAlias);
  for (int i = 0; i < count; ++i) Function(i, random).print();
  std::puts("func.func @main() {\n  %yes = arith.constant true");
  std::puts("  %no = arith.constant false\n  %seed = arith.constant 7 : i32");
  for (int i = 0; i < count; ++i)
    for (const char* flag : {"yes", "no"})
      std::printf(
          "  %%%s%d = call @f%d(%%seed, %%%s) : (i32, i1) -> i32\n"
          "  %%%s%d_long = arith.extsi %%%s%d : i32 to i64\n"
          "  call @printI64(%%%s%d_long) : (i64) -> ()\n"
          "  call @printNewline() : () -> ()\n",
          flag, i, i, flag, flag, i, flag, i, flag, i);
  std::puts("  return\n}");
  return 0;
}
