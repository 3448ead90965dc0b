# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs tflite_plan in many ways and checks what comes out.
#
#   cmake -D PROGRAM=program -D MAKE_MODELS=program \
#         -D GUARDS=sanitizers -D WORK=folder -P this
cmake_minimum_required(VERSION 3.16)
include(${CMAKE_CURRENT_LIST_DIR}/case.cmake)
execute_process(COMMAND ${MAKE_MODELS} ${WORK} RESULT_VARIABLE made)
if(NOT made EQUAL 0)
  message(FATAL_ERROR "${MAKE_MODELS}: ${made}")
endif()

set(any "(.|\n)*")
string(CONCAT rows "1 subgraph, 4 operators, 7 tensors, 5 planned\n"
              "bytes of the arena\n"
              "  without reuse  +352\n"
              "  the runtime's greedy planner  +192\n"
              "  snug  +192  lowest possible\n"
              "  snug, reshapes in place  +192  lowest possible, 1 pair\n"
              "  snug, element-wise in place  +144  lowest possible, 2 pairs\n"
              "and 16 bytes of variables, kept apart by the runtime\n")
set(line "status=solved height=192 lower_bound=192 tensors=5 in_place=0 ")
string(APPEND line "variables=16\n")
case(0 "${rows}${line}" "" small.tflite --output=planned.tflite)
case(0 "${line}" "" --quiet planned.tflite --output=again.tflite)
case(0 "${line}" "" --quiet --output again.tflite planned.tflite --timeout 5s)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WORK}/planned.tflite
                        ${WORK}/again.tflite RESULT_VARIABLE differs)
if(differs)
  fail("a second plan differs from the first one")
endif()
file(READ ${WORK}/planned.tflite planned HEX)
file(READ ${WORK}/small.tflite small HEX)
if(NOT planned MATCHES "${small}$")
  fail("the old model is not in the planned one")
endif()
# Version 1, one subgraph, seven offsets; the constant and the variable have -1.
if(NOT planned MATCHES "010000000100000007000000(........)(........)(........)(........)ffffffff(........)ffffffff")
  fail("planned.tflite has no plan")
endif()

string(REPLACE "=192" "=144" line "${line}")
string(REPLACE "in_place=0" "in_place=2" line "${line}")
case(0 "${line}" "" small.tflite --in_place=elementwise --quiet)
case(0 "${any}status=solved ${any} tensors=6 in_place=0 variables=0\n" ""
     small.tflite --plan_variables)
case(0 "${any}${line}" "" small.tflite --in_place=elementwise --capacity=144)

# The table that solve_csv draws, with an alias for each pair.
case(0 "${any}" "" small.tflite --in_place=elementwise --csv=table.csv)
file(READ ${WORK}/table.csv table)
if(NOT table MATCHES "^id,lower,upper,size,alignment,alias,offset\nin,0,2,48,16,,[0-9]+\nconv,1,3,96,16,,0\nrelu,2,4,96,16,conv,0\nflat,")
  fail("table.csv: ${table}")
endif()

# A file on standard output is all that is there.
case(0 "id,lower,${any}\nout,[^\n]+\n" "${any}${line}" small.tflite
     --in_place=elementwise --csv=-)
if(NOT out STREQUAL table)
  fail("--csv=-: ${out}")
endif()
execute_process(COMMAND ${PROGRAM} small.tflite --output=-
                WORKING_DIRECTORY ${WORK} OUTPUT_FILE ${WORK}/piped.tflite
                ERROR_VARIABLE err)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WORK}/planned.tflite
                        ${WORK}/piped.tflite RESULT_VARIABLE differs)
if(differs OR NOT err MATCHES "^${rows}status=[^\n]+\n$")
  fail("--output=- writes another model: ${err}")
endif()

# Two files under one name: refused before either is written.
foreach(name both.out ./both.out ${WORK}/both.out)
  case(2 "" "tflite_plan: --csv: the same file as --output [^\n]+\n"
       small.tflite --output=both.out --csv=${name})
endforeach()
case(2 "" "tflite_plan: --csv: the same file as --output [^\n]+\n" small.tflite
     --output=- --csv=-)
if(EXISTS ${WORK}/both.out)
  fail("both.out should not exist")
endif()
if(EXISTS /dev/null)
  case(0 "${line}" "" small.tflite --in_place=elementwise --quiet
       --output=/dev/null --csv=/dev/null)
endif()

# Does not fit: proved, and nothing is written.
string(CONCAT why "small.tflite: does not fit in 150 bytes: it takes 192\n"
              "at step 2, two buffers need 192 bytes, 42 more than there are: "
              "[a-z]+ [(]96[)], [a-z]+ [(]96[)]\n")
case(1 "${any}status=infeasible height=192 ${any}" "${why}" small.tflite
     --capacity=150 --output=no.tflite)
if(EXISTS ${WORK}/no.tflite)
  fail("no.tflite should not exist")
endif()

# Bad models and bad usage.
case(2 "" "cut.tflite: offset [0-9]+: [^\n]+\n" cut.tflite)
case(2 "" "bad.tflite: offset [0-9]+: no tensor has this index\n" bad.tflite)
file(WRITE ${WORK}/empty.tflite "")
case(2 "" "empty.tflite: offset 0: too short for a model\n" empty.tflite)
file(WRITE ${WORK}/text.tflite "This is no model at all.\n")
case(2 "" "text.tflite: offset 4: not a TensorFlow Lite model: [^\n]+\n"
     text.tflite)
case(2 "" "none.tflite: [^\n]+\n" none.tflite)
case(2 "" "no/dir.tflite: [^\n]+\n" small.tflite --output=no/dir.tflite)
case(2 "" "no/dir.csv: [^\n]+\n" small.tflite --csv=no/dir.csv
     --output=no.tflite)
if(EXISTS ${WORK}/no.tflite)
  fail("no.tflite should not exist")
endif()
if(EXISTS /dev/full)
  foreach(flag --output --csv)
    case(2 "" "/dev/full: [^\n]+\n" small.tflite ${flag}=/dev/full --quiet)
  endforeach()
endif()
case(2 "" "tflite_plan: unknown flag '--no' [^\n]+\n" small.tflite --no)
case(2 "" "tflite_plan: unexpected argument 'b' [^\n]+\n" small.tflite b)
case(2 "" "tflite_plan: --input: expected the name of the one file [^\n]+\n"
     small.tflite --input=small.tflite)
case(0 "${any}" "" --quiet --input small.tflite)
case(2 "" "tflite_plan: --in_place: expected none, [^\n]+\n" small.tflite
     --in_place=all)
case(2 "" "tflite_plan: no model is given [^\n]+\n" --quiet)
case(0 "tflite_plan MODEL${any}" "" --help)
case(2 "" "tflite_plan: no model is given [^\n]+\n")
memory_case("out of memory\n" --input=much)
full_case(--help)
full_case(small.tflite)

finish()
