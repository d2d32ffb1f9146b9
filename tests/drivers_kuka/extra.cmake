# The protocol is looked at by itself; the blocks run through their plugin, one against the other.
file(GLOB kuka_protocol "${PROJECT_SOURCE_DIR}/drivers/kuka_rsi/*.cpp")
list(FILTER kuka_protocol EXCLUDE REGEX "/rsi_[a-z]+\\.cpp$")
target_sources(${test_program} PRIVATE ${kuka_protocol})
add_dependencies(${test_program} kuka_rsi sources math kinematics)
