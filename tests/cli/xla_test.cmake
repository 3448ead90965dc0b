# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs xla_report in many ways and checks what comes out.
#
#   cmake -D PROGRAM=program -D SOLVE_JSON=program \
#         -D GUARDS=sanitizers -D WORK=folder -P this
cmake_minimum_required(VERSION 3.16)
include(${CMAKE_CURRENT_LIST_DIR}/case.cmake)

# The values a and b make room for d only where XLA did not put c.
file(WRITE ${WORK}/m-buffer-assignment.txt "BufferAssignment:
allocation 0: size 1000, constant:
 value: <1 w @0> (size=1000,offset=0): s8[1000]{0}
allocation 1: size 512, preallocated-temp:
 value: <2 a @0> (size=128,offset=0): s8[128]{0}
 value: <3 b @0> (size=128,offset=128): s8[128]{0}
 value: <4 c @0> (size=128,offset=128): s8[128]{0}
 value: <5 d @0> (size=256,offset=256): s8[256]{0}
 value: <6 e @0> (size=128,offset=128): s8[128]{0}
Total bytes used: 1512 (1.5KiB)
")
file(WRITE ${WORK}/m-live-range.txt "HloLiveRange (max 9):
  InstructionSequence:
    0:a
  BufferLiveRange:
    w{}:0-9
    a{}:0-2
    b{}:1-3
    c{}:4-6
    d{}:5-8
    e{}:6-7
  Live ranges at 5 (peak):
    d{}: 256 bytes (cumulative: 256 bytes)
")
set(line "allocations=1 used=512 load=384 possible=384 lower_bound=384\n")
string(CONCAT text
       "allocation 1, preallocated-temp: 5 values, 1 tied, alignment 128\n"
       "  XLA used  +512\n  load  +384\n  possible  +384  lowest possible\n"
       "1000 bytes of parameters, results and others as they are\n")
case(0 "${text}${line}" "" m-buffer-assignment.txt --json=m.json)
case(0 "${line}" "" --quiet m-buffer-assignment.txt m-live-range.txt)
case(0 "${line}" "" --quiet --timeout 5s m-buffer-assignment.txt
     --alignment 64)
file(READ ${WORK}/m.json json)
if(NOT json MATCHES "\"id\":\"d{}\",\"lower\":5,\"upper\":9,\"size\":256")
  fail("m.json: ${json}")
endif()
if(NOT json MATCHES "\"aliases\":.{\"buffer\":\"e{}\",\"of\":\"c{}\"}.")
  fail("m.json has no alias: ${json}")
endif()

# A file on standard output is all that is there.
case(0 "{(.|\n)*}\n" "${text}${line}" m-buffer-assignment.txt --json=-)
string(REGEX REPLACE "\"seconds\":[^,]*" "" out "${out}")
string(REGEX REPLACE "\"seconds\":[^,]*" "" json "${json}")
if(NOT out STREQUAL json)
  fail("--json=-: ${out}")
endif()

# Flags with one dash, in any place, and names that look like flags.
case(0 "${line}" "" -quiet -timeout 5s m-buffer-assignment.txt -json one.json)
file(READ ${WORK}/one.json one)
string(REGEX REPLACE "\"seconds\":[^,]*" "" one "${one}")
if(NOT one STREQUAL json)
  fail("one.json: ${one}")
endif()
foreach(ending buffer-assignment live-range)
  configure_file(${WORK}/m-${ending}.txt ${WORK}/-m-${ending}.txt COPYONLY)
endforeach()
case(0 "${line}" "" --quiet -- -m-buffer-assignment.txt)
case(0 "${line}" "" --quiet -- m-buffer-assignment.txt -m-live-range.txt)
case(2 "" "xla_report: unexpected argument 'c' [^\n]+\n" a b c)

# Nothing that could lie elsewhere: a problem without buffers.
file(WRITE ${WORK}/w-buffer-assignment.txt "allocation 0: size 1000, constant:
 value: <1 w @0> (size=1000,offset=0): s8[1000]{0}
Total bytes used: 1000 (1000B)
")
case(0 "allocations=0 used=0 load=0 possible=0 lower_bound=0\n" "" --quiet
     w-buffer-assignment.txt m-live-range.txt --json=w.json)
execute_process(COMMAND ${SOLVE_JSON} ${WORK}/w.json RESULT_VARIABLE result
                OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT "${result}" STREQUAL "0" OR NOT out MATCHES "\"status\":\"solved\"")
  fail("w.json: ${result} ${out}${err}")
endif()

# Values without a live range live throughout.
file(WRITE ${WORK}/empty.txt "  BufferLiveRange:\n  Live ranges at 0 (peak):\n")
case(0 "(.|\n)*  5 values without a live range(.|\n)*" "" m-buffer-assignment.txt
     empty.txt)

# Files that end too early, wherever the lines are cut, or go not together.
foreach(ending buffer-assignment live-range)
  file(READ ${WORK}/m-${ending}.txt whole)
  string(REGEX REPLACE "(Total bytes|  Live ranges at).*" "" cut "${whole}")
  file(WRITE ${WORK}/cut-${ending}.txt "${cut}")
endforeach()
case(2 "" "cut-buffer-assignment.txt: no line 'Total bytes used': [^\n]+\n"
     cut-buffer-assignment.txt m-live-range.txt)
case(2 "" "cut-live-range.txt: no line 'Live ranges at': [^\n]+\n"
     m-buffer-assignment.txt cut-live-range.txt)
file(APPEND ${WORK}/cut-buffer-assignment.txt "Total bytes used: 15")
case(2 "" "cut-buffer-assignment.txt:10: the allocations have 1512 bytes [^\n]+\n"
     cut-buffer-assignment.txt m-live-range.txt)
file(WRITE ${WORK}/other.txt "  BufferLiveRange:
    w{}:0-9
    a{}:0-2
    z{}:1-3
    y{}:4-6
  Live ranges at 2 (peak):
")
case(2 "" "other.txt: has 'y{}', and not 'b{}' of the [^\n]+: not of the same module\n"
     m-buffer-assignment.txt other.txt)

# Bad files and bad usage.
file(WRITE ${WORK}/bad-buffer-assignment.txt "allocation 1: size 4:\n value: x\n")
case(2 "" "bad-buffer-assignment.txt:2: not of the form [^\n]+\n"
     bad-buffer-assignment.txt m-live-range.txt)
case(2 "" "m-buffer-assignment.txt: no 'BufferLiveRange:'[^\n]+\n"
     m-buffer-assignment.txt m-buffer-assignment.txt)
case(2 "" "bad-live-range.txt: [^\n]+\n" bad-buffer-assignment.txt)
case(2 "" "xla_report: expected FILE-buffer-assignment.txt, [^\n]+\n" m.json)
case(2 "" "xla_report: expected FILE-buffer-assignment.txt, [^\n]+\n")
case(2 "" "xla_report: --alignment: expected a power of two, [^\n]+\n"
     m-buffer-assignment.txt --alignment=3)
case(2 "" "no/dir.json: [^\n]+\n" m-buffer-assignment.txt --json=no/dir.json)
case(0 "xla_report FILE(.|\n)*" "" --help)
memory_case("out of memory\n" much much)
full_case(--help)
full_case(m-buffer-assignment.txt)

finish()
