// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Plans the memory of a small convolutional block with 8-bit activations,
/// channels first: an inverted residual, then two branches that are joined.
///
///     image -- expand -- relu -- depthwise -- relu -- project -- add
///          `------------------- shrink -----------------------'   |
///                                                                 |
///                    pool -- concat --+-- conv ----+-------------+
///                                     `-- smooth --'
///
/// It is planned three times, each time with more freedom, and compared with
/// memory that is never used twice.
///
///     c++ -std=c++17 -O2 -Iinclude examples/plan_block.cpp -o plan_block
#include "snug/io/ascii.hpp"
#include "snug/snug.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Block {
  snug::Schedule schedule{};

  std::size_t add(const char* name, std::vector<std::int64_t> shape) {
    snug::Tensor tensor;
    tensor.shape = std::move(shape);
    tensor.multiples = {16};  // rows are padded to whole vectors
    tensor.alignment = 64;
    tensor.name = name;
    schedule.tensors.push_back(tensor);
    return schedule.tensors.size() - 1;
  }

  snug::Operator& run(std::vector<std::size_t> inputs, std::size_t output) {
    schedule.operators.emplace_back();
    snug::Operator& op = schedule.operators.back();
    op.inputs = std::move(inputs);
    op.outputs = {output};
    return op;
  }
};

Block make_block(bool in_place, bool concat_by_parts) {
  Block block;
  // `output` may be written over either input of an element-wise operator.
  const auto run_elementwise = [&](std::vector<std::size_t> inputs,
                                   std::size_t output) {
    const std::size_t count = inputs.size();
    snug::Operator& op = block.run(std::move(inputs), output);
    for (std::size_t input = 0; in_place && input < count; ++input)
      op.in_place.push_back({0, input});
  };
  const auto weights = block.add("weights", {80, 24, 24});
  block.schedule.tensors[weights].lives_throughout = true;
  const auto image = block.add("image", {24, 56, 56});
  block.schedule.tensors[image].is_input = true;

  const auto expanded = block.add("expanded", {48, 56, 56});
  block.run({image, weights}, expanded);
  const auto active = block.add("active", {48, 56, 56});
  run_elementwise({expanded}, active);
  const auto filtered = block.add("filtered", {48, 28, 28});
  const auto rows = block.add("rows", {48, 3, 58});  // what the filter gathers
  block.run({active, weights}, filtered).scratch = {rows};
  const auto clipped = block.add("clipped", {48, 28, 28});
  run_elementwise({filtered}, clipped);
  const auto shrunk = block.add("shrunk", {24, 28, 28});
  block.run({image}, shrunk);
  const auto projected = block.add("projected", {24, 28, 28});
  block.run({clipped, weights}, projected);
  const auto sum = block.add("sum", {24, 28, 28});
  run_elementwise({projected, shrunk}, sum);

  // Channels come first, so that the parts of a concat are contiguous.
  const auto left = block.add("left", {168, 28, 28});
  const auto right = block.add("right", {24, 28, 28});
  const auto joined = block.add("joined", {192, 28, 28});
  block.run({sum, weights}, left);
  block.run({sum}, right);
  if (concat_by_parts) {
    std::vector<snug::Tensor>& tensors = block.schedule.tensors;
    tensors[left].parent = tensors[right].parent = joined;
    tensors[right].parent_offset = std::int64_t{168} * 28 * 32;
  } else {
    block.run({left, right}, joined);
  }
  const auto pooled = block.add("pooled", {192, 14, 14});
  block.run({joined}, pooled);
  block.schedule.tensors[pooled].is_output = true;
  return block;
}

/// Prints where each tensor is, and draws it.
void print(const Block& block, const snug::ScheduledProblem<>& made,
           const snug::Result<>& result) {
  std::puts("\n  offset     bytes  steps    tensor");
  std::vector<std::string> ids;
  for (std::size_t b = 0; b < made.tensor_of.size(); ++b) {
    const snug::Buffer<>& buffer = made.problem.buffers[b];
    ids.push_back(block.schedule.tensors[made.tensor_of[b]].name);
    std::printf("%8lld  %8lld  [%lld, %lld)%*s%s\n",
                static_cast<long long>(result.offsets[b]),
                static_cast<long long>(buffer.size),
                static_cast<long long>(buffer.lifespan.lower),
                static_cast<long long>(buffer.lifespan.upper),
                buffer.lifespan.upper < 10 ? 3 : 2, "", ids.back().c_str());
  }
  std::printf("\n%s",
              snug::draw_ascii(made.problem, result.height, result.offsets, ids)
                  .c_str());
}

/// Plans the block; prints its height, and with `all` the placement. Returns
/// the height, or -1 when something is wrong.
std::int64_t plan(const char* title, const Block& block, bool all) {
  const snug::ScheduledProblem<> made = snug::make_problem(block.schedule);
  if (!made.ok()) {
    std::fprintf(stderr, "%s: operator %zu, tensor %zu: %s\n", title,
                 made.error.op, made.error.tensor,
                 snug::to_string(made.error.reason));
    return -1;
  }
  const snug::Result<> result = snug::minimize(made.problem);
  if (result.status != snug::Status::kOptimal) {
    std::fprintf(stderr, "%s: %s: %s\n", title,
                 snug::outcome_word(result.status, result.stopped_by),
                 snug::to_string(result.error.reason));
    return -1;
  }
  const snug::Validation validation =
      snug::validate(made.problem, result.height, result.offsets);
  if (!validation.ok()) {
    std::fprintf(stderr, "%s: buffer %zu: %s\n", title, validation.buffer,
                 snug::to_string(validation.fault));
    return -1;
  }
  std::printf("%-28s %8lld bytes\n", title,
              static_cast<long long>(result.height));
  if (all) print(block, made, result);
  return result.height;
}

}  // namespace

int main() {
  const Block plain = make_block(false, false);
  std::int64_t total = 0;
  for (const auto& buffer : snug::make_problem(plain.schedule).problem.buffers)
    total += buffer.size;
  std::printf("%-28s %8lld bytes\n", "without reuse",
              static_cast<long long>(total));
  const std::int64_t reused = plan("with reuse", plain, false);
  const std::int64_t in_place =
      plan("and in place", make_block(true, false), false);
  const std::int64_t joined =
      plan("and the concat by parts", make_block(true, true), true);
  // Here each freedom saves memory.
  const bool is_good =
      0 < joined && joined < in_place && in_place < reused && reused < total;
  return is_good ? 0 : 1;
}
