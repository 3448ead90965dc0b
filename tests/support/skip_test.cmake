# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A test that is skipped shows as such, and one that fails never does. Runs
# ctest on the test cases of skip_probe.cpp, as they are added for the one that
# is not in hiding. Wants PROBE, the program; TESTS_DIR, where it was built;
# CTEST.

# What a test program gives back.
foreach(expected "0;this one passes" "4;this one is skipped"
        "4;one section of this one is skipped" "0;this*")
  list(GET expected 0 wanted)
  list(GET expected 1 name)
  if(name STREQUAL "this*")  # Not all of them are skipped.
    set(name "this one passes,this one is skipped")
  endif()
  execute_process(COMMAND ${PROBE} ${name} RESULT_VARIABLE status
                  OUTPUT_VARIABLE output)
  if(NOT status EQUAL wanted)
    message(SEND_ERROR "'${name}' gives ${status}, not ${wanted}:\n${output}")
  endif()
endforeach()
foreach(name "this one fails and is skipped"
        "this one fails as often as the status of what is skipped")
  execute_process(COMMAND ${PROBE} ${name} RESULT_VARIABLE status OUTPUT_QUIET)
  if(status EQUAL 0 OR status EQUAL 4)
    message(SEND_ERROR "a failure is hidden: '${name}' gives ${status}")
  endif()
endforeach()

# What ctest makes of it.
file(GLOB discovered ${TESTS_DIR}/skip_probe*_tests*.cmake)
list(LENGTH discovered files)
if(NOT files EQUAL 1)
  message(FATAL_ERROR "one list of skip_probe's tests, not '${discovered}'")
endif()
file(READ ${discovered} shown)
set(folder ${TESTS_DIR}/skip_probe_ctest)
file(REMOVE_RECURSE ${folder})
foreach(expected "Passed;this one passes" "Skipped;this one is skipped"
        "Failed;this one fails and is skipped")
  list(GET expected 0 wanted)
  list(GET expected 1 name)
  string(REPLACE "this one passes" "${name}" tests "${shown}")
  file(WRITE ${folder}/CTestTestfile.cmake "${tests}")
  execute_process(COMMAND ${CTEST} --no-tests=error WORKING_DIRECTORY ${folder}
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT output MATCHES "skip[.]${name} [.* ]+${wanted} ")
    message(SEND_ERROR "'${name}' is not shown as ${wanted}:\n${output}")
  endif()
endforeach()
