# install.cmake: installs COMPONENTS (a,b) from BUILD into PREFIX, which is emptied before, and checks that nothing there
# points back: neither into BUILD nor into SOURCE.
file(REMOVE_RECURSE ${PREFIX})
string(REPLACE "," ";" COMPONENTS "${COMPONENTS}")
foreach(component IN LISTS COMPONENTS)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --component ${component}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE files ${PREFIX}/*)
foreach(file IN LISTS files)
  if(IS_SYMLINK ${file} OR file MATCHES "\\.(a|so[.0-9]*)$")
    continue()
  endif()
  file(READ ${file} text)
  foreach(folder ${BUILD} ${SOURCE})
    # As a path from the root on: a checkout in /corral is not what lib/cmake/corral names.
    string(REGEX REPLACE "([][+.*()^?|\\$])" "\\\\\\1" escaped ${folder})
    if(text MATCHES "(^|[^A-Za-z0-9_.}/-]|-[IL])${escaped}(/|[^A-Za-z0-9_.-]|$)")
      message(SEND_ERROR "${file} names ${folder}")
    endif()
  endforeach()
endforeach()
