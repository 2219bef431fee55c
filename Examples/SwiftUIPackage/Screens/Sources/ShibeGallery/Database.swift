import SwiftUI

enum methods {
  static let get = "GET"
}

/// Where the lists come from.
public enum Database {
  public static var baseUrl = URL(fileURLWithPath: "/")
}

extension Database {
  static func request<T: Codable>(_ path: String, method: String) async -> T? {
    guard let url = URL(string: "\(baseUrl)\(path)") else {
      print("No address: \(path)")
      return nil
    }

    do {
      var request = URLRequest(url: url)
      request.addValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpMethod = method
      let (response, _) = try await URLSession.shared.data(for: request)
      let decoder = JSONDecoder()
      let data = try decoder.decode(T.self, from: response)
      return data
    } catch {
      print("No list: \(error)")
      return nil
    }
  }
}
