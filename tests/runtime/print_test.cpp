// What print writes without a host. The expected texts are CPython's and NumPy's for the same values.
#include <bit>
#include <cmath>
#include <limits>

#include "support.h"

using namespace mpijit::test;

namespace {

int64_t word(double value) { return std::bit_cast<int64_t>(value); }
int64_t word(float value) { return std::bit_cast<uint32_t>(value); }

std::string printed(const std::string& types, const std::vector<int64_t>& words, const char* sep = " ",
                    const char* end = "") {
  testing::internal::CaptureStdout();
  ok(mpijit_print(&site, types.c_str(), words.data(), sep, end));
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

std::string shown(double value) { return printed("(float)", {word(value)}); }
std::string shown32(float value) { return printed("(float32)", {word(value)}); }

} // namespace

TEST(Print, FloatsAsRepr) {
  EXPECT_EQ(shown(0.0), "0.0");
  EXPECT_EQ(shown(-0.0), "-0.0");
  EXPECT_EQ(shown(1.0), "1.0");
  EXPECT_EQ(shown(0.1), "0.1");
  EXPECT_EQ(shown(-2.5), "-2.5");
  EXPECT_EQ(shown(100.0), "100.0");
  EXPECT_EQ(shown(1234567.125), "1234567.125");
  EXPECT_EQ(shown(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(shown(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(shown(1e-4), "0.0001");
  EXPECT_EQ(shown(1.5e-4), "0.00015");
  EXPECT_EQ(shown(9.999e-5), "9.999e-05");
  EXPECT_EQ(shown(1e15), "1000000000000000.0");
  EXPECT_EQ(shown(9999999999999998.0), "9999999999999998.0");
  EXPECT_EQ(shown(1e16), "1e+16");
  EXPECT_EQ(shown(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(shown(1e100), "1e+100");
  EXPECT_EQ(shown(5e-324), "5e-324");
  EXPECT_EQ(shown(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(shown(INFINITY), "inf");
  EXPECT_EQ(shown(-INFINITY), "-inf");
  EXPECT_EQ(shown(NAN), "nan");
}

TEST(Print, NumPysFloat32) {
  EXPECT_EQ(shown32(0.1f), "0.1");
  EXPECT_EQ(shown32(999999.0f), "999999.0");
  EXPECT_EQ(shown32(1e6f), "1e+06");
  EXPECT_EQ(shown32(123456789.0f), "1.2345679e+08");
  EXPECT_EQ(shown32(1e-4f), "1e-04");
  EXPECT_EQ(shown32(0.00012345678f), "0.00012345678");
  EXPECT_EQ(shown32(3e-45f), "3e-45");
}

TEST(Print, Integers) {
  EXPECT_EQ(printed("(int)", {-7}), "-7");
  EXPECT_EQ(printed("(int8, int64)", {-128, INT64_MIN}), "-128 -9223372036854775808");
  EXPECT_EQ(printed("(uint64)", {-1}), "18446744073709551615");
  EXPECT_EQ(printed("(uint8)", {255}), "255");
}

TEST(Print, TruthNothingAndText) {
  EXPECT_EQ(printed("(bool, bool, none)", {1, 0}), "True False None");
  const std::string text = "it's";
  const auto address = reinterpret_cast<int64_t>(text.data());
  EXPECT_EQ(printed("(str)", {address, 4}), "it's");
  EXPECT_EQ(printed("((str, str),)", {address, 4, address, 2}), "(\"it's\", 'it')");
  const std::string odd = "a\n\t\\\x7f'\"\xc3\xa9";
  EXPECT_EQ(printed("((str))", {reinterpret_cast<int64_t>(odd.data()), static_cast<int64_t>(odd.size())}),
            "('a\\n\\t\\\\\\x7f\\'\"\xc3\xa9',)");
}

TEST(Print, SeparatorsAndEnds) {
  EXPECT_EQ(printed("(int, int, int)", {1, 2, 3}, ", ", "!\n"), "1, 2, 3!\n");
  EXPECT_EQ(printed("()", {}, " ", "\n"), "\n");
}

TEST(Print, Tuples) {
  EXPECT_EQ(printed("((int, float), int)", {1, word(2.0), 3}), "(1, 2.0) 3");
  EXPECT_EQ(printed("((int))", {1}), "(1,)");
  EXPECT_EQ(printed("(())", {}), "()");
  EXPECT_EQ(printed("((int, (bool, none)))", {1, 0}), "(1, (False, None))");
}

TEST(Print, StrongScalarsInTuplesHaveNumPysRepr) {
  EXPECT_EQ(printed("((float64, float32, int32, uint8))", {word(1.5), word(0.1f), 3, 4}),
            "(np.float64(1.5), np.float32(0.1), np.int32(3), np.uint8(4))");
  EXPECT_EQ(printed("((float, int))", {word(1.5), 3}), "(1.5, 3)");
  EXPECT_EQ(printed("((float64))", {word(static_cast<double>(NAN))}), "(np.float64(nan),)");
}

TEST(Print, ComplexNumbers) {
  const auto shown = [](double re, double im) { return printed("(complex)", {word(re), word(im)}); };
  EXPECT_EQ(shown(1, 2), "(1+2j)");
  EXPECT_EQ(shown(0, 1), "1j");
  EXPECT_EQ(shown(0, 0), "0j");
  EXPECT_EQ(shown(0, -1.5), "-1.5j");
  EXPECT_EQ(shown(-0.0, 1), "(-0+1j)");
  EXPECT_EQ(shown(-1, -0.0), "(-1-0j)");
  EXPECT_EQ(shown(1e15, 1e16), "(1000000000000000+1e+16j)");
  EXPECT_EQ(shown(1e-5, 0.0001), "(1e-05+0.0001j)");
  EXPECT_EQ(shown(NAN, -NAN), "(nan+nanj)");
  EXPECT_EQ(shown(INFINITY, -INFINITY), "(inf-infj)");
  EXPECT_EQ(printed("(complex64, int)", {word(1e6f), word(0.1f), 7}), "(1e+06+0.1j) 7");
  EXPECT_EQ(printed("((complex128, complex), int)", {word(0.0), word(1.0), word(1.0), word(2.0), 7}),
            "(np.complex128(1j), (1+2j)) 7");
}

TEST(Print, ArraysRequestsAndStatuses) {
  EXPECT_EQ(printed("(float64[:, ::1], int)", {0, 3, 4, 32, 8, 0, 5}), "<array float64 (3, 4)> 5");
  EXPECT_EQ(printed("(int32[:])", {0, 9, 4, 0}), "<array int32 (9,)>");
  EXPECT_EQ(printed("(request, request)", {0, 5}), "<null request> <request>");
  EXPECT_EQ(printed("(status, int)", {1, 2, 3, 24, 9}), "Status(source=1, tag=2, count=3, nbytes=24) 9");
}

TEST(Print, RefusesWhatItDoesNotKnow) {
  const int64_t words[8] = {};
  for (const char* types : {"(banana)", "int", "(int", "(complex32)", ""})
    fails(mpijit_print(&site, types, words, " ", "\n"), MPIJIT_TypeError, "print: cannot show values of type");
}
