# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs solve_csv in many ways and checks what comes out.
#
#   cmake -D PROGRAM=program -D SOURCE_DIR=checkout \
#         -D GUARDS=sanitizers -D WORK=folder -P this
cmake_minimum_required(VERSION 3.16)
if(NOT SOURCE_DIR)
  message(FATAL_ERROR "-D SOURCE_DIR=... is missing")
endif()
include(${CMAKE_CURRENT_LIST_DIR}/case.cmake)

macro(check_file name expected)
  set(content "")
  if(EXISTS ${WORK}/${name})
    file(READ ${WORK}/${name} content)
  endif()
  if(NOT "${content}" STREQUAL "${expected}")
    fail("${name}: expected\n${expected}--- got\n${content}---")
  endif()
endmacro()

macro(check_absent name)
  if(EXISTS ${WORK}/${name})
    fail("${name} should not exist")
  endif()
endmacro()

# status(status height lower_bound buffers): the line as a regular expression,
# and before it, on the same output, the CSV that is there without --output.
function(status variable status height lower_bound buffers)
  string(CONCAT line "(id,lower,upper,size.*)?status=${status} height=${height} "
                "lower_bound=${lower_bound} buffers=${buffers} "
                "nodes=[0-9]+ seconds=[0-9]+\\.[0-9]+\n")
  set(${variable} "${line}" PARENT_SCOPE)
endfunction()

get_filename_component(program ${PROGRAM} NAME_WE)
set(any ".*")
# Why there is no placement, and what could be done.
string(CONCAT unfit "does not fit in [0-9 ]+ bytes?( .[0-9.]+ [KM]iB.)?: [^\n]+\n"
              "at least [^\n]+ (is|are) needed; [^\n]+\n")
set(early "stopped by a limit before [^\n]+; at least [^\n]+ are needed\n")
set(data ${SOURCE_DIR}/benchmarks/data)
set(five ${data}/running_example.csv)
status(solved solved 12 12 5)
string(REPLACE "(id,lower,upper,size.*)?" "" solved_line "${solved}")
status(invalid invalid 0 0 0)

# --- Deeploy's call, then the same in other spellings.
case(0 "${solved}" "" --capacity=12 --input=${five} --output=out.csv)
file(STRINGS ${WORK}/out.csv rows)
list(LENGTH rows count)
if(NOT count EQUAL 6)
  fail("out.csv has ${count} lines")
endif()
file(STRINGS ${five} input_rows)
foreach(k RANGE 5)
  list(GET rows ${k} row)
  list(GET input_rows ${k} input_row)
  if(k EQUAL 0)
    set(pattern "offset")
  else()
    set(pattern "[0-9]+")
  endif()
  if(NOT row MATCHES "^${input_row},${pattern}$")
    fail("out.csv: '${row}' is not '${input_row}' and an offset")
  endif()
endforeach()
file(READ ${WORK}/out.csv placed)

case(0 "${solved}" "" --capacity 12 --input ${five} --output again.csv)
check_file(again.csv "${placed}")
case(0 "${solved}" "" -capacity=0xC -input=${five} -output=again2.csv)
check_file(again2.csv "${placed}")
case(0 "${solved}" "" --capacity=1 --capacity=12 --input=${five} --quiet)
case(0 "${solved}" "PASS\n" --capacity=12 --input=${five} --validate)
case(0 "${solved}" "" --capacity=12 --input=${five} --validate --quiet)
case(0 "${solved}" "" --capacity=12 --input=${five} --validate=false)
case(0 "${solved}" "" --capacity=12 --input=${five} --novalidate)
# Without --output the offsets come before the status line; with --output=-,
# they are all there is on standard output.
case(0 "${placed}${solved_line}" "" --capacity=12 --input=${five})
case(0 "${placed}${solved_line}" "" --capacity=12 ${five})
case(0 "${placed}${solved_line}" "" ${five})
case(0 "${placed}" "${solved_line}" --capacity=12 --input=${five} --output=-)
# Amounts of memory, by a buffer that just fits.
file(WRITE ${WORK}/amount.csv "id,lower,upper,size\na,0,1,1572864\n")
foreach(amount 1572864 0x180000 1.5M 1.5MiB 1536K 1536k 1536KiB
        1536Ki 1536ki 1536kib 1536kiB 1.5m 1.5mib 1G 1g 1GiB 2T 2t 1P 1pi)
  case(0 "${any}" "" amount.csv --capacity=${amount})
endforeach()
foreach(amount 1572863 1.25M 1535K 1KiB 0 0K)
  case(1 "${any}" "${any}" amount.csv --capacity=${amount})
endforeach()
foreach(amount 1536KB 1536kb 2MB 2M1 2x 2iB 2KiBi)
  case(2 "" "[^\n]*--capacity: expected an integer [^\n]+ K, M, G, T or P [^\n]+'${amount}' [^\n]+\n"
       amount.csv --capacity=${amount})
endforeach()
# Fractions of which no digit is a sum of powers of two: 1835008 and one less.
file(WRITE ${WORK}/fraction.csv "id,lower,upper,size\na,0,1,1835008\n")
foreach(amount 1.75M 1.750MiB 0.001708984375G)
  case(0 "${any}" "" fraction.csv --capacity=${amount})
endforeach()
case(1 "${any}" "${any}" fraction.csv --capacity=1791.9990234375K)
# More bytes than a double counts one by one; and digits that no byte has.
file(WRITE ${WORK}/many.csv "id,lower,upper,size\na,0,1,2122438753000975\n")
case(0 "${any}" "" many.csv --capacity=2072694094727.5146484375K)
case(1 "${any}" "${any}" many.csv --capacity=2072694094727.513671875K)
foreach(amount 0.0000000000000000000000001K 1.0009765625000000000000000001K
        8192P 18446744073709551616K 0.00048828125K)
  case(2 "" "${any}" many.csv --capacity=${amount})
endforeach()
case(0 "${any}" "" many.csv --capacity=8191.0000000000000000000000000000P)

# --- Infeasible: proved, and nothing is written.
status(infeasible infeasible 0 12 5)
case(1 "${infeasible}" "${unfit}" --capacity=11 --input=${five} --output=no.csv
     --svg=no.svg --draw --validate)
check_absent(no.csv)
check_absent(no.svg)
file(WRITE ${WORK}/one.csv "id,lower,upper,size\na,0,1,1\n")
status(infeasible infeasible 0 1 1)
case(1 "${infeasible}" "${unfit}" --capacity=0 --input=one.csv)
status(infeasible infeasible 0 2 1)
file(WRITE ${WORK}/two.csv "id,lower,upper,size\na,0,1,2\n")
string(CONCAT singular "does not fit in 1 byte: at step 0, one buffer needs 2 "
              "bytes, 1 more than there are: a .2.\n")
case(1 "${infeasible}" "${singular}at least 2 bytes are needed; [^\n]+\n"
     --capacity=1 two.csv)

# --- Why it does not fit, and what to move elsewhere.
status(infeasible infeasible 0 12 5)
string(CONCAT load "does not fit in 11 bytes: at step 0, three buffers need 12 "
              "bytes, 1 more than there are: b1 .4., b3 .4., b5 .4.\n")
case(1 "${infeasible}" "${load}at least 12 bytes [^\n]+\n" --capacity=11
     ${five})
case(1 "${infeasible}" "${load}at least 12 bytes [^\n]+\n" --capacity=11
     ${five} --explain)
case(1 "${infeasible}" "" --capacity=11 ${five} --quiet)
case(1 "${infeasible}"
     "${load}at least 12 bytes are needed\nto be moved elsewhere: b[0-9] .4.; [^\n]+ the other 4 fit; [^\n]+\n"
     --capacity=11 ${five} --spill)
# A limit that nobody has set is not to blame.
string(CONCAT load "does not fit in 11 bytes: at step 0, three buffers need 12 "
              "bytes, 1 more than there are: b1 .4., b3 .4., b5 .4.")
case(1 "${any}" "${load} .--explain says [^\n]+\nat least 19 bytes [^\n]+\n"
     --capacity=11 ${five} --alignment=5 --reserve=0-1)
case(1 "${any}" "does not fit in 11 bytes: two buffers [^\n]+ b3 .4., b5 .4.\n${any}"
     --capacity=11 ${five} --alignment=5 --reserve=0-1 --explain)
set(whole ${data}/whole_model.csv)
case(1 "${any}" "does not fit in 100 bytes: there is no placement .--explain says [^\n]+\n${any}"
     --capacity=100 ${whole} --base=16 --alignment=4 --reserve=48-64)
case(1 "${any}" "does not fit in 100 bytes: three buffers have no place [^\n]+\n${any}"
     --capacity=100 ${whole} --base=16 --alignment=4 --reserve=48-64 --explain)
file(WRITE ${WORK}/high.csv "id,lower,upper,size,offset\na,0,2,4,\nb,0,2,4,8\n")
case(1 "${any}" "does not fit in 10 bytes: there is no placement [^\n]+\n${any}without --capacity the least is found, ${any}"
     --capacity=10 high.csv)
case(1 "${any}" "does not fit in 10 bytes: one buffer is fixed at 8 and ends 2 bytes too high: b .4.\n${any}"
     --capacity=10 high.csv --explain)

# --- Limits.
status(stopped node_limit 0 [0-9]+ 24)
case(3 "${stopped}" "${early}" --capacity=4096 --input=${data}/quilt.csv --nodes=1
     --output=no.csv)
check_absent(no.csv)
# What to move elsewhere is asked all the more where it is not known whether all fit.
case(3 "${stopped}" "${early}(to be moved elsewhere: |nothing has to be )[^\n]+\n"
     --capacity=4096 --input=${data}/quilt.csv --nodes=1 --spill)
case(3 "${any}"
     "stopped by a limit before [^\n]+\n(to be moved elsewhere: |nothing has to be )[^\n]+\n"
     --capacity=4096 --input=${data}/quilt.csv --nodes=1 --spill
     --minimize_penalty)
status(stopped time_limit 0 [0-9]+ 24)
case(3 "${stopped}" "${early}" --capacity=4096 --input=${data}/quilt.csv --timeout=0)
status(quilt solved 4096 4096 24)
foreach(time 60s 60000ms 1m 1.5m 0.5h 1h30m 60000000us 60000000000ns inf)
  case(0 "${quilt}" "" --capacity=4096 --input=${data}/quilt.csv
       --timeout=${time} --nodes=10000000)
endforeach()

# No search, and that is said, where it would not end: here for want of memory,
# without it for more than two million pairs that meet.
file(WRITE ${WORK}/tied.csv "id,lower,upper,size,alias\n")
foreach(i RANGE 99)
  math(EXPR size "1 + ${i} * ${i} % 7")
  file(APPEND ${WORK}/tied.csv "${i},0,9,${size},\n")
endforeach()
file(APPEND ${WORK}/tied.csv "last,0,9,4,0+5\n")
set(note "too large for a search that ends: [^\n]+\n")
case(0 "${any}" "${note}" tied.csv --memory=1)
case(0 "${any}" "" tied.csv --memory=1 --quiet)
case(0 "${any}" "" tied.csv)

# What few nodes solve is solved alone; what takes thousands is a race, the same on
# every run: that of the three which takes 12600 nodes wins.
set(staircase "id,lower,upper,size\n")
foreach(i RANGE 249)
  math(EXPR upper "${i} + 2 + ${i} * ${i} * 5 % 23")
  math(EXPR size "1 + ${i} * ${i} * 5 % 29")
  string(APPEND staircase "${i},${i},${upper},${size}\n")
endforeach()
file(WRITE ${WORK}/staircase.csv "${staircase}")
foreach(time 1 2)
  case(0 "${any}status=solved height=297 lower_bound=297 buffers=250 nodes=12600 ${any}"
       "" --capacity=297 --input=staircase.csv --racers=3)
endforeach()
# An interrupt ends a search for spills; what was found is printed.
find_program(timeout_program timeout)
if(UNIX AND timeout_program)
  status(overloaded infeasible 0 297 250)
  set(uninterrupted ${PROGRAM})
  # In the foreground, as the program gets the signal twice elsewhere: once by
  # itself, and once with its process group.
  set(PROGRAM ${timeout_program} --foreground --preserve-status -s INT 1
              ${uninterrupted})
  case(1 "${overloaded}"
       "does not fit in [^\n]+\nat least [^\n]+\nto be moved elsewhere: [^\n]+something cheaper may do\n"
       --capacity=200 --input=staircase.csv --spill)
  set(PROGRAM ${uninterrupted})
endif()
foreach(racers 1 2 3)
  case(0 "${quilt}" "" --capacity=4096 --input=${data}/quilt.csv --racers=${racers})
  case(0 "${solved}" "" --input=${five} --racers=${racers})
  case(0 "${solved}" "" --input=${five} --minimize --capacity=20
       --racers=${racers})
endforeach()

# --- Pictures.
case(0 "5 buffers, height 12 .*\n12 B [+]-+[+]\n${any}${solved}" ""
     --capacity=12 --input=${five} --draw)
case(0 "${solved}" "" --capacity=12 --input=${five} --svg=picture.svg)
file(READ ${WORK}/picture.svg picture)
if(NOT picture MATCHES "^<svg .*<title>b5: 4 bytes .4 B., .*</svg>\n$")
  fail("picture.svg: ${picture}")
endif()
# On standard output there is nothing else.
case(0 "<svg ${any}</svg>\n" "${solved}" --capacity=12 --input=${five} --svg=-)
case(0 "<!DOCTYPE html>${any}\"b5\"${any}</html>\n" "${solved}"
     --capacity=12 ${five} --html=-)
case(0 "snug certificate 1\ncapacity 11\n[a-z0-9 \n]+" "${solved}" ${five}
     --certificate=-)
foreach(flag --output --svg --html --certificate)
  case(2 "" "${program}: --draw: not together with [^\n]+\n" ${five} --draw
       ${flag}=-)
endforeach()
case(0 "${any}${solved}" "first fit by size[^\n]+: 12 bytes, .0.0 %\nsnug: [^\n]+\n"
     --capacity=12 ${five} --html=picture.html --compare)
file(READ ${WORK}/picture.html picture)
if(picture MATCHES "(src|href)=|url[(]|https?:|@import")
  fail("picture.html refers to something: ${CMAKE_MATCH_0}")
endif()
# As wide as the terminal, with colours where it has some or must.
set(ENV{COLUMNS} 120)
case(0 "5 buffers${any}\n12 B [+]-+[+]\n${any}${solved}" "" ${five} --draw)
string(REGEX MATCH "12 B [+]-+[+]" border "${out}")
string(LENGTH "${border}" width)
if(NOT width EQUAL 120)
  fail("--draw is ${width} characters wide")
endif()
unset(ENV{COLUMNS})
string(ASCII 27 escape)
case(0 "${any}${solved}" "" ${five} --draw --colour=always)
if(NOT out MATCHES "${escape}.0;30;48;5;[0-9]+m b5 ")
  fail("--colour=always: ${out}")
endif()
case(0 "[^${escape}]*" "" ${five} --draw --colour=auto)

# --- Without arguments: draws a network of this repository, and compares.
set(directory ${SOURCE_DIR})
status(demo solved 2654208 2654208 56)
string(CONCAT drawn "[^\n]*unetpp.csv: [^\n]*\n56 buffers, [^\n]*\n${any}"
              "first fit by size[^\n]*: 2 916 352 bytes .2.78 MiB., .9.9 %\n"
              "snug: 2 654 208 bytes .2.53 MiB., proved optimal\n"
              "next: [^\n]+\n${demo}")
case(0 "${drawn}" "")
set(directory ${WORK})

# --- Columns.
file(WRITE ${WORK}/aliases.csv
     "size,end,start,buffer,color\r\n4,2,0,b1,red\r\n4,8,3,\"b,2\",blue\r\n\r\n")
status(two solved 4 4 2)
# A name that is not known may be one that is misspelt.
set(note "aliases.csv:1:23: column 'color' is not known and ignored\n")
case(0 "${two}" "" --capacity=4 --input=aliases.csv --output=out.csv --quiet)
case(0 "${two}" "${note}" --capacity=4 --input=aliases.csv --output=out.csv)
check_file(out.csv "id,start,end,size,offset\nb1,0,2,4,0\n\"b,2\",3,8,4,0\n")
file(WRITE ${WORK}/aligned.csv
     "id,lower,upper,size,alignment\na,0,9,5,0\nb,0,9,8,8\n")
status(two solved 13 13 2)
case(0 "${two}" "" --capacity=13 --input=aligned.csv --output=out.csv)
check_file(out.csv
           "id,lower,upper,size,alignment,offset\na,0,9,5,1,8\nb,0,9,8,8,0\n")
file(WRITE ${WORK}/empty.csv "id,lower,upper,size\n")
status(none solved 0 0 0)
case(0 "${none}" "" --capacity=5 --input=empty.csv --output=out.csv)
check_file(out.csv "id,lower,upper,size,offset\n")
case(0 "${none}" "" --capacity=0 --input=empty.csv)
file(WRITE ${WORK}/zero.csv "id,lower,upper,size\na,0,9,0\nb,0,9,0\n")
status(two solved 0 0 2)
case(0 "${any}${two}" "" --capacity=0 --input=zero.csv --draw --svg=zero.svg)

# --- The whole model: every column and every flag for constraints.
set(whole ${data}/whole_model.csv)
set(memory --base=16 --alignment=4 --reserve=48-64 --reserve=0x60-0x70@4-6)
status(whole_solved solved 136 [0-9]+ 16)
status(whole_minimal solved 136 136 16)
status(whole_infeasible infeasible 0 136 16)
case(0 "${whole_solved}" "PASS\n" --capacity=136 --input=${whole} ${memory}
     --validate --output=whole.csv)
file(STRINGS ${whole} input_rows)
file(STRINGS ${WORK}/whole.csv rows)
list(LENGTH rows count)
if(NOT count EQUAL 17)
  fail("whole.csv has ${count} lines")
endif()
list(GET input_rows 0 columns)
list(GET rows 0 row)
if(NOT row STREQUAL columns)
  fail("whole.csv: '${row}' instead of '${columns}'")
endif()
# Empty fields come back as what they mean; the last one is the offset.
set(row_pattern "^([^,]*,[^,]*,[^,]*,[^,]*),([^,]*),([^,]*),(.*),([^,]*)$")
foreach(k RANGE 1 16)
  list(GET input_rows ${k} input_row)
  string(REGEX MATCH "${row_pattern}" matched "${input_row}")
  set(plain "${CMAKE_MATCH_1}")
  set(rest "${CMAKE_MATCH_4}")
  set(fixed "${CMAKE_MATCH_5}")
  set(alignment 1)
  if(CMAKE_MATCH_2)
    set(alignment ${CMAKE_MATCH_2})
  endif()
  set(hint -1)
  if(CMAKE_MATCH_3)
    set(hint ${CMAKE_MATCH_3})
  endif()
  if(fixed STREQUAL "")
    set(fixed "[0-9]+")
  endif()
  string(REPLACE "+" "[+]" pattern
         "^${plain},${alignment},${hint},${rest},${fixed}$")
  string(REPLACE "[0-9][+]" "[0-9]+" pattern "${pattern}")
  list(GET rows ${k} row)
  if(NOT row MATCHES "${pattern}")
    fail("whole.csv: '${row}' does not match '${pattern}'")
  endif()
endforeach()
# With all offsets fixed, the library judges the placement as its input.
file(READ ${WORK}/whole.csv placed)
case(0 "${whole_solved}" "" --capacity=136 --input=whole.csv ${memory}
     --output=again.csv)
check_file(again.csv "${placed}")
case(1 "${whole_infeasible}" "${unfit}" --capacity=135 --input=${whole} ${memory}
     --output=no.csv)
check_absent(no.csv)
case(0 "${whole_minimal}" "" --minimize_capacity --input=${whole} ${memory})
case(0 "16 buffers, height 136 .*#+ reserved #+.*#+ below the base #+.*" ""
     --capacity=136 --input=${whole} ${memory} --draw --svg=whole.svg)
file(READ ${WORK}/whole.svg picture)
if(NOT picture MATCHES "<title>reserved: .96, 112.</title>")
  fail("whole.svg: ${picture}")
endif()
status(lower solved [0-9]+ [0-9]+ 16)
case(0 "${lower}" "" --minimize_capacity --capacity=135 --input=${whole})

file(WRITE ${WORK}/one.csv "id,lower,upper,size\na,0,9,5\n")
status(one solved 5 5 1)
case(0 "${one}" "" --capacity=5 --input=one.csv --reserve=5-99 --base=0)
status(one solved 13 [0-9]+ 1)
case(0 "${one}" "" --capacity=13 --input=one.csv --base=3 --alignment=8)
case(0 "${one}" "" --capacity=13 --input=one.csv --reserve=2-8@-5--1
     --reserve=4-8@8-10)
status(infeasible infeasible 0 13 1)
case(1 "${infeasible}" "${unfit}" --capacity=12 --input=one.csv --base=3 --alignment=8)
case(1 "${infeasible}" "${unfit}" --capacity=12 --input=one.csv --reserve=4-8)
# A hint is taken where it can be, and is no constraint.
file(WRITE ${WORK}/hint.csv "id,lower,upper,size,hint\na,0,9,4,6\nb,0,9,2,0\n")
status(hinted solved 10 6 2)
case(0 "${hinted}" "" --capacity=10 --input=hint.csv --output=out.csv)
check_file(out.csv
           "id,lower,upper,size,hint,offset\na,0,9,4,6,6\nb,0,9,2,0,0\n")
status(hinted solved 6 6 2)
case(0 "${hinted}" "" --capacity=6 --input=hint.csv)
# Ids in quotes.
set(header "id,lower,upper,size,alias")
file(WRITE ${WORK}/quoted.csv
     "${header}\nt,0,9,4,'t-1'+8\nt-1,0,9,4,\na b,0,9,4,'t'-4\n")
status(three solved 12 [0-9]+ 3)
case(0 "${three}" "" --capacity=12 --input=quoted.csv --output=out.csv)
check_file(out.csv "${header},offset\nt,0,9,4,t-1+8,8\nt-1,0,9,4,,0
a b,0,9,4,t-4,4\n")

# --- Rules and strategies: any choice gives the same answer.
foreach(rule section_inference no_hurt_placement hatless_pruning abandoned_slot
             check_dominance twins failed_states conflict_sets decomposition
             dynamic_decomposition failure_weights restarts)
  case(0 "${solved}" "" --capacity=12 --input=${five} --${rule}=false)
  case(0 "${solved}" "" --capacity=12 --input=${five} --no${rule})
  case(0 "${solved}" "" --capacity=12 --input=${five} --${rule}=1)
endforeach()
foreach(rule canonical_only dynamic_ordering unallocated_floor
             static_preordering monotonic_floor print_solution)
  set(note "${program}: --${rule}: ignored, not a rule of snug\n")
  case(0 "${solved}" "${note}" --capacity=12 --input=${five} --${rule}=false)
  case(0 "${solved}" "${note}" --capacity=12 --input=${five} --no${rule})
  case(0 "${solved}" "" --capacity=12 --input=${five} --${rule} --quiet)
endforeach()
case(0 "${solved}" "" --capacity=12 --input=${five}
     --preordering_heuristics=WAT,TAW,TWA)
case(0 "${solved}" "" --capacity=12 --input=${five} --preordering_heuristics=)
case(0 "${solved}" "" --capacity=12 --input=${five} --strategies=0WAT,sTCA
     --seed=18446744073709551615)

# --- Wrong flags: exit status 2, a reason, and no status line.
foreach(pair
        "--capacity=x|--capacity: expected an integer from 0 to 2.63 - 1, or .*, not 'x'"
        "--capacity=-1|--capacity: expected .*, not '-1'"
        "--capacity=|--capacity: expected .*, not ''"
        "--capacity=9223372036854775808|--capacity: expected .*"
        "--capacity=1e6|--capacity: expected .*"
        "--capacity=0x|--capacity: expected .*"
        "--timeout=3|--timeout: expected a time such as .*, not '3'"
        "--timeout=-3s|--timeout: expected .*"
        "--timeout=fast|--timeout: expected .*"
        "--nodes=-1|--nodes: expected .*"
        "--racers=0|--racers: expected an integer from 1 to 1024, not '0'"
        "--memory=-1|--memory: expected .*"
        "--seed=-1|--seed: expected .*"
        "--strategies=WAT|--strategies: expected .*, not 'WAT'"
        "--strategies=sXYZ|--strategies: expected .*"
        "--preordering_heuristics=wat|--preordering_heuristics: expected .*"
        "--preordering_heuristics=WATWATW|--preordering_heuristics: expected .*"
        "--validate=maybe|--validate: expected true or false, not 'maybe'"
        "--base=-1|--base: expected an integer from 0 .*, not '-1'"
        "--base=1kb|--base: expected .*"
        "--base=1.3K|--base: expected .*"
        "--base=9000000T|--base: expected .*"
        "--base=K|--base: expected .*"
        "--base=1 K|--base: expected .*"
        "--colour=green|--colour: expected auto, always or never, not 'green'"
        "--colour_by=age|--colour_by: expected size, kind or family, .*"
        "--flagfile=none|--flagfile: expected a file .*, not 'none'"
        "--alignment=0|--alignment: expected an integer from 1 .*, not '0'"
        "--reserve=|--reserve: expected LO-HI or .*, not ''"
        "--reserve=4|--reserve: expected .*"
        "--reserve=4-|--reserve: expected .*"
        "--reserve=4-4|--reserve: expected .*"
        "--reserve=8-4|--reserve: expected .*"
        "--reserve=-4-4|--reserve: expected .*"
        "--reserve=4-8@|--reserve: expected .*"
        "--reserve=4-8@3|--reserve: expected .*"
        "--reserve=4-8@3-3|--reserve: expected .*"
        "--reserve=4-8@3-5@7-9|--reserve: expected .*"
        "--reserve=4-8 12-16|--reserve: expected .*"
        "--reserve=4-9223372036854775808|--reserve: expected .*"
        "--input=|--input: expected the name of the one file to read, not ''"
        "--output|--output: value missing"
        "--nocapacity|unknown flag '--nocapacity'"
        "--novalidate=true|unknown flag '--novalidate'"
        "--frobnicate|unknown flag '--frobnicate'"
        "-x|unknown flag '-x'"
        "file.csv|unexpected argument 'file.csv'"
        "-|unexpected argument '-'")
  string(REGEX MATCH "^([^|]*)[|](.*)$" matched "${pair}")
  set(flag "${CMAKE_MATCH_1}")
  set(reason "${CMAKE_MATCH_2}")
  case(2 "" "${program}: ${reason} .see --help.\n" --capacity=12
       --input=${five} ${flag})
endforeach()
case(2 "" "${program}: --input: expected the name of the one file [^\n]+\n"
     ${five} --input=${five})
case(2 "" "${program}: --input is missing .see --help.\n" --capacity=12)
case(2 "" "${program}: unexpected argument 'more'.*\n" --capacity=12
     --input=${five} -- more)
case(0 "${solved}" "" --capacity=12 --input=${five} --)
case(0 "${solved}" "" --input=${five} --minimize_capacity)
case(0 "${solved}" "" --input=${five} --minimize_capacity --capacity=12)
case(0 "${solved}" "" --input=${five} --minimize_capacity --capacity=99)
case(1 "status=infeasible height=0 lower_bound=12 ${any}" "${unfit}"
     --input=${five} --minimize_capacity --capacity=11)
case(3 "status=node_limit height=0 lower_bound=4096 ${any}" "${early}"
     --input=${SOURCE_DIR}/benchmarks/data/quilt.csv --minimize_capacity
     --capacity=4096 --nodes=0)
case(0 "${any}status=node_limit height=[0-9]+ lower_bound=4096 ${any}" ""
     --input=${SOURCE_DIR}/benchmarks/data/quilt.csv --minimize_capacity
     --nodes=0)
case(0 "${any}status=solved height=4096 lower_bound=4096 ${any}" ""
     --input=${SOURCE_DIR}/benchmarks/data/quilt.csv --minimize_capacity)
case(0 "${any}status=solved height=4096 lower_bound=4096 ${any}" ""
     --input=${SOURCE_DIR}/benchmarks/data/quilt.csv --memory=1K)
case(0 "Usage: ${program} ${any}" "" --help)
case(0 "Usage: ${program} ${any}" "" -h)
case(0 "${program} .snug. [0-9]+[.][0-9]+[.][0-9]+\n" "" --version)
full_case(--help)
full_case(--version)

# --- Flags from files, and those that a program need not know.
file(WRITE ${WORK}/flags "# limits\n--capacity=12\n\n--nodes=100\n")
case(0 "${solved_line}" "" --flagfile=flags --input=${five} --output=out.csv)
case(0 "${solved}" "" --undefok=frobnicate,x --frobnicate=3 --nox ${five}
     --stderrthreshold=1 --v 2 --log_prefix --helpfull=false)
file(WRITE ${WORK}/flags "capacity=12\n")
case(2 "" "${program}: --flagfile: [^\n]+\n" --flagfile=flags ${five})
file(WRITE ${WORK}/flags "--flagfile=flags\n--flagfile=flags\n")
case(2 "" "${program}: --flagfile: [^\n]+\n" --flagfile=flags ${five})

# --- Under the name minimalloc: the outputs and exit statuses of the program of
# google/minimalloc, as Deeploy calls it: the offset of each row is its last
# field, its size the one before it, and anything but 0 is a failure.
set(published ${PROGRAM})
file(CREATE_LINK ${PROGRAM} ${WORK}/minimalloc SYMBOLIC RESULT linked)
if(linked EQUAL 0)
  set(PROGRAM ${WORK}/minimalloc)
  set(elapsed "Elapsed time [0-9]+[.][0-9][0-9][0-9]s\n")
  file(WRITE ${WORK}/deeploy.csv
       "id,lower,upper,size\nDeeployNetwork input 0,0,2,96\nnode_1/out,1,3,64
empty,1,2,0\n")
  case(0 "" "${elapsed}" --capacity=160 --input=deeploy.csv --output=out.csv)
  file(STRINGS ${WORK}/out.csv rows)
  list(LENGTH rows count)
  list(GET rows 1 row)
  if(NOT count EQUAL 4 OR NOT row MATCHES "^DeeployNetwork input 0,0,2,96,(0|64)$")
    fail("minimalloc: ${rows}")
  endif()
  case(1 "" "${elapsed}does not fit in ${any}" --capacity=159 --input=deeploy.csv
       --output=no.csv)
  check_absent(no.csv)
  file(WRITE ${WORK}/none.csv "id,lower,upper,size\n")
  case(0 "" "${elapsed}" --capacity=0 --input=none.csv --output=out.csv)
  check_file(out.csv "id,lower,upper,size,offset\n")
  case(0 "" "${elapsed}" --input=none.csv)
  case(1 "" "${elapsed}does not fit in 0 bytes${any}" --input=deeploy.csv)
  case(0 "" "${elapsed}Validation PASS, height 160\n" --input=deeploy.csv
       --minimize_capacity --validate --print_solution --stderrthreshold=0)
  case(1 "" "${elapsed}${early}" --input=${data}/quilt.csv --minimize_capacity
       --timeout=0s --output=no.csv)
  check_absent(no.csv)
  case(1 "" "gone.csv: [^\n]+\n" --input=gone.csv --capacity=1)
  case(1 "" "minimalloc: [^\n]+\n" --frobnicate)
  case(1 "" "minimalloc: --input is missing[^\n]+\n")
else()
  message(STATUS "no symbolic links: the name minimalloc is not tested")
endif()
set(PROGRAM ${published})
file(REMOVE ${WORK}/none.csv)

# --- Files that cannot be read or written.
case(2 "" "none.csv: [^\n]+\n" --capacity=12 --input=none.csv)
# It is said before the search, whatever that would find.
foreach(flag --output --svg --html --certificate)
  case(2 "" "no/such/out: [^\n]+\n" --capacity=4095 ${data}/quilt.csv
       ${flag}=no/such/out)
endforeach()
case(2 "" "[^\n]+: [^\n]+\n" --capacity=12 --input=${five} --output=${WORK})
# What is there stays, if nothing is written.
file(WRITE ${WORK}/kept.csv "kept\n")
case(1 "${any}" "${unfit}" --capacity=11 --input=${five} --output=kept.csv)
check_file(kept.csv "kept\n")
case(2 "" "no/such/out.svg: [^\n]+\n" --capacity=12 --input=${five}
     --output=kept.csv --svg=no/such/out.svg)
check_file(kept.csv "kept\n")
case(2 "" "no/such/out.svg: [^\n]+\n" --capacity=12 --input=${five}
     --output=no.csv --svg=no/such/out.svg)
check_absent(no.csv)
# One file for two of them would hold one of them.
foreach(pair "--output=a;--html=a" "--output=a;--svg=./a" "--svg=-;--html=-"
        "--html=${WORK}/a;--certificate=a" "--output=kept.csv;--svg=./kept.csv")
  case(2 "" "${program}: --[a-z]+: the same file as --[a-z]+ .see --help.\n"
       --capacity=12 --input=${five} ${pair})
endforeach()
check_absent(a)
check_file(kept.csv "kept\n")
if(UNIX)
  case(0 "${solved}" "" --capacity=12 --input=${five} --output=/dev/null
       --html=/dev/null)
  # What cannot be written when it is there leaves no word of success.
  if(EXISTS /dev/full)
    foreach(flag --output --svg --html --certificate)
      case(2 "(id,lower,upper,size${any})?" "/dev/full: [^\n]+\n" --input=${five}
           ${flag}=/dev/full)
      if(out MATCHES "status=")
        fail("${flag}=/dev/full: ${out}")
      endif()
    endforeach()
    case(2 "" "/dev/full: [^\n]+\n" --capacity=12 --input=${five}
         --minimize_penalty --output=/dev/full)
    case(2 "" "/dev/full: [^\n]+\n" --input=${five} --pool=a:12
         --output=/dev/full)
  endif()
endif()
memory_case("out of memory [^\n]*\n" --input=much)

set(any_text "(.|\n)*")
# --- Several pools: the column pool, and the cost in the status line.
function(cost_status variable status costs buffers)
  string(CONCAT line "status=${status} ${costs} buffers=${buffers} "
                "nodes=[0-9]+ seconds=[0-9]+\\.[0-9]+\n")
  set(${variable} "${line}" PARENT_SCOPE)
endfunction()
file(WRITE ${WORK}/pools.csv "id,lower,upper,size,pools
act,0,3,64,
lut,0,9,16,sram
weights,0,9,512,sram*40 dram
")
set(pools_header "id,lower,upper,size,pools,pool,offset")
set(sram_rows "act,0,3,64,,sram,[0-9]+\nlut,0,9,16,sram,sram,[0-9]+\n")
cost_status(pooled solved "cost=512 cost_bound=512" 3)
case(0 "${pooled}" "PASS\n" pools.csv --pool=sram:128 --pool=dram:unlimited:1
     --validate --output=out.csv)
file(READ ${WORK}/out.csv content)
if(NOT content MATCHES
   "^${pools_header}\n${sram_rows}weights,0,9,512,sram.40 dram,dram,0\n$")
  fail("out.csv: wrong pools\n${content}")
endif()
# Where there is room for all, the cost of the buffer decides.
cost_status(pooled solved "cost=40 cost_bound=40" 3)
set(all_sram "weights,0,9,512,sram[*]40 dram,sram,[0-9]+\n")
case(0 "${pools_header}\n${sram_rows}${all_sram}${pooled}" "" pools.csv
     --pool=sram:1K --pool=dram:512:1)
case(0 "${pools_header}\n${sram_rows}${all_sram}" "${pooled}" pools.csv
     --pool sram:592:0 --pool dram:512:1 --output=-)
# What was written can be read: every buffer is in its pool, at its offset.
set(dram --pool=dram:unlimited:1)
cost_status(pooled solved "cost=512 cost_bound=512" 3)
case(0 "${pooled}" "PASS\n" out.csv --pool=sram:128 ${dram} --validate
     --output=again.csv)
file(READ ${WORK}/again.csv again)
if(NOT again STREQUAL content)
  fail("again.csv: not as it was\n${again}")
endif()
# An offset in the way of nobody but its own pool; a pool without an offset.
file(WRITE ${WORK}/fixed.csv "id,lower,upper,size,pool,offset
act,0,3,64,dram,4096
lut,0,9,16,,
weights,0,9,48,sram,
")
cost_status(pooled solved "cost=64 cost_bound=64" 3)
case(0 "id,.*\nact,0,3,64,dram,4096\nlut,.*,sram,[0-9]+\nweights,0,9,48,sram,[0-9]+\n${pooled}"
     "" fixed.csv --pool=sram:64 ${dram})
cost_status(pooled infeasible "cost=0 cost_bound=0" 3)
case(1 "${pooled}"
     "does not fit the pools, whatever it costs: 'weights' needs [^\n]+\n"
     fixed.csv --pool=sram:32
     ${dram})
cost_status(pooled invalid "cost=0 cost_bound=0" 3)
case(2 "${pooled}" "fixed.csv:2:17: buffer 'act': [^\n]+ .pool 'dram'.\n"
     fixed.csv --pool=sram:64 ${dram} --alignment=48)
cost_status(pooled invalid "cost=0 cost_bound=0" 0)
case(2 "${pooled}" "fixed.csv:4:16: pool: no pool has this name: 'sram'\n"
     fixed.csv ${dram})
status(no_pool invalid 0 0 0)
string(REPLACE "(id,lower,upper,size.*)?" "" no_pool "${no_pool}")
case(2 "${no_pool}"
     "fixed.csv:2:12: pool: the offset is one in the pool 'dram': its --pool is missing\n"
     fixed.csv)
# Pictures have a panel a pool; one on standard output takes the place of the CSV.
cost_status(pooled solved "cost=512 cost_bound=512" 3)
case(0 "${pools_header}\n${any_text}${pooled}" "" pools.csv --pool=sram:128 ${dram}
     --svg=pools.svg --html=pools.html)
file(READ ${WORK}/pools.svg content)
if(NOT content MATCHES
   "^<svg .*class=.title.>sram<.*lut: 16 bytes.*<svg .*class=.title.>dram<.*weights: 512 bytes.*</svg>\n</svg>\n$")
  fail("pools.svg: not a panel a pool\n${content}")
endif()
file(READ ${WORK}/pools.html content)
if(NOT content MATCHES
   "<title>pools.csv</title>.*<iframe title=.sram. .*lut.*<iframe title=.dram. .*weights.*</html>\n$")
  fail("pools.html: not a frame a pool")
endif()
case(0 "<svg ${any_text}</svg>\n" "${pooled}" pools.csv --pool=sram:128 ${dram}
     --svg=-)
case(0 "<svg ${any_text}</svg>\n" "${pooled}" pools.csv --pool=sram:128 ${dram}
     --svg=- --output=again.csv)
case(2 "" "no/out.svg: [^\n]+\n" pools.csv --pool=sram:128 ${dram}
     --svg=no/out.svg --output=again.csv)
# Base, alignment and reserved ranges hold in each pool.
cost_status(pooled solved "cost=0 cost_bound=0" 3)
case(0 "${pools_header}\n.*lut,0,9,16,sram,sram,48\nweights,.*,dram,144\n${pooled}"
     "" pools.csv --pool=sram:64 --pool=dram:656 --base=16 --alignment=48
     --reserve=112-113)
# Without --pool, the column is kept, and there is one memory.
status(one_memory solved 592 592 3)
string(REPLACE "(id,lower,upper,size.*)?" "" one_memory "${one_memory}")
case(0 "id,lower,upper,size,pools,offset\nact,.*,sram[*]40 dram,[0-9]+\n${one_memory}"
     "pools.csv: column 'pools' is ignored without --pool\n" pools.csv)
case(0 "${any}" "" pools.csv --quiet)
file(WRITE ${WORK}/in_pool.csv "id,lower,upper,size,pool\nact,0,3,64,dram\n")
case(0 "${any}" "in_pool.csv: column 'pool' is ignored without --pool\n"
     in_pool.csv)
cost_status(pooled infeasible "cost=0 cost_bound=0" 3)
case(1 "${pooled}"
     "does not fit the pools, whatever it costs: 'lut' needs 16 bytes, more than any pool has that it may be in\n"
     pools.csv --pool=sram:8 --pool=dram:1K --output=no.csv)
check_absent(no.csv)
cost_status(pooled invalid "cost=0 cost_bound=0" 0)
case(2 "${pooled}" "pools.csv:4:17: pools: no pool has this name: 'dram'\n"
     pools.csv --pool=sram:1K)
file(WRITE ${WORK}/bad.csv "id,lower,size\n")
case(2 "${pooled}" "bad.csv:1:1: no column 'upper' [^\n]+\n" bad.csv --pool=a:1)
cost_status(pooled invalid "cost=0 cost_bound=0" 3)
case(2 "${pooled}"
     "pools.csv:2:1: buffer 'act': sum of the costs .* .pool 'dram'.\n"
     pools.csv --pool=sram:1K --pool=dram:1K:9223372036854775807)
case(2 "${pooled}"
     "pools.csv:4:17: buffer 'weights': sum of the costs .* .pool 'dram'.\n"
     pools.csv --pool=sram:1K --pool=dram:1K:9007199254740993)
foreach(pool sram sram: :8 sram:x sram:-1 sram:8: sram:8:x sram:8:-1 sram:8:1:1)
  case(2 "" "[^\n]*: --pool: expected NAME:CAPACITY or [^\n]*\n" pools.csv
       --pool=${pool})
endforeach()
case(2 "" "[^\n]*: --pool: expected .* not 'a:2' [^\n]*\n" pools.csv --pool=a:1
     --pool=a:2)
foreach(flag --capacity=9 --minimize_capacity --minimize_penalty --explain --spill
        --draw --compare --racers=2 --certificate=proof)
  string(REGEX REPLACE "=.*" "" name "${flag}")
  case(2 "" "[^\n]*: --pool: not together with ${name} [^\n]*\n" pools.csv
       --pool=sram:8 ${flag})
endforeach()

# --- The least cost of pairs that share bytes.
file(WRITE ${WORK}/penalty.csv "id,lower,upper,size,penalty
a,0,3,4,b*5
b,3,9,4,
c,0,9,4,
")
cost_status(cheapest solved "height=12 cost=0 cost_bound=0" 3)
case(0 "id,.*${cheapest}" "PASS\n" penalty.csv --minimize_penalty --capacity=12
     --validate)
cost_status(cheapest solved "height=8 cost=5 cost_bound=5" 3)
case(0 "${cheapest}" "" penalty.csv --minimize_penalty --capacity=8
     --output=out.csv --svg=penalty.svg)
file(READ ${WORK}/penalty.svg picture)
if(NOT picture MATCHES "^<svg .*</svg>\n$")
  fail("penalty.svg is not a picture")
endif()
cost_status(cheapest infeasible "height=0 cost=0 cost_bound=0" 3)
set(no_cost "does not fit in [^\n]+\n--spill finds what to move elsewhere\n")
case(1 "${cheapest}" "${no_cost}" penalty.csv --minimize_penalty --capacity=7)
file(WRITE ${WORK}/never.csv "id,lower,upper,size,offset,memory_end,penalty\n\
a,0,2,3,2,top,\nb,0,2,3,,bottom,\nc,2,3,2,,,a*1\n")
case(1 "${cheapest}" "${no_cost}" never.csv --minimize_penalty
     --capacity=9223372036854775807)
cost_status(cheapest node_limit "height=0 cost=0 cost_bound=0" 24)
case(3 "${cheapest}" "stopped by a limit before [^\n]+ not to exist\n"
     ${data}/quilt.csv --minimize_penalty --capacity=4096 --nodes=1)
cost_status(cheapest invalid "height=0 cost=0 cost_bound=0" 1)
file(WRITE ${WORK}/bad.csv "id,lower,upper,size,penalty\na,0,3,4,a*5\n")
case(2 "${cheapest}" "bad.csv:2:9: buffer 'a': pair of a buffer with itself\n"
     bad.csv --minimize_penalty --capacity=12)
# Wrong ones are refused also where they count for nothing.
set(self "bad.csv: column 'penalty' is ignored without --minimize_penalty\n\
bad.csv:2:9: buffer 'a': pair of a buffer with itself\n")
case(2 "status=invalid height=0 [^\n]+\n" "${self}" bad.csv)
case(2 "status=invalid height=0 [^\n]+\n" "${self}" bad.csv --capacity=12)
case(2 "status=invalid cost=0 [^\n]+\n" "${self}" bad.csv --pool=a:12)
case(2 "" "[^\n]*: --minimize_penalty: --capacity is missing [^\n]*\n"
     penalty.csv --minimize_penalty)
foreach(flag --explain --spill)
  case(2 "" "[^\n]*: ${flag}: --capacity is missing [^\n]*\n" ${five} ${flag})
endforeach()
set(note "penalty.csv: column 'penalty' is ignored without --minimize_penalty\n")
case(0 "${any}" "${note}" penalty.csv --capacity=12)
case(0 "${any}" "${note}" penalty.csv --pool=a:12)
case(0 "${any}" "" penalty.csv --capacity=12 --quiet)
foreach(flag --minimize_capacity --compare --racers=2 --certificate=proof)
  string(REGEX REPLACE "=.*" "" name "${flag}")
  case(2 "" "[^\n]*: --minimize_penalty: not together with ${name} [^\n]*\n"
       penalty.csv --minimize_penalty --capacity=9 ${flag})
endforeach()

# --- Wrong input: exit status 2, file:line:column: reason, and the status line.
# refuse(text place-and-reason status): `text` is the file.
macro(refuse text reason expected_status)
  file(WRITE ${WORK}/bad.csv "${text}")
  case(2 "${expected_status}" "bad.csv:${reason}\n" --capacity=12
       --input=bad.csv --output=no.csv)
  check_absent(no.csv)
endmacro()
set(header "id,lower,upper,size\n")
refuse("" "1:1: the first line must name the columns" "${invalid}")
refuse("a,0,1,4\n" "1:1: no column 'id' in the first line: 'a,0,1,4'"
       "${invalid}")
refuse("id,lower,size\n" "1:1: no column 'upper' in the first line"
       "${invalid}")
refuse("id,lower,upper,size,end\n" "1:21: second column for 'upper': 'end'"
       "${invalid}")
refuse("${header}a,0,3,4\nb,0,3\n" "3:5: fewer fields than .*" "${invalid}")
refuse("${header}a,0,3,4,5\n" "2:9: more fields than .*" "${invalid}")
refuse("${header}a,0,3,four\n" "2:7: size: not an integer: 'four'"
       "${invalid}")
refuse("${header}a,0,3,4\na,0,3,4\n" "3:1: id: 'a' is already .* line 2"
       "${invalid}")
refuse("${header}a,0,99999999999999999999,4\n" "2:5: upper: out of range: .*"
       "${invalid}")
refuse("${header}\"a,0,3,4\n" "2:1: quoted field is not closed" "${invalid}")

# What only the library refuses names the buffer and its line too.
status(invalid_one invalid 0 [0-9]+ 1)
status(invalid_two invalid 0 [0-9]+ 2)
refuse("${header}a,0,3,4\nbad,0,3,-4\n" "3:9: buffer 'bad': size is negative"
       "${invalid_two}")
refuse("${header}bad,3,3,4\n" "2:7: buffer 'bad': lifespan is empty.*"
       "${invalid_one}")
refuse("size,lower,upper,id,alignment\n4,0,3,bad,-8\n"
       "2:11: buffer 'bad': alignment is less than 1" "${invalid_one}")
refuse("id,lower,upper,size,gaps\nbad,0,3,4,1-9\n"
       "2:11: buffer 'bad': gap reaches outside the lifespan" "${invalid_one}")
refuse("${header}a,0,3,4611686018427387904\nbad,2,8,1\n"
       "3:9: buffer 'bad': sum of sizes .*" "${invalid_two}")

# What each constraint can have against it, by row and column.
set(header "id,lower,upper,size,")
set(bad "3:11: buffer 'bad': ")
macro(refuse_rows column first second reason)
  refuse("${header}${column}\na,0,3,8,${first}\nbad,0,3,4,${second}\n"
         "${reason}" "${refused}")
endmacro()
set(refused "${invalid_two}")
refuse_rows(hint "" -2 "${bad}hint is negative")
refuse_rows(gaps "" 1-1 "${bad}gap is empty: .*")
refuse_rows(gaps "" "0-2 1-3" "${bad}gaps overlap")
refuse_rows(gaps "" "0-2@3:5" "${bad}gap window .*")
refuse_rows(offset "" -2 "${bad}fixed offset is negative")
refuse_rows(offset "" 9223372036854775807 "${bad}fixed offset plus size .*")
refuse_rows(offset "" 4611686018427387904 "3:9: buffer 'bad': sum of sizes .*")
refuse_rows("alignment,offset" "," "8,12" "3:13: buffer 'bad': fixed offset is not .*")
refuse_rows(alias "" bad+4 "${bad}aliases and contiguous groups .*")
refuse_rows(alias bad a+4 "${bad}aliases and contiguous .* .buffer 'a'.")
refuse_rows("alias,follows" "," "a,a"
            "3:13: buffer 'bad': aliases and contiguous .* .buffer 'a'.")
set(bad "3:15: buffer 'bad': ")
refuse_rows("alias,offset" ",0" "a+4,8" "${bad}fixed offset contradicts .* .buffer 'a'.")
refuse_rows("alias,alignment" ",4" "a+2,4" "${bad}alignment contradicts .* .buffer 'a'.")
refuse_rows("alias,apart" "," "a+4,a" "${bad}kept apart from a buffer .* .buffer 'a'.")
set(bad "3:11: buffer 'bad': ")
refuse_rows(follows "" bad "${bad}aliases and contiguous groups .*")
refuse_rows(apart "" bad "${bad}pair of a buffer with itself")
refuse_rows(may_overlap "" bad "${bad}pair of a buffer with itself")
refuse_rows("may_overlap,apart" "bad," ",a"
            "3:12: buffer 'bad': pair is both .* .buffer 'a'.")
set(bad "2:9: buffer 'a': ")
refuse_rows(offset 4 8 "${bad}fixed offsets conflict .buffer 'bad'.")
refuse_rows("offset,gaps,apart" "0,0-2," "4,2-3,a"
            "${bad}fixed offsets conflict .buffer 'bad'.")
refuse_rows("offset,memory_end" "0,top" "8,bottom"
            "${bad}fixed offsets conflict .buffer 'bad'.")

# What cannot be read at all, by the field.
set(refused "${invalid}")
set(field "3:11: ")
refuse_rows(hint "" x "${field}hint: not an integer: 'x'")
refuse_rows(offset "" 1.5 "${field}offset: not an integer: '1.5'")
refuse_rows(gaps "" "0-2@3-5" "${field}gaps: not of the form .*: .*")
refuse_rows(gaps "" "0-1 1/2" "${field}gaps: not of the form .*: '1/2'")
refuse_rows(alias "" none "${field}alias: no row has this id: 'none'")
refuse_rows(alias "" none+4 "${field}alias: no row has this id: 'none.4'")
refuse_rows(alias "" a+x "${field}alias: not of the form .*: 'a.x'")
refuse_rows(alias "" a+9223372036854775808 "${field}alias: out of range: .*")
refuse_rows(alias "" "'a'4" "${field}alias: not of the form .*: ''a'4'")
refuse_rows(alias "" "'a" "${field}alias: id is not closed by a quote: ''a'")
refuse_rows(follows "" a+4 "${field}follows: no row has this id: 'a.4'")
refuse_rows(apart "" "a my id" "${field}apart: no row has this id: 'my'")
refuse_rows(apart "" "'a'+1" "${field}apart: text behind the closing .*")
refuse_rows(may_overlap "" "a A" "${field}may_overlap: no row .*: 'A'")
refuse_rows(memory_end "" middle
            "${field}memory_end: neither bottom nor top .*: 'middle'")
refuse("${header}apart,apart\n" "1:27: second column for 'apart': .*"
       "${invalid}")

# What the flags bring.
file(WRITE ${WORK}/bad.csv "id,lower,upper,size,offset\na,0,3,4,6\n")
case(2 "${invalid_one}" "bad.csv:2:9: buffer 'a': fixed offset is below .*\n"
     --capacity=12 --input=bad.csv --base=7)
case(2 "${invalid_one}" "bad.csv:2:9: buffer 'a': fixed offset is not .*\n"
     --capacity=12 --input=bad.csv --alignment=4)
case(2 "${invalid_one}" "bad.csv:2:9: buffer 'a': fixed offset occupies .*reserved range 9-12.\n"
     --capacity=12 --input=bad.csv --reserve=9-12@2-5)
case(0 "${any}" "" --capacity=12 --input=bad.csv --reserve=9-12@3-5)
case(2 "${any}" "bad.csv: with the flags --base, .*: base offset .* is too large: .*\n"
     --capacity=12 --input=bad.csv --base=9223372036854775807)
case(2 "${any}" "bad.csv: with the flags --base, .*: sum of sizes .*\n"
     --capacity=12 --input=bad.csv --reserve=0-9223372036854775807)

finish()
