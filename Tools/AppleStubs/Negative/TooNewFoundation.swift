// only: ios13 macos
// expect: 'seekToEnd()' is only available in
import Foundation

func tooNewFoundation(_ file: FileHandle) throws {
  try file.seekToEnd()
}
