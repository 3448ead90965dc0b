# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Opens the page that solve_csv --html writes in a browser without a window, and
# lets drive.js use it. Says SKIPPED where there is no such browser.
#
#   cmake -D SOLVE_CSV=program -D SOURCE_DIR=checkout -D WORK=folder
#         [-D CHROMIUM=program] -P this
cmake_minimum_required(VERSION 3.16)
foreach(needed SOLVE_CSV SOURCE_DIR WORK)
  if(NOT ${needed})
    message(FATAL_ERROR "-D ${needed}=... is missing")
  endif()
endforeach()
if(NOT CHROMIUM)
  message("SKIPPED: no chromium here, which would drive the page")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

execute_process(
  COMMAND ${SOLVE_CSV} ${SOURCE_DIR}/benchmarks/data/whole_model.csv
          --capacity=136 --base=16 --alignment=4 --reserve=48-64
          --reserve=96-112@4-6 --html=${WORK}/plain.html --quiet
  RESULT_VARIABLE result OUTPUT_QUIET)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "solve_csv: ${result}")
endif()
file(READ ${WORK}/plain.html page)
file(READ ${CMAKE_CURRENT_LIST_DIR}/drive.js drive)
string(REPLACE "<body>" "<body><script>let address = '';
history.replaceState = (state, title, to) => { address = to; };</script>"
       page "${page}")
string(REPLACE "</body>" "<script>${drive}</script></body>" page "${page}")
file(WRITE ${WORK}/page.html "${page}")

execute_process(
  COMMAND ${CHROMIUM} --headless --no-sandbox --disable-gpu --disable-quic
          --no-first-run --disable-background-networking
          --disable-component-update --disable-sync
          --user-data-dir=${WORK}/profile --window-size=1200,800
          --dump-dom file://${WORK}/page.html
  RESULT_VARIABLE result OUTPUT_VARIABLE page ERROR_VARIABLE noise TIMEOUT 60)
file(REMOVE_RECURSE ${WORK}/profile)
if(NOT page MATCHES "<pre id=\"driven\">([^<]*)done ([0-9]+)")
  message(FATAL_ERROR "the page was not driven to its end: ${result}\n${noise}")
endif()
set(report "${CMAKE_MATCH_1}")
set(checks ${CMAKE_MATCH_2})
if(report MATCHES "FAILED" OR checks LESS 40)
  message(FATAL_ERROR "${report}")
endif()
message(STATUS "${checks} checks passed")
