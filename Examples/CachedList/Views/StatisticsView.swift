import EaselCore
import Foundation

/// What the caches hold and have done, and a button that empties them.
struct StatisticsView: View {
  let statistics: ImageStore.Statistics
  let clear: @MainActor () -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: 6) {
      line("Memory", "\(bytes(statistics.memory)) in \(statistics.pictures) pictures")
      line("Disk", bytes(statistics.disk))
      line("Network", "\(statistics.counters.networkLoads) loads, \(bytes(statistics.counters.networkBytes))")
      line("Memory hits", "\(statistics.counters.memoryHits)")
      line("Evicted", "\(statistics.counters.evictions)")
      Button("Clear", action: clear)
        .buttonStyle(.bordered)
        .disabled(statistics.pictures == 0)
        .padding(.top, 4)
    }
    .padding()
    .frame(maxWidth: .infinity, alignment: .leading)
  }

  private func line(_ name: String, _ value: String) -> some View {
    HStack {
      Text(name)
        .foregroundColor(.secondary)
      Spacer()
      Text(value)
        .monospacedDigit()
    }
    .font(.subheadline)
  }

  private func bytes(_ count: Int) -> String {
    count < 1_000_000 ? "\((count + 500) / 1000) KB" : "\(count / 1_000_000).\(count / 100_000 % 10) MB"
  }
}
