# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails unless README's first C++ snippet is examples/hello.cpp, without the comment
# that opens the file, CXX, if it is given, accepts the others, and every link of
# every page within the project leads to a file, and to a heading if it names one.
file(READ ${SOURCE_DIR}/README.md readme)
file(READ ${SOURCE_DIR}/examples/hello.cpp example)
string(REPLACE "\r\n" "\n" readme "${readme}")
string(REPLACE "\r\n" "\n" example "${example}")

set(open "\n```cpp\n")
string(FIND "${readme}" "${open}" start)
if(start EQUAL -1)
  message(FATAL_ERROR "README.md has no C++ snippet")
endif()
string(LENGTH "${open}" open_length)
math(EXPR start "${start} + ${open_length}")
string(SUBSTRING "${readme}" ${start} -1 snippet)
string(FIND "${snippet}" "```" end)
string(SUBSTRING "${snippet}" 0 ${end} snippet)

while(example MATCHES "^(//[^\n]*)?\n")
  string(LENGTH "${CMAKE_MATCH_0}" length)
  string(SUBSTRING "${example}" ${length} -1 example)
endwhile()

if(NOT snippet STREQUAL example)
  message(FATAL_ERROR "README.md's snippet differs from examples/hello.cpp\n"
                      "--- README.md\n${snippet}--- hello.cpp\n${example}")
endif()

# Each of the others in a block of its own, with the names that they leave to the
# reader.
if(CXX)
  set(program "#include <snug/snug.hpp>
#include <chrono>
#include <vector>
using Offsets = std::vector<std::int64_t>;
void use(const Offsets&);
void snippets(snug::Problem<> problem, const snug::Result<>& previous,
              const snug::Buffer<>& buffer, std::int64_t capacity,
              const Offsets& cost, std::size_t sum, std::size_t operand) {
")
  string(FIND "${readme}" "${snippet}" start)
  string(SUBSTRING "${readme}" ${start} -1 rest)
  string(FIND "${rest}" "${open}" start)
  while(NOT start EQUAL -1)
    math(EXPR start "${start} + ${open_length}")
    string(SUBSTRING "${rest}" ${start} -1 rest)
    string(FIND "${rest}" "```" end)
    string(SUBSTRING "${rest}" 0 ${end} block)
    string(APPEND program "{\n${block}}\n")
    string(FIND "${rest}" "${open}" start)
  endwhile()
  file(WRITE ${WORK}/readme_snippets.cpp "${program}}\n")
  execute_process(
    COMMAND ${CXX} -std=c++17 -fsyntax-only -I${SOURCE_DIR}/include
            ${WORK}/readme_snippets.cpp RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "README.md has a C++ snippet that does not compile")
  endif()
endif()

foreach(page README.md benchmarks/README.md benchmarks/NOTES.md
             benchmarks/COMPARISON.md examples/README.md)
  get_filename_component(folder ${SOURCE_DIR}/${page} DIRECTORY)
  file(READ ${SOURCE_DIR}/${page} text)
  string(REPLACE ";" "" text "${text}")
  string(REGEX MATCHALL "]\\([^()\n]+\\)" links "${text}")
  string(REPLACE "]" "" links "${links}")
  foreach(link IN LISTS links)
    string(REGEX REPLACE "^\\((.*)\\)$" "\\1" link "${link}")
    if(link MATCHES "^https?:")
      continue()
    endif()
    string(REGEX REPLACE "#.*$" "" file "${link}")
    if(NOT EXISTS "${folder}/${file}")
      message(SEND_ERROR "${page} links to ${link}, which is not there")
      continue()
    endif()
    if(NOT link MATCHES "#(.*)$")
      continue()
    endif()
    set(heading "${CMAKE_MATCH_1}")
    if(file)
      file(READ ${folder}/${file} target)
    else()
      set(target "${text}")
    endif()
    string(TOLOWER "${target}" target)
    string(REPLACE " " "-" target "${target}")
    if(NOT target MATCHES "\n#+-${heading}\n")
      message(SEND_ERROR "${page} links to ${link}, a heading that is not there")
    endif()
  endforeach()
endforeach()
