# mpijit_llvm: LLVM 19's headers and shared library.
find_package(LLVM 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19/lib/cmake/llvm)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "LLVM 19 was not found. On Debian 12: apt-get install llvm-19-dev. Elsewhere, name its "
                      "CMake folder with --config-settings=cmake.define.LLVM_DIR=/path/to/lib/cmake/llvm.")
endif()
message(STATUS "LLVM: ${LLVM_PACKAGE_VERSION} (${LLVM_DIR})")
add_library(mpijit_llvm INTERFACE)
target_include_directories(mpijit_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(mpijit_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(mpijit_llvm INTERFACE -fno-rtti)
endif()
target_link_libraries(mpijit_llvm INTERFACE LLVM)
