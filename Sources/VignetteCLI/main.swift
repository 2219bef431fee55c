#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let status = await Command.main(Array(CommandLine.arguments.dropFirst()))
// Not `exit`: everything has been written, and the clean-up of libcurl's thirty libraries costs more than a small decode.
_exit(status.rawValue)
