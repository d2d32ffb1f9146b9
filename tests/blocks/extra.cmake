add_dependencies(${test_program} math discrete continuous routing sources sinks)
