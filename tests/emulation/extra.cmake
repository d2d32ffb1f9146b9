# The diagrams run as in tests/diagrams.
add_dependencies(${test_program} hilda_plugins)
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/diagrams/diagram_run.cpp")
