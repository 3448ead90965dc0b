# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails unless README's C++ snippet is examples/hello.cpp, without the comment
# that opens the file.
file(READ ${SOURCE_DIR}/README.md readme)
file(READ ${SOURCE_DIR}/examples/hello.cpp example)
string(REPLACE "\r\n" "\n" readme "${readme}")
string(REPLACE "\r\n" "\n" example "${example}")

set(open "\n```cpp\n")
string(FIND "${readme}" "${open}" start)
if(start EQUAL -1)
  message(FATAL_ERROR "README.md has no C++ snippet")
endif()
string(LENGTH "${open}" length)
math(EXPR start "${start} + ${length}")
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
