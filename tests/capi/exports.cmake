# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails unless the shared LIBRARY exports the functions that HEADER declares and
# nothing else. NM prints the symbols.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE symbols RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${NM} does not read ${LIBRARY}")
endif()
string(REGEX MATCHALL "[^ \n]+\n" exported "${symbols}")
string(REPLACE "\n" "" exported "${exported}")
list(SORT exported)

file(READ ${HEADER} text)
string(REGEX MATCHALL "SNUG_C_API [^()]* \\*?(snug_[a-z_]+)\\(" declared
                      "${text}")
list(TRANSFORM declared REPLACE "^.* \\*?(snug_[a-z_]+)\\($" "\\1")
list(SORT declared)
if(NOT declared OR NOT exported STREQUAL declared)
  message(FATAL_ERROR "exported: ${exported}\ndeclared: ${declared}")
endif()
list(LENGTH declared count)
message(STATUS "${count} functions")
