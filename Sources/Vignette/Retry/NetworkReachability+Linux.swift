#if !canImport(Darwin)
  extension NetworkReturn {
    /// No system service tells every program on Linux: `never`.
    public static let platform = NetworkReturn.never
  }
#endif
