// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads every header under SNUG_INCLUDE_DIR and reports what a library for
/// other people's compilers must not contain: exceptions, RTTI, virtual
/// functions, mutable statics and globals, streams, hashed containers, threads
/// but in the header that is for them. Also checks the licence line, the include
/// guard and the length.
///
/// First it must find what `kPlanted` hides and nothing in `kClean`.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr std::array<std::string_view, 12> kBannedWords = {
    "throw",        "try",  "catch",         "dynamic_cast",
    "typeid",       "goto", "virtual",       "random_device",
    "thread_local", "rand", "unordered_map", "unordered_set"};

constexpr std::array<std::string_view, 25> kBannedIncludes = {
    "any",          "condition_variable",
    "exception",    "filesystem",
    "fstream",      "functional",
    "future",       "iomanip",
    "ios",          "iosfwd",
    "iostream",     "istream",
    "map",          "mutex",
    "ostream",      "random",
    "regex",        "set",
    "sstream",      "stdexcept",
    "streambuf",    "thread",
    "typeinfo",     "unordered_map",
    "unordered_set"};

/// The one header with threads, which no other one includes.
constexpr std::string_view kThreaded = "snug/race.hpp";
constexpr std::array<std::string_view, 2> kOfThreads = {"#include <future>",
                                                        "#include <mutex>"};

constexpr std::ptrdiff_t kMaxLines = 400;

constexpr std::array<std::string_view, 12> kPlanted = {
    "#pragma once",
    "#include <iostream>",
    "#include <map>",
    "void f() { throw 1; }",
    "void f() { try { g(); } h(); }",
    "struct S { virtual void f() = 0; };",
    "bool b = typeid(x) == y;",
    "thread_local int x;",
    "int f() { static int calls = 0; return ++calls; }",
    "struct S { static inline std::size_t live; };",
    "inline std::vector<int> table{};",
    "#define SNUG_FAIL(x) throw(x)"};

constexpr std::string_view kClean =
    "// throw and <iostream> in a comment\n"
    "/* static int x; */ #include <vector>\n"
    "inline namespace v0 { inline constexpr int kMax = 10'000'000; }\n"
    "static_assert(sizeof(int) == 4, \"try virtual\");\n"
    "struct S { static constexpr int k = '\\''; static S make(int = 1); };\n"
    "inline bool operator==(S, S) { return R\"(catch \")\"[0] == 'c'; }\n"
    "inline int retry(int try_count) { return try_count; }\n";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

template <class Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Token {
  std::string_view text;
  std::size_t begin;
};

// The words and signs of `source` without comments, strings and spaces.
std::vector<Token> scan(std::string_view source) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  const auto skip_past = [&](std::string_view text, std::size_t from) {
    const std::size_t found = source.find(text, from);
    at = found == std::string_view::npos ? source.size() : found + text.size();
  };
  while (at < source.size()) {
    const char c = source[at];
    const std::string_view rest = source.substr(at);
    if (rest.substr(0, 2) == "//") {
      skip_past("\n", at);
    } else if (rest.substr(0, 2) == "/*") {
      skip_past("*/", at);
    } else if (rest.substr(0, 3) == "R\"(") {
      skip_past(")\"", at);
    } else if (c == '"' || c == '\'') {
      for (++at; at < source.size() && source[at] != c; ++at)
        if (source[at] == '\\') ++at;
      ++at;
    } else if (is_word(c)) {
      std::size_t end = at;
      while (end < source.size() &&
             (is_word(source[end]) || (source[end] == '\'' && is_digit(c))))
        ++end;
      tokens.push_back({source.substr(at, end - at), at});
      at = end;
    } else {
      if (!is_space(c)) tokens.push_back({source.substr(at, 1), at});
      ++at;
    }
  }
  return tokens;
}

// Whether the `static` or `inline` at `tokens[k]` declares an object that can
// change: neither a function nor a namespace nor a constant.
bool is_mutable_object(const std::vector<Token>& tokens, std::size_t k) {
  constexpr std::array<std::string_view, 5> kHarmless = {
      "const", "constexpr", "namespace", "operator", "("};
  constexpr std::array<std::string_view, 3> kEnds = {";", "=", "{"};
  for (++k; k < tokens.size(); ++k) {
    if (contains(kHarmless, tokens[k].text)) return false;
    if (contains(kEnds, tokens[k].text)) return true;
  }
  return false;
}

struct Finding {
  std::size_t begin;
  std::string what;
};

std::vector<Finding> find_banned(std::string_view source) {
  std::vector<Finding> findings;
  const std::vector<Token> tokens = scan(source);
  const auto text = [&](std::size_t k) {
    return k < tokens.size() ? tokens[k].text : std::string_view();
  };
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::string word(tokens[k].text);
    std::string what;
    if (contains(kBannedWords, word)) what = word;
    if (word == "pragma" && text(k + 1) == "once") what = "#pragma once";
    if (word == "include" && text(k + 1) == "<" &&
        contains(kBannedIncludes, text(k + 2)))
      what = "#include <" + std::string(text(k + 2)) + ">";
    // `static inline` is reported once, at its second word.
    if ((word == "static" && text(k + 1) != "inline") || word == "inline")
      if (is_mutable_object(tokens, k)) what = "object that can change";
    if (!what.empty()) findings.push_back({tokens[k].begin, what});
  }
  return findings;
}

int report(const std::string& path, std::ptrdiff_t line,
           const std::string& what) {
  std::printf("%s:%td: %s\n", path.c_str(), line, what.c_str());
  return 1;
}

int check_itself() {
  int failures = 0;
  for (const std::string_view planted : kPlanted)
    if (find_banned(planted).size() != 1)
      failures += report("planted", 0, std::string(planted));
  for (const Finding& finding : find_banned(kClean))
    failures += report("clean", 0, finding.what);
  return failures;
}

int check_header(const std::filesystem::path& path, std::string guard) {
  std::ifstream file(path, std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  const std::string name = path.generic_string();
  const auto line_of = [&](std::size_t position) {
    return 1 +
           std::count(source.begin(),
                      source.begin() + static_cast<std::ptrdiff_t>(position),
                      '\n');
  };
  int failures = 0;
  for (const Finding& finding : find_banned(source))
    if (guard != kThreaded || !contains(kOfThreads, finding.what))
      failures += report(name, line_of(finding.begin), finding.what);
  if (source.find("#include \"" + std::string(kThreaded)) != std::string::npos)
    failures += report(name, 1, "threads for those who did not ask for them");

  if (source.rfind("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
                   0) != 0)
    failures += report(name, 1, "no licence line");
  for (char& c : guard)
    c = is_word(c) ? static_cast<char>(std::toupper(c)) : '_';
  if (source.find("\n#ifndef " + guard + "\n#define " + guard + "\n") ==
      std::string_view::npos)
    failures += report(name, 1, "include guard is not " + guard);
  if (line_of(source.size()) > kMaxLines + 1)
    failures += report(name, kMaxLines + 1, "header is too long");
  return failures;
}

}  // namespace

int main() {
  const char* root = std::getenv("SNUG_INCLUDE_DIR");
  if (root == nullptr) return EXIT_FAILURE;
  int failures = check_itself();
  std::vector<std::filesystem::path> headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
  std::sort(headers.begin(), headers.end());
  for (const std::filesystem::path& header : headers)
    failures +=
        check_header(header, header.lexically_relative(root).generic_string());
  std::printf("%zu headers, %d findings\n", headers.size(), failures);
  return failures == 0 && !headers.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}
