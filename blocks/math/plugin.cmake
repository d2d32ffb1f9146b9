target_link_libraries(${plugin} PRIVATE muparser::muparser)
