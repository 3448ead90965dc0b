// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes small TensorFlow Lite models into the folder that is given.
#include "support/tflite_models.hpp"

#include <fstream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  using namespace snug::testing;
  const std::string folder = std::string(argv[1]) + '/';
  const auto save = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder + name, std::ios::binary) << bytes;
  };
  // 0 -- conv -- 1 -- relu -- 2 -- reshape -- 3 -- conv(weights 4) -- 5.
  ModelSpec spec;
  spec.buffers.push_back({"weights!"});
  SubgraphSpec s;
  s.tensors = {{{1, 40}, 9, 0, false, "in"},   {{1, 90}, 9, 0, false, "conv"},
               {{1, 90}, 9, 0, false, "relu"}, {{90}, 9, 0, false, "flat"},
               {{8}, 9, 1, false, "weights"},  {{1, 10}, 9, 0, false, "out"},
               {{2, 6}, 9, 0, true, "memory"}};
  s.inputs = {0};
  s.outputs = {5};
  s.operators = {
      {3, {0, 4}, {1}}, {19, {1}, {2}}, {22, {2}, {3}}, {3, {3, 4, 6}, {5}}};
  spec.subgraphs = {s};
  const std::string model = make_model(spec);
  save("small.tflite", model);
  save("cut.tflite", model.substr(0, model.size() / 2));
  spec.subgraphs[0].operators[1].inputs = {9};
  save("bad.tflite", make_model(spec));
  return 0;
}
