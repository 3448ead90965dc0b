# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs solve_json in many ways and checks what comes out.
#
#   cmake -D PROGRAM=program \
#         -D GUARDS=sanitizers -D WORK=folder -P this
cmake_minimum_required(VERSION 3.16)
include(${CMAKE_CURRENT_LIST_DIR}/case.cmake)

file(WRITE ${WORK}/five.json
"{\"buffers\": [
  {\"id\": \"b1\", \"lower\": 0, \"upper\": 3, \"size\": 4},
  {\"id\": \"b2\", \"lower\": 3, \"upper\": 9, \"size\": 4},
  {\"id\": \"b3\", \"lower\": 0, \"upper\": 9, \"size\": 4},
  {\"id\": \"b4\", \"lower\": 9, \"upper\": 21, \"size\": 4},
  {\"id\": \"b5\", \"lower\": 0, \"upper\": 21, \"size\": 4}]}
")
set(any "(.|\n)*")
set(offsets ".([0-9]+,)+[0-9]+.}}\n")
set(solved "\"status\":\"solved\",\"height\":12,\"lower_bound\":12,${any}${offsets}")
case(0 "{\"buffers\":.\n{\"id\":\"b1\"${any}${solved}" "" --input=five.json)
case(0 "{\"capacity\":12,${any}${solved}" "" --input=five.json --capacity=12)
set(reason "\"reason\":\"at step 0, three buffers need 12 bytes, 1 more than there are: b1 .4., b3 .4., b5 .4.\"")
case(1 "${any}\"status\":\"infeasible\",${any}${reason},${any}\"offsets\":..}}\n" ""
     --input=five.json --capacity=11)
# For what takes a search, only where it is asked for.
set(tall "\"lower\": 0, \"upper\": 4, \"alignment\": 4, \"size\": 5")
file(WRITE ${WORK}/tall.json "{\"capacity\": 12, \"buffers\": [
 {\"id\": \"p\", ${tall}}, {\"id\": \"q\", ${tall}}]}
")
case(1 "${any}\"reason\":\"there is no placement\",${any}" ""
     --input=tall.json)
case(1 "${any}\"reason\":\"two buffers have no place within 12 bytes, [^\n]+: p .5., q .5.\",${any}" ""
     --input=tall.json --explain)
case(2 "" "five.json: --explain: there is no capacity\n"
     --input=five.json --explain)
case(0 "{\"buffers\":.\n{\"id\":\"b1\"${any}${solved}" "" five.json)
case(2 "" "solve_json: --input: expected the name of the one file [^\n]+\n"
     five.json --input=five.json)
case(2 "" "solve_json: unexpected argument 'five.json' [^\n]+\n"
     --input=five.json five.json)
case(0 "" "" --input=five.json --output=out.json)
# What cannot be written is found out first.
file(WRITE ${WORK}/bad.json "{}")
case(2 "" "no/such/out.json: [^\n]+\n" --input=bad.json
     --output=no/such/out.json)
# What was written can be read, result and all.
case(0 "${any}${solved}" "" --input=out.json --timeout=5s)
case(0 "" "" --input=five.json --output=with.json --capacity=13)
case(0 "{\"capacity\":13,${any}" "" --input=with.json)
case(1 "{\"capacity\":11,${any}" "" --input=with.json --capacity=11)

file(WRITE ${WORK}/schedule.json
"{\"tensors\": [{\"name\": \"in\", \"bytes\": 100, \"input\": true},
               {\"name\": \"act\", \"shape\": [5, 10], \"bits\": 16},
               {\"name\": \"out\", \"bytes\": 50, \"output\": true}],
 \"operators\": [{\"name\": \"relu\", \"inputs\": [\"in\"],
                 \"outputs\": [\"act\"], \"in_place\": [[\"act\", \"in\"]]},
                {\"name\": \"conv\", \"inputs\": [1], \"outputs\": [2]}]}
")
case(0 "${any}\"id\":\"act\",\"lower\":0,\"upper\":2,\"size\":100}${any}\"height\":150,${any}" ""
     --input=schedule.json)

# Several memories.
file(WRITE ${WORK}/pools.json
"{\"pools\": [{\"name\": \"sram\", \"capacity\": 8},
            {\"name\": \"dram\", \"cost_per_byte\": 3}],
 \"buffers\": [
  {\"id\": \"a\", \"lower\": 0, \"upper\": 3, \"size\": 8},
  {\"id\": \"b\", \"lower\": 0, \"upper\": 3, \"size\": 6},
  {\"id\": \"c\", \"lower\": 3, \"upper\": 4, \"size\": 8,
   \"pools\": [{\"pool\": 1, \"cost\": 5}]}]}
")
set(divided "\"status\":\"solved\",\"cost\":47,\"cost_bound\":47,${any}\"pools\":.\"sram\",\"dram\",\"dram\".,\"offsets\":.0,0,0.}}\n")
case(0 "{\"pools\":.\n{\"name\":\"sram\",\"capacity\":8},${any}${divided}" ""
     --input=pools.json --output=-)
case(0 "" "" --input=pools.json --output=divided.json)
case(0 "${any}${divided}" "" --input=divided.json --nodes=100000)
case(2 "" "pools.json: --explain: there are several memories\n"
     --input=pools.json --explain)
case(2 "" "pools.json: --capacity: each of the pools has its own\n"
     --input=pools.json --capacity=9)
file(WRITE ${WORK}/small.json
"{\"pools\": [{\"capacity\": 7}],
 \"buffers\": [{\"lower\": 0, \"upper\": 3, \"size\": 8}]}
")
case(1 "${any}\"status\":\"infeasible\",${any}\"pools\":..,\"offsets\":..}}\n"
     "" --input=small.json)

# Fixed offsets that conflict in one memory do not in two. Penalties are judged
# there as well.
set(two "\"lower\": 0, \"upper\": 3, \"size\": 8, \"offset\": 0")
string(CONCAT fixed "{\"pools\": [{\"capacity\": 8}, {\"capacity\": 9}],
 \"buffers\": [{${two}, \"pools\": [0]}, {${two}, \"pools\": [1]}]")
file(WRITE ${WORK}/fixed.json "${fixed}}\n")
case(0 "${any}\"status\":\"solved\",${any}\"pools\":.\"0\",\"1\".,\"offsets\":.0,0.}}\n"
     "" --input=fixed.json)
file(WRITE ${WORK}/fixed.json "${fixed},
 \"penalties\": [{\"first\": 0, \"second\": 0, \"cost\": 1}]}\n")
set(note "fixed.json: key 'penalties' is ignored: solve_csv has [^\n]+\n")
case(2 "" "${note}fixed.json:2:14: buffer '0': pair of a buffer with itself\n"
     --input=fixed.json)
file(WRITE ${WORK}/fixed.json "${fixed},
 \"penalties\": [{\"first\": 0, \"second\": 1, \"cost\": 1}]}\n")
case(0 "${any}\"status\":\"solved\",${any}" "${note}" --input=fixed.json)

# Bad input, with its place.
macro(refuse text message)
  file(WRITE ${WORK}/bad.json "${text}")
  case(2 "" "bad.json:${message}\n" --input=bad.json)
endmacro()
set(b "\"lower\":0,\"upper\":1")
refuse("" "1:1: expected an object, not the end of the text")
refuse("{}" "1:1: no key 'buffers'")
refuse("{\"capacity\": 5}" "1:1: no key 'buffers'")
refuse("{\"operators\": []}" "1:1: no key 'tensors'")
refuse("{\"colour\": 5}" "1:2: unknown key 'colour'")
refuse("{\"buffers\":[{${b},\"size\":1,\"aligment\":4}]}"
       "1:43: unknown key 'aligment'")
refuse("{\"buffers\":[\n{${b},\"size\":-1,\"id\":\"x\"}]}"
       "2:1: buffer 'x': size is negative")
refuse("{\"base\":-1,\"buffers\":[]}" "1:1: base offset of the problem .*")
refuse("{\"capacity\":-1,\"buffers\":[]}" "1:1: capacity is negative")
# Which of several, as it has no place, and with whom.
set(ranges "\"reserved\":[{\"lower\":0,\"upper\":4},{\"lower\":5,\"upper\":5}]")
refuse("{\"buffers\":[],${ranges}}"
       "1:1: reserved range is empty [^\n]+ .reserved range 5-5.")
refuse("{\"buffers\":[],\"pools\":[{${ranges}}]}"
       "1:24: pool '0': reserved range is empty [^\n]+ .reserved range 5-5.")
refuse("{\"buffers\":[{${b},\"size\":1,\"offset\":0},{${b},\"size\":1,\"offset\":0}]}"
       "1:13: buffer '0': fixed offsets conflict .buffer '1'.")
refuse("{\"tensors\":[{\"bytes\":1,\"inputs\":true}]}"
       "1:24: unknown key 'inputs'")
refuse("{\"tensors\":[{\"bytes\":1}],\n\"operators\":[{\"inputs\":[0]}]}"
       "2:14: operator '0': tensor '0': tensor is used before it is produced")
refuse("{\"tensors\":[\n{\"bytes\":-1,\"name\":\"t\"}]}"
       "2:1: tensor 't': dimension is negative")
refuse("{\"buffers\":[],\n\"pools\":[{\"capacity\":-1}]}"
       "2:10: pool '0': capacity is negative")
refuse("{\"pools\":[{\"alignment\":2}],\"buffers\":[\n{${b},\"size\":1,\"offset\":1}]}"
       "2:1: pool '0': buffer '0': [^\n]+")
refuse("{\"capacity\":4,\"buffers\":[],\"pools\":[{}]}"
       "1:13: 'capacity' beside 'pools': each has its own")
case(2 "" "none.json: [^\n]+\n" --input=none.json)
case(2 "" "no/out.json: [^\n]+\n" --input=five.json --output=no/out.json)
case(2 "" "solve_json: unknown flag '--no' [^\n]+\n" --no)
case(0 "solve_json ${any}" "" --help)
memory_case("out of memory\n" --input=much)
full_case(--help)

finish()
