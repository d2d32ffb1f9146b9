# The protocol is tested by itself, the blocks through the plugin.
file(GLOB protocol CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/drivers/ati_netft/*.cpp")
list(FILTER protocol EXCLUDE REGEX "/net_ft[a-z_]*\\.cpp$")
target_sources(${test_program} PRIVATE ${protocol})
add_dependencies(${test_program} ati_netft sources math sinks kinematics)
target_compile_definitions(${test_program} PRIVATE GOLDEN_PACKETS="tests/drivers_ati/golden")
target_compile_definitions(${test_program} PRIVATE HILDA_WIRED_PLUGIN="ati_netft")
# The loop trap of tests/realtime watches what the blocks' loop functions do.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/realtime/watched_run.cpp")
if(HILDA_SANITIZE)
  target_compile_definitions(${test_program} PRIVATE HILDA_WITHOUT_TRAP)
else()
  add_dependencies(${test_program} hilda hilda_trap)
endif()
