target_link_libraries(${name} PRIVATE hilda_studio)
