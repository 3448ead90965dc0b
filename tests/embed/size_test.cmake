# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails when the code of one solve() takes more than LIMIT bytes at -Os, without
# exceptions and RTTI. Code is what is in the sections .text*; the total that
# is printed has constants and unwind tables, which most linkers drop, too.
#
# CXX compiles SOURCE with the headers in INCLUDE_DIR to OBJECT, with the solve()
# of the namespace ENTRY; SIZE prints the sections.
set(object ${OBJECT})
execute_process(
  COMMAND ${CXX} -std=c++17 -Os -DNDEBUG -fno-exceptions -fno-rtti
          -DENTRY=${ENTRY} -I${INCLUDE_DIR} -c ${SOURCE} -o
          ${object} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${CXX} does not compile ${SOURCE}")
endif()
execute_process(COMMAND ${SIZE} -A ${object} OUTPUT_VARIABLE sections
                RESULT_VARIABLE result)
execute_process(COMMAND ${SIZE} ${object} OUTPUT_VARIABLE totals)
string(REGEX MATCHALL "\n\\.text[^ ]* +[0-9]+" lines "${sections}")
set(text 0)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^.* ([0-9]+)$" "\\1" bytes "${line}")
  math(EXPR text "${text} + ${bytes}")
endforeach()
string(REGEX MATCH "\n\\.eh_frame +[0-9]+" unwind "${sections}")
string(REGEX REPLACE "^.* " "" unwind "${unwind}")
file(REMOVE ${object})
message("one solve(): ${text} bytes of code, ${unwind} of unwind tables, limit"
        " ${LIMIT}\n${totals}")
if(NOT result EQUAL 0 OR text EQUAL 0)
  message(FATAL_ERROR "${SIZE} shows no code:\n${sections}")
endif()
if(text GREATER LIMIT)
  message(FATAL_ERROR "the code is too large")
endif()
