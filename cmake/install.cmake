# Installation: headers, the two libraries (shared and static), the program, its man pages and
# completions, pkg-config and CMake package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS spinney RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/spinney ${CMAKE_CURRENT_BINARY_DIR}/include/spinney
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# spinney::spinney and spinney::lab are shared; with _static they are not. Who uses the first alone
# does not need what the lab needs, so each has a file of targets of its own.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spinney)
foreach(library spinney lab)
  set_target_properties(${library}_shared PROPERTIES EXPORT_NAME ${library})
  install(TARGETS ${library}_static ${library}_shared EXPORT ${library}Targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${library}Targets NAMESPACE spinney:: DESTINATION ${package_dir})
endforeach()
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/spinneyConfigVersion.cmake
  COMPATIBILITY ${SPN_COMPATIBILITY})
set(SPN_WITH_MPI 0)
if(MPI_C_FOUND)
  set(SPN_WITH_MPI 1)
  string(REPLACE ";" " " SPN_PC_MPI "${MPI_C_LIBRARIES}")
endif()
configure_package_config_file(cmake/spinneyConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/spinneyConfig.cmake INSTALL_DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/spinneyConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/spinneyConfigVersion.cmake DESTINATION ${package_dir})

if(OpenMP_C_FOUND)
  set(SPN_PC_OPENMP "${OpenMP_C_FLAGS}")
endif()
# The files find their prefix from where they lie, so that cmake --install --prefix can choose it.
file(RELATIVE_PATH SPN_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SPN_PC_TO_PREFIX "${SPN_PC_TO_PREFIX}")
foreach(module spinney spinney-lab)
  configure_file(cmake/${module}.pc.in ${module}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${module}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# The program writes its own manual and completion; where it cannot be run here they are left out.
if(NOT CMAKE_CROSSCOMPILING)
  set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual}.made
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:spinney> -DFOLDER=${manual}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/manual.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${manual}.made
    DEPENDS spinney cmake/manual.cmake COMMENT "Writing the manual" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual}.made)
  install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/completion/spinney
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/completion/_spinney
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual}/completion/spinney.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
