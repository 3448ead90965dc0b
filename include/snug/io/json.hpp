// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems, results and schedules as JSON: read_json(), read_json_schedule(),
/// write_json(). A host in any language can dump the first or the last and gets
/// the second.
///
/// A **problem**: only `buffers` is needed, and of a buffer only its lifespan
/// (half-open) and size. A buffer is referred to by its id or by its index, a
/// number; without an id, its index is its id.
///
///     {"capacity": 4096, "base": 0, "alignment": 1,
///      "reserved": [{"lower": 48, "upper": 64},
///                   {"lower": 96, "upper": 112, "from": 4, "to": 6}],
///      "buffers": [
///        {"id": "conv1", "lower": 0, "upper": 9, "size": 64,
///         "alignment": 16, "offset": 128, "hint": 0, "end": "bottom",
///         "gaps": [{"lower": 2, "upper": 4},
///                  {"lower": 5, "upper": 6, "window": [0, 16]}]},
///        {"id": "relu1", "lower": 8, "upper": 12, "size": 64}, ...],
///      "aliases": [{"buffer": "relu1", "of": "conv1", "delta": 0}],
///      "contiguous": [["a", "b", "c"]],
///      "apart": [["a", 0]],
///      "may_overlap": [["then", "else"]],
///      "penalties": [{"first": "a", "second": 0, "cost": 5}]}
///
/// | key                      | of the model                                 |
/// |--------------------------|----------------------------------------------|
/// | `capacity`               | for solve(); not a part of the Problem.      |
/// |                          | Absent or null: none                         |
/// | `base`, `alignment`      | Problem::base, Problem::alignment            |
/// | `reserved`               | bytes [lower, upper), for all time or in     |
/// |                          | [from, to)                                   |
/// | `buffers` ... `offset`   | Buffer::offset: fixed; absent or null: free  |
/// | `buffers` ... `hint`     | Buffer::hint; absent or null: none           |
/// | `buffers` ... `end`      | `bottom`, `top` or `any`                     |
/// | `buffers` ... `gaps`     | inactive in [lower, upper), or only the bytes|
/// |                          | [window[0], window[1]) in use                |
/// | `aliases`                | Problem::aliases; `delta` may be left out    |
/// | `contiguous`             | Problem::contiguous: each begins where the   |
/// |                          | one before it ends                           |
/// | `apart`, `may_overlap`   | pairs                                        |
/// | `penalties`              | Problem::penalties                           |
/// | `result`                 | skipped, so that what was written can be read|
///
/// With a **result**, write_json() adds
///
///      "result": {"status": "solved", "height": 192, "lower_bound": 192,
///                 "nodes": 12, "seconds": 0.000034, "moved": ["conv1"],
///                 "offsets": [128, 0, ...]}
///
/// where `offsets` is in the order of `buffers`, and empty without a placement;
/// `moved` has the buffers that are not at their hints. The status is the word
/// of outcome_word(). What does not fit may have a `reason`, a sentence such as
/// to_string() makes of what explain() says.
///
/// Of **several memories**, for assign(), each has its own capacity, base,
/// alignment and reserved ranges, which are refused beside `pools`:
///
///     {"pools": [{"name": "sram", "capacity": 65536, "base": 0,
///                 "alignment": 16, "reserved": [{"lower": 0, "upper": 64}]},
///                {"name": "dram", "cost_per_byte": 3}],
///      "buffers": [{"id": "weights", "lower": 0, "upper": 9, "size": 512,
///                   "pools": [{"pool": "sram", "cost": 40}, "dram"]}, ...]}
///
/// | key                      | of the model                                 |
/// |--------------------------|----------------------------------------------|
/// | `name`                   | without one, its index is its name           |
/// | `capacity`               | Pool::capacity; absent or null: unlimited    |
/// | `base` ... `cost_per_byte` | the same of Pool                           |
/// | `buffers` ... `pools`    | Pools::costs: the pools that the buffer may  |
/// |                          | be in, by name or index, at a cost on top of |
/// |                          | that of its bytes (0); absent or empty: any  |
/// |                          | of them. A cost of null: not in that one, as |
/// |                          | if it were not listed                        |
///
/// The result then says what assign() does, with the pool of each buffer:
///
///      "result": {"status": "solved", "cost": 1536, "cost_bound": 1536,
///                 "nodes": 2, "seconds": 0.000034, "pools": ["dram", ...],
///                 "offsets": [0, ...]}
///
/// A **schedule**: tensors, and operators in the order in which they run. Both
/// are referred to by name or by index.
///
///     {"tensors": [
///        {"name": "image", "shape": [24, 56, 56], "bits": 8, "input": true,
///         "alignment": 64, "multiples": [8, 128]},
///        {"name": "cache", "bytes": 4096, "input": true, "output": true},
///        {"name": "left", "bytes": 100, "parent": "both", "parent_offset": 0},
///        {"name": "both", "bytes": 200, "output": true}],
///      "operators": [
///        {"name": "relu", "inputs": ["image"], "outputs": ["left"],
///         "scratch": [], "in_place": [["left", "image"]], "stream": 0},
///        {"name": "append", "inputs": ["left", "cache"],
///         "outputs": ["cache"]}, ...],
///      "dependencies": [["relu", 1]]}
///
/// | key                   | of the model                                    |
/// |-----------------------|-------------------------------------------------|
/// | `shape`, `bits`       | Tensor::shape, Tensor::element_bits (8)         |
/// | `bytes`               | instead of both: the size                       |
/// | `multiples`           | Tensor::multiples                               |
/// | `input`, `output`     | Tensor::is_input, Tensor::is_output             |
/// | `throughout`          | Tensor::lives_throughout                        |
/// | `parent`, `parent_offset` | the same                                    |
/// | `name`                | Tensor::name, Operator::name                    |
/// | `inputs`, `outputs`   | the same; what is in both is updated            |
/// | `in_place`            | pairs of an output and an input of the operator |
/// | `dependencies`        | pairs of operators, the earlier one first       |
///
/// Numbers are integers, exactly: no fraction, no exponent, in the range of
/// their type. Keys may come in any order. A key that begins with `_` is the
/// host's own and skipped with its value.
///
/// Refused, with line and column: any other key that is not above, a key or an
/// id that comes twice, what is not JSON (RFC 8259), what is not UTF-8, names
/// that nobody has, values nested more than 64 deep.
#ifndef SNUG_IO_JSON_HPP
#define SNUG_IO_JSON_HPP

// clang-format off
#include "snug/io/json_read.hpp"
#include "snug/io/json_schedule.hpp"
#include "snug/io/json_write.hpp"
// clang-format on

#endif  // SNUG_IO_JSON_HPP
