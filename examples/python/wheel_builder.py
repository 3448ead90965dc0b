# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The build backend of this package (PEP 517), which needs no other package.

`pip install ./examples/python` in a checkout compiles the C interface of snug
with one call of the C++ compiler (the environment variable CXX, or c++, with
CXXFLAGS as the last of its options), which takes half a minute, and installs it
beside the module. If SNUG_LIBRARY names a shared library, that is installed
instead, and nothing is compiled.
"""

import base64
import hashlib
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def version():
    config = (ROOT / "include/snug/config.hpp").read_text(encoding="utf-8")
    return ".".join(re.findall(r"#define SNUG_VERSION_\w+ (\d+)", config))


def compile_library(path):
    source = ROOT / "examples/compiled"
    command = shlex.split(os.environ.get("CXX", "c++"))
    command += ["-std=c++17", "-O2", "-DNDEBUG", "-DSNUG_C_EXPORTS", "-fPIC"]
    command += ["-shared", "-fvisibility=hidden", "-fvisibility-inlines-hidden"]
    command += shlex.split(os.environ.get("CXXFLAGS", ""))
    command += [f"-I{ROOT / 'include'}", "-o", str(path)]
    # The folder holds what the library is made of, and nothing else: CMake
    # refuses a build where it does not. All at once takes less time.
    for file in sorted(source.glob("*.cpp")):
        command += ["-include", str(file)]
    command += ["-x", "c++", os.devnull]
    if sys.platform.startswith("linux"):
        command.append(f"-Wl,--version-script={source / 'c_api.map'}")
    print(shlex.join(command), flush=True)
    subprocess.run(command, check=True)


def contents(scratch):
    """The files of the package: name and bytes."""
    given = os.environ.get("SNUG_LIBRARY")
    library = Path(given) if given else Path(scratch, "library")
    if not given:
        compile_library(library)
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
    yield "snug/libsnug_c" + suffix, library.read_bytes()
    yield "snug/py.typed", b""
    for file in sorted((HERE / "src/snug").glob("*.py")):
        yield f"snug/{file.name}", file.read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    platform = re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())
    tag = f"py3-none-{platform}"
    info = f"snug-{version()}.dist-info"
    metadata = (f"Metadata-Version: 2.1\nName: snug\nVersion: {version()}\n"
                "Summary: Exact static memory allocation\n"
                "License: Apache-2.0 WITH LLVM-exception\n"
                "Requires-Python: >=3.8\n")
    wheel = ("Wheel-Version: 1.0\nGenerator: snug\nRoot-Is-Purelib: false\n"
             f"Tag: {tag}\n")
    name = f"snug-{version()}-{tag}.whl"
    records = []
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(
            Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in [*contents(scratch),
                           (f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()),
                           (f"{info}/METADATA", metadata.encode()),
                           (f"{info}/WHEEL", wheel.encode())]:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
            records.append(f"{path},sha256={digest.decode().rstrip('=')},"
                           f"{len(data)}\n")
            archive.writestr(path, data)
        records.append(f"{info}/RECORD,,\n")
        archive.writestr(f"{info}/RECORD", "".join(records))
    return name
