# Tests of emit and target; included by CMakeLists.txt.
add_executable(test_emit test_emit.cpp test_emit_arrays.cpp test_emit_calls.cpp test_emit_scalars.cpp)
target_link_libraries(test_emit PRIVATE mpijit_emit mpijit_target mpijit_warnings GTest::gtest_main)
gtest_discover_tests(test_emit DISCOVERY_TIMEOUT 60)
mpijit_jit_test(target mpijit_target)
