# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures with the libraries and without a build type, and checks how the C++
# and the C interface and the program would be compiled.
#
#   cmake -D SOURCE_DIR=checkout -D CXX=compiler -D GENERATOR=name -D WORK=folder -P this
cmake_minimum_required(VERSION 3.16)
file(REMOVE_RECURSE ${WORK})
set(ENV{CXXFLAGS} "")
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK} -G "${GENERATOR}"
          -DSNUG_COMPILED=ON -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=
          -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  RESULT_VARIABLE failed OUTPUT_QUIET)
if(failed)
  message(FATAL_ERROR "cannot configure")
endif()
file(STRINGS ${WORK}/compile_commands.json commands REGEX "\"command\":")
list(LENGTH commands count)
if(NOT count EQUAL 3)
  message(FATAL_ERROR "${count} commands instead of 3")
endif()
foreach(command IN LISTS commands)
  if(NOT command MATCHES " -O2 ")
    message(FATAL_ERROR "not optimised: ${command}")
  endif()
endforeach()
