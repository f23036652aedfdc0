# Installs the runtime and reads its dynamic section: it must ask for libmpi.so.12 by name and carry no path, so that
# the libmpi the process already has, or the one the package chooses, is the one it gets. Its thread-local data must be
# small: part of it is static TLS, of which a dlopened library gets what the others left over.
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component mpijit_runtime --prefix ${PREFIX}
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND readelf -d ${PREFIX}/lib/libmpijit_runtime.so OUTPUT_VARIABLE section
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT section MATCHES "NEEDED[^\n]*libmpi\\.so\\.12")
  message(FATAL_ERROR "libmpi.so.12 is not needed by the installed library:\n${section}")
endif()
if(section MATCHES "(RPATH|RUNPATH)")
  message(FATAL_ERROR "The installed library carries a path:\n${section}")
endif()
execute_process(COMMAND readelf -lW ${PREFIX}/lib/libmpijit_runtime.so OUTPUT_VARIABLE segments
                COMMAND_ERROR_IS_FATAL ANY)
if(segments MATCHES "TLS +0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ (0x[0-9a-f]+)")
  math(EXPR tls_bytes "${CMAKE_MATCH_1}")
  if(tls_bytes GREATER 64)
    message(FATAL_ERROR "The installed library has ${tls_bytes} bytes of thread-local data; 64 are allowed.")
  endif()
endif()
