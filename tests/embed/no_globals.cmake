# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails when OBJECT holds a static constructor, a guarded static, or a mutable
# object of namespace snug. NM prints the symbols.
execute_process(COMMAND ${NM} ${OBJECT} OUTPUT_VARIABLE symbols
                RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT symbols MATCHES "4snug")
  message(FATAL_ERROR "${NM} shows no symbol of snug in ${OBJECT}")
endif()
set(found "")
if(symbols MATCHES "[^\n]*(_GLOBAL__(sub_)?I_|__cxx_global_var_init)[^\n]*")
  string(APPEND found "static constructor: ${CMAKE_MATCH_0}\n")
endif()
if(symbols MATCHES "[^\n]* [a-zA-Z] _*ZGV[^\n]*")
  string(APPEND found "guarded static: ${CMAKE_MATCH_0}\n")
endif()
if(symbols MATCHES "[^\n]* [bBdDC] [^\n]*4snug[^\n]*")
  string(APPEND found "mutable global: ${CMAKE_MATCH_0}\n")
endif()
if(found)
  message(FATAL_ERROR "${found}")
endif()
