// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Schedules of small networks, forward or with a training step: tensors as
/// large and as long-lived as in the real ones, weights left out.
///
///     transformer   layers of attention and a feed-forward block
///     mixture       the same with a choice of experts for the latter
///     unet          convolutions down and up, joined at each depth
///     residual      bottleneck blocks in four stages
///     lstm          layers by time steps
///
/// Training runs every operator backwards after the last one: that reads what
/// the operator read and wrote, and the gradient of its output, and makes the
/// gradients of its inputs and of its weights. So activations live on until
/// then: the earlier, the longer.
///
/// Every tensor is a buffer of its own, aligned to 64 bytes, without in-place
/// results, so that every allocator can place them.
#ifndef SNUG_BENCHMARKS_NETWORKS_HPP
#define SNUG_BENCHMARKS_NETWORKS_HPP

#include "snug/model/problem.hpp"
#include "snug/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// A schedule in the making.
class Network {
 public:
  using Id = std::size_t;

  Id input(std::int64_t elements) {
    const Id id = tensor(elements);
    schedule_.tensors[id].is_input = true;
    return id;
  }

  /// An operator with one result of so many elements of 16 bits, and weights.
  Id run(std::vector<Id> inputs, std::int64_t elements,
         std::int64_t weights = 0) {
    const Id id = tensor(elements);
    schedule_.operators.emplace_back();
    schedule_.operators.back().inputs = std::move(inputs);
    schedule_.operators.back().outputs = {id};
    weights_.push_back(weights);
    return id;
  }

  /// Elements of a tensor.
  [[nodiscard]] std::int64_t size(Id id) const {
    return schedule_.tensors[id].shape.front();
  }

  /// Appends the training step for `loss`, the last result.
  void train(Id loss) {
    std::vector<Id> gradients(schedule_.tensors.size(), kNoIndex);
    gradients[loss] = run({loss}, size(loss));
    const std::size_t forward = schedule_.operators.size() - 1;
    for (std::size_t t = forward; t-- > 0;) {
      const Operator op = schedule_.operators[t];
      const Id output = op.outputs.front();
      if (gradients[output] == kNoIndex) continue;
      std::vector<Id> read = op.inputs;
      read.push_back(output);
      read.push_back(gradients[output]);
      for (const Id input : op.inputs) {
        if (schedule_.tensors[input].is_input) continue;
        const Id gradient = run(read, size(input));
        gradients[input] = gradients[input] == kNoIndex
                               ? gradient
                               : run({gradients[input], gradient}, size(input));
      }
      // The weights' gradient is made, and used to change them.
      if (weights_[t] > 0) run({run(read, weights_[t])}, 1);
    }
  }

  [[nodiscard]] Problem<> problem() {
    schedule_.tensors[schedule_.operators.back().outputs.front()].is_output =
        true;
    return make_problem(schedule_).problem;
  }

 private:
  Id tensor(std::int64_t elements) {
    Tensor tensor;
    tensor.shape = {elements};
    tensor.element_bits = 16;
    tensor.alignment = 64;
    schedule_.tensors.push_back(tensor);
    return schedule_.tensors.size() - 1;
  }

  Schedule schedule_{};
  std::vector<std::int64_t> weights_{};  ///< of each operator
};

struct NetworkShape {
  std::size_t depth = 1;    ///< layers, levels, blocks a stage
  std::int64_t width = 1;   ///< channels, or features
  std::int64_t length = 1;  ///< tokens, time steps, or pixels a side
  bool train = false;
};

/// Queries, keys, values, scores of 8 heads, and what they give.
inline Network::Id attend(Network& net, Network::Id x,
                          const NetworkShape& shape) {
  const std::int64_t all = shape.length * shape.width;
  const std::int64_t square = shape.width * shape.width;
  const auto normal = net.run({x}, all);
  const auto queries = net.run({normal}, all, square);
  const auto keys = net.run({normal}, all, square);
  const auto scores = net.run({queries, keys}, 8 * shape.length * shape.length);
  const auto chances = net.run({scores}, net.size(scores));
  const auto values = net.run({normal}, all, square);
  const auto mixed = net.run({chances, values}, all);
  return net.run({x, net.run({mixed}, all, square)}, all);
}

inline Network::Id feed_forward(Network& net, Network::Id x,
                                std::int64_t tokens, std::int64_t width) {
  const std::int64_t weights = 4 * width * width;
  const auto wide = net.run({x}, 4 * tokens * width, weights);
  const auto active = net.run({wide}, net.size(wide));
  return net.run({active}, tokens * width, weights);
}

[[nodiscard]] inline Network transformer(const NetworkShape& shape,
                                         std::int64_t experts) {
  Network net;
  const std::int64_t all = shape.length * shape.width;
  auto x = net.input(all);
  for (std::size_t layer = 0; layer < shape.depth; ++layer) {
    x = attend(net, x, shape);
    const auto normal = net.run({x}, all);
    if (experts == 0) {
      x = net.run({x, feed_forward(net, normal, shape.length, shape.width)},
                  all);
      continue;
    }
    const auto gates = net.run({normal}, shape.length * experts);
    std::vector<Network::Id> results = {x, gates};
    for (std::int64_t e = 0; e < experts; ++e) {
      // Some experts get more of the tokens than others.
      const std::int64_t tokens = shape.length * (1 + e % 4) / experts + 1;
      const auto chosen = net.run({normal, gates}, tokens * shape.width);
      results.push_back(feed_forward(net, chosen, tokens, shape.width));
    }
    x = net.run(std::move(results), all);
  }
  const auto last = net.run({x}, all, shape.width * shape.width);
  if (shape.train) net.train(last);
  return net;
}

[[nodiscard]] inline Network unet(const NetworkShape& shape) {
  Network net;
  std::int64_t side = shape.length;
  std::int64_t width = shape.width;
  auto x = net.input(side * side * 3);
  const auto convolve = [&](Network::Id from) {
    for (int k = 0; k < 2; ++k)
      from = net.run({net.run({from}, side * side * width, 9 * width * width)},
                     side * side * width);
    return from;
  };
  std::vector<Network::Id> joined;
  for (std::size_t level = 0; level < shape.depth; ++level) {
    x = convolve(x);
    joined.push_back(x);
    side /= 2;
    x = net.run({x}, side * side * width);
    width *= 2;
  }
  x = convolve(x);
  for (std::size_t level = shape.depth; level-- > 0;) {
    width /= 2;
    side *= 2;
    x = net.run({x}, side * side * width, 8 * width * width);
    x = convolve(net.run({joined[level], x}, 2 * side * side * width));
  }
  x = net.run({x}, side * side);
  if (shape.train) net.train(x);
  return net;
}

[[nodiscard]] inline Network residual(const NetworkShape& shape) {
  Network net;
  std::int64_t side = shape.length / 4;
  std::int64_t width = shape.width;
  auto x = net.run({net.input(shape.length * shape.length * 3)},
                   side * side * width);
  for (int stage = 0; stage < 4; ++stage, side /= 2, width *= 2) {
    for (std::size_t block = 0; block < shape.depth; ++block) {
      const std::int64_t thin = side * side * width;
      auto y = net.run({x}, thin, 4 * width * width);
      y = net.run({y}, thin);
      y = net.run({y}, thin, 9 * width * width);
      y = net.run({y}, thin);
      y = net.run({y}, 4 * thin, 4 * width * width);
      // A stage's first block changes the shape, so that its input does, too.
      const auto past = block == 0 ? net.run({x}, 4 * thin, width * width) : x;
      x = net.run({net.run({y, past}, 4 * thin)}, 4 * thin);
    }
  }
  x = net.run({x}, 1000);
  if (shape.train) net.train(x);
  return net;
}

[[nodiscard]] inline Network lstm(const NetworkShape& shape) {
  constexpr std::int64_t kBatch = 16;
  const std::int64_t state = kBatch * shape.width;
  Network net;
  std::vector<Network::Id> steps;
  for (std::int64_t t = 0; t < shape.length; ++t)
    steps.push_back(net.input(state));
  for (std::size_t layer = 0; layer < shape.depth; ++layer) {
    auto hidden = net.input(state);
    auto cell = net.input(state);
    for (Network::Id& step : steps) {
      const auto sums =
          net.run({step, hidden}, 4 * state, 8 * shape.width * shape.width);
      const auto gates = net.run({sums}, 4 * state);
      cell = net.run({gates, cell}, state);
      hidden = net.run({gates, cell}, state);
      step = hidden;
    }
  }
  const auto last = net.run(steps, state);
  if (shape.train) net.train(last);
  return net;
}

/// Every network in several sizes, forward and training.
[[nodiscard]] inline std::vector<std::pair<std::string, Problem<>>>
network_problems() {
  std::vector<std::pair<std::string, Problem<>>> problems;
  for (const bool train : {false, true}) {
    const auto add = [&](const std::string& name, Network net) {
      problems.emplace_back(name + (train ? "_train" : "_forward"),
                            net.problem());
    };
    for (const std::size_t layers :
         {std::size_t{2}, std::size_t{6}, std::size_t{24}}) {
      const NetworkShape shape{layers, 768, 384, train};
      add("transformer" + std::to_string(layers), transformer(shape, 0));
    }
    for (const std::size_t layers : {std::size_t{2}, std::size_t{8}}) {
      const NetworkShape shape{layers, 512, 256, train};
      add("mixture" + std::to_string(layers), transformer(shape, 8));
    }
    for (const std::size_t levels : {std::size_t{3}, std::size_t{5}})
      add("unet" + std::to_string(levels), unet({levels, 32, 256, train}));
    for (const std::size_t blocks : {std::size_t{2}, std::size_t{6}})
      add("residual" + std::to_string(blocks),
          residual({blocks, 64, 224, train}));
    for (const std::size_t layers : {std::size_t{1}, std::size_t{3}})
      add("lstm" + std::to_string(layers), lstm({layers, 256, 40, train}));
  }
  return problems;
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_NETWORKS_HPP
