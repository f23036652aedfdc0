# Flags for everything, and mpijit_layer(): one static library per folder.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_SKIP_INSTALL_RPATH OFF)

# Warnings are errors where the tests are built, not where a user installs with a newer compiler.
# -Wno-restrict, -Wno-array-bounds: GCC 12 warns at -O3 about its own std::string (GCC bug 105651) and about what it
# inlines of std::vector; the sanitized tests look for the real ones.
add_library(mpijit_warnings INTERFACE)
target_compile_options(mpijit_warnings INTERFACE -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict$<SEMICOLON>-Wno-array-bounds>)
if(MPIJIT_TESTS)
  target_compile_options(mpijit_warnings INTERFACE -Werror)
endif()

if(MPIJIT_SANITIZE)
  add_compile_options(-fsanitize=${MPIJIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MPIJIT_SANITIZE})
endif()

# mpijit_layer(NAME source... [DEPENDS layer...]): the folder's library. Headers are included as
# "folder/file.h" relative to jit/, so an include shows the layer it crosses.
function(mpijit_layer name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/jit)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} PRIVATE mpijit_warnings)
endfunction()
