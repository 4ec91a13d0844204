# find_package(mazur): the program, its header, and functions for tests.
#
#   mazur::mazur                  the program
#   mazur::headers                <mazur.h>
#   mazur_instrument(target...)   compile and link these targets with mazur cc / mazur c++, and -g
#   mazur_add_test(target [NAME name] [BOUND n] [TIME seconds] [STRATEGY name]
#                  [OPTIONS option...] [ARGS argument...] [REQUIRE_COMPLETE] [NO_INSTRUMENT])
#
# MAZUR_EXECUTABLE can be set beforehand, to use another build.

get_filename_component(_mazur_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
get_filename_component(_mazur_sources "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
find_program(MAZUR_EXECUTABLE mazur
    HINTS "${_mazur_prefix}/bin" "${_mazur_sources}/bin" NO_CMAKE_SYSTEM_PATH)
find_path(MAZUR_INCLUDE_DIR mazur.h
    HINTS "${_mazur_prefix}/include" "${_mazur_sources}/include")
mark_as_advanced(MAZUR_EXECUTABLE MAZUR_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(mazur REQUIRED_VARS MAZUR_EXECUTABLE MAZUR_INCLUDE_DIR)

if(mazur_FOUND AND NOT TARGET mazur::mazur)
    add_executable(mazur::mazur IMPORTED)
    set_target_properties(mazur::mazur PROPERTIES IMPORTED_LOCATION "${MAZUR_EXECUTABLE}")
    add_library(mazur::headers INTERFACE IMPORTED)
    set_target_properties(mazur::headers PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${MAZUR_INCLUDE_DIR}")
endif()

# A launcher gets the compiler as its first argument: mazur cc --compiler /usr/bin/cc -c …
function(mazur_instrument)
    if(CMAKE_VERSION VERSION_LESS 3.21)
        message(FATAL_ERROR "mazur_instrument needs CMake 3.21 (linker launchers)")
    endif()
    foreach(target IN LISTS ARGN)
        set_target_properties(${target} PROPERTIES
            C_COMPILER_LAUNCHER "${MAZUR_EXECUTABLE};cc;--compiler"
            C_LINKER_LAUNCHER "${MAZUR_EXECUTABLE};cc;--compiler"
            CXX_COMPILER_LAUNCHER "${MAZUR_EXECUTABLE};c++;--compiler"
            CXX_LINKER_LAUNCHER "${MAZUR_EXECUTABLE};c++;--compiler")
        target_compile_options(${target} PRIVATE -g) # reports name lines, whatever the build type
    endforeach()
endfunction()

function(mazur_add_test target)
    cmake_parse_arguments(PARSE_ARGV 1 test "REQUIRE_COMPLETE;NO_INSTRUMENT"
        "NAME;BOUND;TIME;STRATEGY" "OPTIONS;ARGS")
    if(test_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "mazur_add_test(${target}): unknown ${test_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT test_NAME)
        set(test_NAME "mazur.${target}")
    endif()
    if(NOT DEFINED test_TIME)
        set(test_TIME 60)
    endif()
    set(options --time ${test_TIME} --trace-dir "${CMAKE_CURRENT_BINARY_DIR}")
    if(DEFINED test_BOUND)
        list(APPEND options --bound ${test_BOUND})
    endif()
    if(DEFINED test_STRATEGY)
        list(APPEND options --strategy ${test_STRATEGY})
    endif()
    if(test_REQUIRE_COMPLETE)
        list(APPEND options --require-complete)
    endif()
    if(NOT test_NO_INSTRUMENT)
        mazur_instrument(${target})
    endif()
    # "$<TARGET_FILE:…>" and not the target's name: a test launcher must not come in between
    add_test(NAME ${test_NAME}
        COMMAND "${MAZUR_EXECUTABLE}" run ${options} ${test_OPTIONS} $<TARGET_FILE:${target}> ${test_ARGS})
    if(test_TIME MATCHES "^[1-9][0-9]*$")
        math(EXPR limit "${test_TIME} + 60")
        set_tests_properties(${test_NAME} PROPERTIES TIMEOUT ${limit})
    endif()
endfunction()
