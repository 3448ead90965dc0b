# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For tests of one PROGRAM in a new folder WORK. GUARDS are the sanitizers that the
# program was compiled with, or nothing.
foreach(needed PROGRAM WORK)
  if(NOT ${needed})
    message(FATAL_ERROR "-D ${needed}=... is missing")
  endif()
endforeach()
if(NOT DEFINED GUARDS)
  message(FATAL_ERROR "-D GUARDS=... is missing")
endif()
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(failures 0)
set(cases 0)

function(fail text)
  message("FAILED: ${text}")
  math(EXPR count "${failures} + 1")
  set(failures ${count} PARENT_SCOPE)
endfunction()

# case(exit stdout stderr arguments...): runs the program in `directory` and
# compares the exit status, and the two outputs as regular expressions that
# must match the whole text. Leaves the outputs in `out` and `err`.
set(directory ${WORK})
macro(case exit stdout stderr)
  math(EXPR cases "${cases} + 1")
  execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${directory}
                  RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  string(REPLACE "\r\n" "\n" out "${out}")
  string(REPLACE "\r\n" "\n" err "${err}")
  set(wrong "")
  if(NOT "${result}" STREQUAL "${exit}")
    string(APPEND wrong "  exit status ${result} instead of ${exit}\n")
  endif()
  if(NOT "${out}" MATCHES "^${stdout}$")
    string(APPEND wrong "  standard output does not match ${stdout}\n")
  endif()
  if(NOT "${err}" MATCHES "^${stderr}$")
    string(APPEND wrong "  standard error does not match ${stderr}\n")
  endif()
  if(wrong)
    fail("${PROGRAM} ${ARGN}\n${wrong}--- out\n${out}--- err\n${err}---")
  endif()
endmacro()

# full_case(arguments...): runs the program with its standard output on a device
# that has no room, where there is one. It must say so and return 2.
macro(full_case)
  if(EXISTS /dev/full)
    math(EXPR cases "${cases} + 1")
    execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${directory}
                    RESULT_VARIABLE result OUTPUT_FILE /dev/full
                    ERROR_VARIABLE err)
    if(NOT "${result}" STREQUAL "2" OR
       NOT "${err}" MATCHES "^standard output: [^\n]+\n$")
      fail("${PROGRAM} ${ARGN} >/dev/full: ${result}\n--- err\n${err}---")
    endif()
  endif()
endmacro()

# memory_case(stderr arguments...): lets the program read `much`, a file for which
# there is not the memory, which must return 3. Under the sanitizers of GUARDS,
# which need more from the start, it does nothing.
macro(memory_case stderr)
  if(UNIX AND NOT GUARDS)
    string(REPEAT "x" 134217728 much)
    file(WRITE ${WORK}/much "${much}")
    set(much)
    set(limited ${PROGRAM})
    set(PROGRAM sh -c "ulimit -v 100000 && exec \"$0\" \"$@\"" ${limited})
    case(3 "" "${stderr}" ${ARGN})
    set(PROGRAM ${limited})
    file(REMOVE ${WORK}/much)
  endif()
endmacro()

macro(finish)
  if(failures)
    message(FATAL_ERROR "${failures} failures in ${cases} cases")
  endif()
  message(STATUS "${cases} cases passed")
endmacro()
