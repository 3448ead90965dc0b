# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Has solve_csv write certificates and check_certificate judge them.
#
#   cmake -D PROGRAM=check_certificate -D SOLVE_CSV=program \
#         -D GUARDS=sanitizers -D WORK=folder -P this
cmake_minimum_required(VERSION 3.16)
include(${CMAKE_CURRENT_LIST_DIR}/case.cmake)

macro(solve)
  execute_process(COMMAND ${SOLVE_CSV} ${ARGN} --quiet WORKING_DIRECTORY ${WORK}
                  OUTPUT_QUIET ERROR_VARIABLE err RESULT_VARIABLE result)
endmacro()

# A tight walk whose load is 12 and whose lowest height is 13.
file(WRITE ${WORK}/walk.csv
     "id,lower,upper,size\na,0,1,8\nb,0,1,3\nc,1,2,11\nd,2,3,8\ne,0,4,1\n"
     "f,3,4,7\ng,2,5,3\nh,4,5,8\ni,3,6,1\nj,5,6,11\nk,6,7,11\nl,6,7,1\n")
set(checked "checked: no placement within 12 .lemmas: [0-9]+.\n")
solve(walk.csv --capacity=12 --certificate=proof)
case(0 "${checked}" "" walk.csv proof)
solve(walk.csv --certificate=proof_of_height)
case(0 "${checked}" "" walk.csv proof_of_height)
file(READ ${WORK}/proof text)
string(REPLACE "capacity 12" "capacity 13" text "${text}")
file(WRITE ${WORK}/wrong "${text}")
case(1 "rejected: lemma 0: the stack fits\n" "" walk.csv wrong)

# A fixed buffer in the way of one that would fit.
file(WRITE ${WORK}/fixed.csv "id,lower,upper,size,offset\na,0,1,2,1\nb,0,1,2,\n")
solve(fixed.csv --capacity=4 --certificate=proof_of_fixed)
case(0 "checked: no placement within 4 .lemmas: 1.\n" "" fixed.csv
     proof_of_fixed)

# Buffers that share bytes, and one whose distance from another one is at fault.
file(WRITE ${WORK}/alias.csv
     "id,lower,upper,size,alias\na,0,2,8,\nb,0,1,8,a\nc,2,3,8,'a'+1\n")
solve(alias.csv --capacity=7 --certificate=proof_of_alias)
case(0 "checked: no placement within 7 .lemmas: 1.\n" "" alias.csv
     proof_of_alias)

# Memory that is not all there is what the certificate says, not the file.
file(WRITE ${WORK}/two.csv "id,lower,upper,size\na,0,4,4\nb,2,6,4\n")
solve(two.csv --capacity=15 --base=1 --alignment=2 --reserve=4-6
      --reserve=12-13@3-5 --certificate=proof_of_reserved)
case(0 "checked: no placement within 15 --alignment=2 --reserve=0-1 --reserve=4-6 --reserve=12-13@3-5 .lemmas: [0-9]+.\n"
     "" two.csv proof_of_reserved)
file(READ ${WORK}/proof_of_reserved text)
string(REPLACE "reserved 12 13 3 5\n" "" text "${text}")
file(WRITE ${WORK}/wrong "${text}")
case(1 "rejected: lemma 0: bad term\n" "" two.csv wrong)

# What fits, what is stopped and what rests on ties has none, which is said; a
# file that is there stays as it is.
file(WRITE ${WORK}/kept "kept\n")
macro(solve_without reason)
  foreach(name none kept)
    solve(${ARGN} --certificate=${name})
    if(NOT err MATCHES "${name}: not written: ${reason}")
      fail("${ARGN}: ${err}")
    endif()
  endforeach()
endmacro()
solve_without("the buffers fit\n" walk.csv --capacity=13)
solve_without("stopped by a limit\n" walk.csv --capacity=12 --nodes=1)
solve_without("stopped by a limit\n" walk.csv --nodes=1)
solve_without("the proof needs gaps" alias.csv --capacity=8)
file(WRITE ${WORK}/empty.csv "id,lower,upper,size\n")
solve_without("no height is below zero\n" empty.csv)
file(READ ${WORK}/kept text)
if(NOT text STREQUAL "kept\n")
  fail("kept: ${text}")
endif()
if(EXISTS ${WORK}/none)
  fail("none should not exist")
endif()

case(2 "" "none: [^\n]+\n" none proof)
case(2 "" "check_certificate: expected FILE.csv FILE.proof [^\n]+\n" walk.csv)
case(0 "check_certificate FILE.csv FILE.proof\n.*" "" --help)
file(WRITE ${WORK}/bad.csv "id,lower,upper\na,0,1\n")
case(2 "" "bad.csv: buffer 0: not an integer, or missing\n" bad.csv proof)
full_case(walk.csv proof)
memory_case("out of memory\n" much much)
finish()
