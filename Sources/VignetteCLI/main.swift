#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

exit(await Command.main(Array(CommandLine.arguments.dropFirst())).rawValue)
