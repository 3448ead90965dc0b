#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Plants the bugs of bugs.txt, one at a time, in a copy of the headers, and
# runs the tests against it: each must fail on it. What a test does not fail
# on it does not guard.
#
#   tests/mutation/run.sh                  all bugs, some three hours
#   tests/mutation/run.sh NAME...          these only; patterns like 'twins-*'
#   tests/mutation/run.sh --check          only whether the texts still match
#   tests/mutation/run.sh --list           the names and what they break
#
# The exit status is 0 when every bug was killed or is marked `equivalent`, no
# equivalent one was, and, after a run over all, every rule had a bug killed by
# an oracle: property/oracle_test.cpp, or another one that try() names for the
# file; 1 when not; 2 when a text to be replaced does not stand in its file
# exactly once, a bug does not compile, or a test fails without any bug; 77 when
# Catch2 is not where the compiler looks.
#
# A bug is killed when a test program fails, crashes or takes too long. The
# tests are built with NDEBUG, so that assertions of the library do not do
# their work for them. Programs are tried in this order, and only those that
# include the changed header: the oracle (for bodies/ the fastest of its
# three), the unit test of the header or those that know most about it, the other
# oracles and property tests, the other unit tests. One that fails without any bug
# kills none.
#
# Environment: CASES (a test case of the oracle, to run no more than that, fast
# but weak), CXX (c++), CXXFLAGS (-O1), LDLIBS (Catch2 where it is found),
# JOBS (1), SECONDS_EACH (60, for one program), KEEP (a folder to work in and
# to leave behind).
#
# bugs.txt, one block a bug; texts run to the next key or `end`, without the
# last newline:
#
#   bug: name                     letters, digits and -
#   rule: what it breaks
#   file: path below include/
#   equivalent: why no test can see it          (optional)
#   old:
#   ...
#   new:
#   ...
#   end
set -u -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
bugs=$here/bugs.txt
cxx=${CXX:-c++}
read -r -a cxxflags <<<"${CXXFLAGS:--O1} -std=c++17 -DNDEBUG -w"
jobs=${JOBS:-1}
seconds_each=${SECONDS_EACH:-60}

fail() {
  echo "run.sh: $*" >&2
  exit 2
}

# --- the list -----------------------------------------------------------------

names=()
declare -A rule file equivalent old new
parse() {
  local line key='' name='' number=0
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    if [ "$key" = old ] || [ "$key" = new ]; then
      case $line in
        new:) key=new ;;
        end) key='' ;;
        *)
          if [ "$key" = old ]; then
            old[$name]+=$line$'\n'
          else
            new[$name]+=$line$'\n'
          fi
          ;;
      esac
      continue
    fi
    case $line in
      '' | '#'*) ;;
      'bug: '*)
        name=${line#bug: }
        [ -z "${old[$name]+set}" ] || fail "$bugs:$number: $name comes twice"
        names+=("$name")
        old[$name]=''
        new[$name]=''
        ;;
      'rule: '*) rule[$name]=${line#rule: } ;;
      'file: '*) file[$name]=${line#file: } ;;
      'equivalent: '*) equivalent[$name]=${line#equivalent: } ;;
      old:) key=old ;;
      *) fail "$bugs:$number: not understood: $line" ;;
    esac
  done <"$bugs"
  [ -z "$key" ] || fail "$bugs: the last bug has no end"
  for name in "${names[@]}"; do
    [[ -n ${rule[$name]:-} && -n ${file[$name]:-} && -n ${old[$name]} ]] ||
      fail "$name lacks a rule, a file or a text"
  done
}

# plant NAME OUT: writes the changed file, or fails.
plant() {
  local text before after from=${old[$1]%$'\n'} to=${new[$1]%$'\n'}
  [ -f "$root/include/${file[$1]}" ] || {
    echo "$1: there is no ${file[$1]}"
    return 1
  }
  text=$(<"$root/include/${file[$1]}")
  before=${text%%"$from"*}
  if [ "$before" = "$text" ]; then
    echo "$1: its old text is not in ${file[$1]}"
    return 1
  fi
  after=${text:${#before}+${#from}}
  if [[ $after == *"$from"* ]]; then
    echo "$1: its old text is in ${file[$1]} more than once"
    return 1
  fi
  [ "$from" != "$to" ] || {
    echo "$1: changes nothing"
    return 1
  }
  printf '%s\n' "$before$to$after" >"$2"
}

parse
chosen=()
check_only=''
case ${1:-} in
  --list)
    for name in "${names[@]}"; do
      printf '%-34s %s\n' "$name" "${rule[$name]}"
    done
    exit 0
    ;;
  --check)
    check_only=yes
    shift
    ;;
esac
if [ $# -eq 0 ]; then
  chosen=("${names[@]}")
else
  for pattern in "$@"; do
    count=${#chosen[@]}
    for name in "${names[@]}"; do
      # shellcheck disable=SC2053
      [[ $name == $pattern ]] && chosen+=("$name")
    done
    [ ${#chosen[@]} -gt "$count" ] || fail "no bug is called $pattern"
  done
fi

work=${KEEP:-$(mktemp -d)}
mkdir -p "$work" || fail "cannot write to $work"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT

stale=0
for name in "${names[@]}"; do
  plant "$name" "$work/planted" >&2 || stale=1
done
rm -f "$work/planted"
[ $stale -eq 0 ] || fail "bugs.txt no longer fits the headers"
[ -z "$check_only" ] || exit 0

# --- the tests ----------------------------------------------------------------

tests=(property/oracle_test)
cases=()
[ -z "${CASES:-}" ] || cases=("$CASES")
for path in "$root"/tests/property/*.cpp "$root"/tests/unit/*.cpp; do
  [ ${#cases[@]} -eq 0 ] || break
  name=${path#"$root/tests/"}
  name=${name%.cpp}
  [[ " ${tests[*]} " == *" $name "* ]] || tests+=("$name")
done

# Flags of the include path with the headers in folder $1.
includes() {
  printf '%s\n' "-I$1" "-I$root/tests" "-I$root/benchmarks" "-I$root/examples"
}

# What every program is linked with: Catch2's main.
{
  echo '#if __has_include(<catch2/catch_all.hpp>)'
  echo '#error version 3 brings its main in a library: set LDLIBS'
  echo '#endif'
  echo '#define CATCH_CONFIG_MAIN'
  echo '#include <catch2/catch.hpp>'
} >"$work/main.cpp"
main=()
if [ -n "${LDLIBS:-}" ]; then
  read -r -a main <<<"$LDLIBS"
else
  echo 'int unused;' >"$work/probe.cpp"
  for libraries in -lCatch2WithMain '-lCatch2Main -lCatch2'; do
    read -r -a main <<<"$libraries"
    "$cxx" "${cxxflags[@]}" "$work/probe.cpp" "${main[@]}" -o "$work/probe" \
      2>"$work/probe.log" && break
    main=()
  done
fi
if [ ${#main[@]} -eq 0 ]; then
  "$cxx" "${cxxflags[@]}" -O0 -c "$work/main.cpp" -o "$work/main.o" || {
    echo "run.sh: skipped, $cxx does not find Catch2" >&2
    exit 77
  }
  main=("$work/main.o")
fi

# Which headers each test includes, to know whom a bug can concern.
declare -A needs
for name in "${tests[@]}"; do
  mapfile -t flags < <(includes "$root/include")
  needs[$name]=$("$cxx" "${cxxflags[@]}" "${flags[@]}" -MM \
    "$root/tests/$name.cpp") || fail "$name.cpp does not preprocess"
done

# build_and_run TEST HEADERS DIR: 0 when the test passes; prints which test
# case failed when not. 3 when it does not compile.
build_and_run() {
  local program flags status verdict
  program=$3/$(basename "$1")
  mapfile -t flags < <(includes "$2")
  "$cxx" "${cxxflags[@]}" "${flags[@]}" "$root/tests/$1.cpp" "${main[@]}" \
    -pthread -o "$program" >"$program.log" 2>&1 || {
    echo "$1 does not compile"
    return 3
  }
  # Some programs read the files of the project: from its top they find them.
  (
    cd "$root" && ulimit -v 8000000 && ulimit -c 0 &&
      exec timeout "$seconds_each" "$program" --abort "${cases[@]}"
  ) >"$program.log" 2>&1
  status=$?
  rm -f "$program"
  [ $status -ne 0 ] || return 0
  verdict=$(grep -m 1 -A 1 '^-----' "$program.log" | tail -n 1)
  [ $status -ne 124 ] || verdict="more than $seconds_each s"
  echo "${1##*/}: ${verdict:-exit status $status}"
  return 1
}

# passes TEST DIR: whether the test passes without any bug; asked once each.
mkdir -p "$work/passes" "$work/fails"
passes() {
  local by id=${1##*/}
  [ ! -f "$work/passes/$id" ] || return 0
  [ ! -f "$work/fails/$id" ] || return 1
  if by=$(build_and_run "$1" "$root/include" "$2"); then
    : >"$work/passes/$id"
  else
    echo "$by" >"$work/fails/$id"
    return 1
  fi
}

# try NAME DIR: writes "verdict|by|seconds" to DIR/result.
try() {
  local name=$1 dir=$2 started=$SECONDS verdict=survived by='' status test own
  local oracles=(property/oracle_test) next=() tried=' '
  # CASES are those of the oracle.
  if [[ ${#cases[@]} -eq 0 ]]; then
    case ${file[$name]#snug/} in
      */join_rules.hpp | */bins.hpp | */hole_bound.hpp | bounds/clique_cover.hpp | \
        */pair_clique_bound.hpp | */merged_ties.hpp | */lowest.hpp | \
        */relaxed_load.hpp | */relaxed_packings.hpp | */relaxed_stacks.hpp | */pair_fit.hpp | \
        normal/presolve.hpp | normal/parts.hpp)
        oracles=(property/constrained_test) ;;
      */obstacles.hpp | */jumps.hpp | */above_ground.hpp | */hole_packing.hpp | */packed_load.hpp)
        oracles=(property/obstacles_test) ;;
      */met.hpp) oracles=(unit/met_test) ;;
      */lasting.hpp) oracles=(unit/lasting_test) ;;
      */open_pairs.hpp) oracles=(unit/open_pairs_test) ;;
      bodies/* | plan/body_placer.hpp | plan/body_components.hpp)
        oracles=(property/constrained_rules_test
          property/constrained_conflicts_test property/constrained_test) ;;
      engine/*)
        oracles+=(property/constrained_rules_test
          property/constrained_conflicts_test property/constrained_test) ;;
      normal/relaxed.hpp)
        oracles=(property/certificate_test property/constrained_test) ;;
      certificate/*)
        oracles=(property/certificate_test) ;;
      penalty/*)
        oracles=(property/penalty_oracle_test unit/cover_test) ;;
      pools/*)
        oracles=(unit/program_bound_test unit/assign_test) ;;
    esac
  fi
  # Unit tests of another name that know most about the header.
  case ${file[$name]#snug/} in
    */jumps.hpp) next=(unit/hole_bound_test) ;;
    io/ids.hpp) next=(unit/csv_test unit/json_test) ;;
    bounds/clique_cover.hpp) next=(unit/clique_cover_test) ;;
    bounds/hole_packing.hpp) next=(unit/packed_load_test) ;;
    certificate/*) next=(unit/certify_test) ;;
    normal/relaxed.hpp | */relaxed_load.hpp)
      next=(unit/relaxed_load_test unit/relaxed_packings_test unit/relaxed_stacks_test
        unit/certify_test) ;;
    penalty/*) next=(unit/penalty_test) ;;
    pools/division_placer.hpp) next=(unit/pool_search_test) ;;
    support/align.hpp) next=(unit/unit_test) ;;
    support/sort_in_parts.hpp) next=(unit/interrupt_test) ;;
    plan/plan.hpp) next=(unit/met_test unit/plan_test) ;;
    plan/*) next=(unit/plan_test unit/place_large_test) ;;
  esac
  cp -R "$root/include" "$dir/include"
  plant "$name" "$dir/include/${file[$name]}" >/dev/null
  own=unit/$(basename "${file[$name]}" .hpp)_test
  for test in "${oracles[0]}" "$own" "${next[@]}" "${oracles[@]}" \
    "${tests[@]}"; do
    [[ $tried != *" $test "* ]] || continue
    tried+="$test "
    [[ ${needs[$test]:-} == *"/include/${file[$name]}"* ]] || continue
    passes "$test" "$dir" || continue
    by=$(build_and_run "$test" "$dir/include" "$dir")
    status=$?
    [ $status -ne 0 ] || continue
    verdict=killed
    [[ " ${oracles[*]} " != *" $test "* ]] || verdict=oracle
    [ $status -eq 1 ] || verdict=broken
    break
  done
  [ $verdict != survived ] || by=''
  echo "$verdict|$by|$((SECONDS - started))" >"$dir/result"
  rm -rf "$dir/include"
}

running=0
for name in "${chosen[@]}"; do
  mkdir -p "$work/$name"
  try "$name" "$work/$name" &
  running=$((running + 1))
  if [ $running -ge "$jobs" ]; then
    wait -n
    running=$((running - 1))
  fi
done
wait

# --- the table ----------------------------------------------------------------

bad=0
declare -A guarded
printf '%-34s %-20s %-10s %4s  %s\n' bug rule verdict s by
for name in "${chosen[@]}"; do
  IFS='|' read -r verdict by seconds <"$work/$name/result" ||
    fail "$name has no result"
  shown=$verdict
  case $verdict in
    oracle)
      shown=killed
      guarded[${rule[$name]}]=yes
      ;;
    broken) bad=2 ;;
    survived)
      if [ -n "${equivalent[$name]:-}" ]; then
        shown=equivalent
      else
        shown=SURVIVED
        [ $bad -ne 0 ] || bad=1
      fi
      ;;
  esac
  if [ "$shown" = killed ] && [ -n "${equivalent[$name]:-}" ]; then
    shown=NOT-EQUIV
    [ $bad -ne 0 ] || bad=1
  fi
  printf '%-34s %-20s %-10s %4s  %s\n' "$name" "${rule[$name]}" "$shown" \
    "$seconds" "$by"
done
if [ ${#chosen[@]} -eq ${#names[@]} ]; then
  for name in "${names[@]}"; do
    [ -z "${guarded[${rule[$name]}]:-}" ] || continue
    guarded[${rule[$name]}]=no
    case ${rule[$name]} in
      # The oracle's problems are well formed, and it uses validate() itself.
      # Weights change the order of the search and never an answer. Each has
      # unit tests that know better. A race makes calls of solve(). What is
      # selected badly is only placed less well. Texts are no matter to it, nor is
      # when a model is made.
      check | validate | 'failure weights' | race | sorting | names | 'flat models')
        continue ;;
    esac
    echo "the oracle does not notice: ${rule[$name]}"
    [ $bad -ne 0 ] || bad=1
  done
fi
for path in "$work"/fails/*; do
  [ -f "$path" ] || continue
  echo "fails without any bug: $(<"$path")"
  bad=2
done
exit $bad
