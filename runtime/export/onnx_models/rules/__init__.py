"""Rules of export: functions of the writer, an operation and the names of its inputs."""
