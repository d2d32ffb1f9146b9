# The diagram is made of standard blocks.
if(TARGET hilda_plugins)
  add_dependencies(${test_program} hilda_plugins)
endif()
