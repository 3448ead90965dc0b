# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles and runs SOURCE with the flags that PKG_CONFIG has for the PACKAGE
# installed under PREFIX, and compares the VERSION. COMPILER is a list: the
# compiler and other flags; WORK is a folder.
if(NOT PKG_CONFIG)
  message("skipped: no pkg-config")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/share/pkgconfig)
function(ask out)
  execute_process(COMMAND ${PKG_CONFIG} ${ARGN} ${PACKAGE} OUTPUT_VARIABLE text
                  RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${PKG_CONFIG} ${ARGN} ${PACKAGE} fails")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

ask(version --modversion)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "version ${version} instead of ${VERSION}")
endif()
# What is installed is static, if it is a library.
ask(flags --static --cflags --libs)
separate_arguments(flags UNIX_COMMAND "${flags}")
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${COMPILER} ${SOURCE} -o tiny ${flags}
                WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "does not compile with: ${flags}")
endif()
execute_process(COMMAND ${WORK}/tiny RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the program ends with ${result}")
endif()
