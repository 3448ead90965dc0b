// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/names.hpp"

#include "support/catch.hpp"

#include <string>
#include <string_view>

namespace names_test {

using snug::detail::count_letters;
using snug::detail::fit_name;

TEST_CASE("names: folders go first, then the middle") {
  const std::string name = "MobilenetV1/MobilenetV1/Conv2d_0/Relu6";
  CHECK(fit_name(name, 100, "~") == name);
  CHECK(fit_name(name, 38, "~") == name);
  CHECK(fit_name(name, 37, "~") == "MobilenetV1/Conv2d_0/Relu6");
  CHECK(fit_name(name, 26, "~") == "MobilenetV1/Conv2d_0/Relu6");
  CHECK(fit_name(name, 25, "~") == "Conv2d_0/Relu6");
  CHECK(fit_name(name, 14, "~") == "Conv2d_0/Relu6");
  CHECK(fit_name(name, 13, "~") == "Relu6");
  CHECK(fit_name(name, 5, "~") == "Relu6");
  CHECK(fit_name(name, 4, "~") == "Re~6");
  CHECK(fit_name(name, 3, "~").empty());
  CHECK(fit_name(name, 0, "~").empty());
}

TEST_CASE("names: short ones and odd ones") {
  CHECK(fit_name("a", 1, "~") == "a");
  CHECK(fit_name("", 5, "~").empty());
  CHECK(fit_name("a/b/", 2, "~") == "b/");
  CHECK(fit_name("folder/", 4, "~") == "fo~/");
  CHECK(fit_name("////////", 3, "~") == "///");
}

TEST_CASE("names: letters are counted, not bytes") {
  const std::string_view wide = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80xy";
  CHECK(count_letters(wide) == 5);
  CHECK(fit_name(wide, 5, "~") == wide);
  CHECK(fit_name(wide, 4, "~") == "\xC3\xA4\xE2\x82\xAC~y");
  CHECK(count_letters("\xC3\xFFz") == 3);  // malformed bytes count one each
}

}  // namespace names_test
