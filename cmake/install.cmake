# Installation: headers, both libraries, the program, pkg-config and CMake package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS spinney RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS spinney_static spinney_shared EXPORT spinneyTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/spinney ${CMAKE_CURRENT_BINARY_DIR}/include/spinney
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set_target_properties(spinney_static PROPERTIES EXPORT_NAME static)
set_target_properties(spinney_shared PROPERTIES EXPORT_NAME shared)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spinney)
install(EXPORT spinneyTargets NAMESPACE spinney:: DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/spinneyConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
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
# The file finds its prefix from where it lies, so that cmake --install --prefix can choose it.
file(RELATIVE_PATH SPN_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SPN_PC_TO_PREFIX "${SPN_PC_TO_PREFIX}")
configure_file(cmake/spinney.pc.in spinney.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/spinney.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
