// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// check_certificate: whether a certificate proves that buffers do not fit.
///
///     c++ -std=c++17 -O2 examples/check_certificate.cpp -o check_certificate
///     ./solve_csv FILE.csv --capacity=N --certificate=FILE.proof
///     ./check_certificate FILE.csv FILE.proof
///
/// A base and what is reserved are printed, as they are not in the file: the
/// bytes below the base are the first reserved range.
///
/// Small enough to be read by whoever has to believe it, and independent of the
/// library: certificate/problem.hpp reads the problem, certificate/check.hpp
/// judges. Exit status: 0 it does, 1 it does not, 2 bad usage or bad input, 3
/// out of memory.
#include "certificate/check.hpp"
#include "certificate/problem.hpp"
#include "files.hpp"
#include "out_of_memory.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

/// The memory that a certificate speaks of, as solve_csv is told.
std::string memory_of(const certificate::Verdict& verdict) {
  std::string text = std::to_string(verdict.capacity);
  if (verdict.alignment != 1)
    text += " --alignment=" + std::to_string(verdict.alignment);
  for (const certificate::Reserved& range : verdict.reserved) {
    text += " --reserve=" + std::to_string(range.lower) + '-' +
            std::to_string(range.upper);
    if (!range.is_for_all_time())
      text +=
          '@' + std::to_string(range.from) + '-' + std::to_string(range.until);
  }
  return text;
}

int run(const char* const* argv) {
  std::string text[2];
  certificate::Problem problem;
  if (!files::load(argv[1], text[0]) || !files::load(argv[2], text[1]) ||
      !files::report(argv[1], certificate::read_problem(text[0], problem)))
    return 2;
  const certificate::Verdict verdict =
      certificate::Checker(problem).check(text[1]);
  if (!verdict.fault.empty()) {
    std::printf("rejected: %s\n", verdict.fault.c_str());
    return 1;
  }
  std::printf("checked: no placement within %s (lemmas: %zu)\n",
              memory_of(verdict).c_str(), verdict.lemmas);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::puts(
        "check_certificate FILE.csv FILE.proof\n"
        "Says whether a certificate proves that buffers do not fit.\n"
        "Exit status: 0 it does; 1 it does not; 2 bad usage or bad input;\n"
        "3 out of memory.");
    return files::finish(0, 2);
  }
  if (argc != 3) {
    files::print_error(
        "check_certificate: expected FILE.csv FILE.proof (see --help)");
    return 2;
  }
  return files::finish(catch_out_of_memory(3, "", [&] { return run(argv); }),
                       2);
}
