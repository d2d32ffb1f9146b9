target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/drivers/udp/packet.cpp")
