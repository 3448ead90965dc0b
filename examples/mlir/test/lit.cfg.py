# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CMake gives the parameters: tools, plugin, make_functions and work.
import os

import lit.formats

tools = lit_config.params["tools"]
libraries = f"{tools}/../lib"
config.name = "snug-pack"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["work"]
config.substitutions += [
    ("snug-opt", f"{tools}/mlir-opt --load-pass-plugin={lit_config.params['plugin']}"),
    ("mlir-cpu-runner", f"{tools}/mlir-cpu-runner"),
    ("FileCheck", f"{tools}/FileCheck"),
    ("make-functions", lit_config.params["make_functions"]),
    ("%functions", os.environ.get("SNUG_TEST_ROUNDS", "40")),
    ("%libraries", f"{libraries}/libmlir_runner_utils.so,{libraries}/libmlir_c_runner_utils.so"),
]
