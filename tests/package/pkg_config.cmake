# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles and runs a program with the flags that PKG_CONFIG has for the package
# installed under PREFIX, and compares the VERSION. The compiler is CXX, with the
# other FLAGS of this build; WORK is a folder.
if(NOT PKG_CONFIG)
  message("skipped: no pkg-config")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/share/pkgconfig)
function(ask out)
  execute_process(COMMAND ${PKG_CONFIG} ${ARGN} snug OUTPUT_VARIABLE text
                  RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${PKG_CONFIG} ${ARGN} snug fails")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

ask(version --modversion)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "version ${version} instead of ${VERSION}")
endif()
ask(flags --cflags --libs)
separate_arguments(flags UNIX_COMMAND "${FLAGS} ${flags}")
file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/tiny.cpp "#include <snug/model/check.hpp>
int main() {
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 2}, 5});
  return snug::check(problem).ok() ? 0 : 1;
}
")
execute_process(COMMAND ${CXX} -std=c++17 tiny.cpp -o tiny ${flags}
                WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "does not compile with: ${flags}")
endif()
execute_process(COMMAND ${WORK}/tiny RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the program ends with ${result}")
endif()
