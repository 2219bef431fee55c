// decode FILE WxH|full [REPETITIONS] [OUTPUT.png]
//
// Decodes a file through ImageCodecs and prints the median CPU milliseconds of the repetitions and the kilobytes by
// which the peak of the process's memory rose over what it was before the first of them. Benchmarks/C/decode.c takes
// the same arguments and prints the same line; Benchmarks/run compares the two.
import Foundation
import ImageCodecs
import Pixels

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// CPU time of this process, in milliseconds.
func cpuTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// A line of /proc/self/status in kilobytes; 0 where there is none.
func memory(_ name: String) -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

func target(_ text: String) -> DecodeTarget? {
  if text == "full" { return .full }
  let sides = text.split(separator: "x").compactMap { Int($0) }
  guard sides.count == 2 else { return nil }
  return .box(PixelSize(width: sides[0], height: sides[1]), .fit)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let target = target(arguments[2]) else {
  print("usage: decode FILE WxH|full [REPETITIONS] [OUTPUT.png]")
  exit(2)
}
let data = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
let repetitions = arguments.count > 3 ? max(1, Int(arguments[3]) ?? 1) : 1

var times: [Double] = []
var bitmap: Bitmap?
let memoryBefore = memory("VmRSS")
for _ in 0..<repetitions {
  // Released before, so that two results are never there at once, nor the release of one in the time of the other.
  bitmap = nil
  let start = cpuTime()
  bitmap = try ImageDecoder().decode(data, target: target).bitmap
  times.append(cpuTime() - start)
}
let peak = memory("VmHWM") - memoryBefore
times.sort()
print(String(format: "%.3f %d", times[times.count / 2], peak))

if arguments.count > 4, let bitmap {
  try ImageEncoder.png(bitmap).write(to: URL(fileURLWithPath: arguments[4]))
}
