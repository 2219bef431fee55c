#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// Undoes the coding `gzip` or `deflate` (RFC 9110, section 8.4.1) as the bytes arrive.
  ///
  /// libcurl's own decoder is not used: it reports a gzip stream cut in half as success, and inflates a whole read at
  /// once however large that becomes. This one says whether the stream ended, and yields pieces of bounded size.
  /// Not thread-safe: used by its transfer's event thread.
  final class Inflater {
    enum Failure: Error {
      case corrupt, truncated
    }

    private static let pieceBytes = 64 << 10
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Inflater.pieceBytes, alignment: 16)
    private let isDeflate: Bool
    private var isRaw = false
    private var pending: [UInt8] = []
    private var consumed = 0
    private var isAtEnd = false
    private var hasStarted = false
    /// What follows is neither kept nor looked at.
    private var hasPadding = false
    private var isReady: Bool

    /// - Returns: `nil` where the coding, in lower case, is not one of ours.
    init?(coding: Substring) {
      guard ["gzip", "x-gzip", "deflate"].contains(coding) else { return nil }
      isDeflate = coding == "deflate"
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
      isReady = ccurl_inflate_init(stream, 0) == Z_OK
    }

    deinit {
      if isReady { inflateEnd(stream) }
      stream.deallocate()
      piece.deallocate()
    }

    /// Takes compressed bytes; `drain` brings them out.
    func feed(_ bytes: UnsafeRawBufferPointer) {
      if consumed > 0 {
        pending.removeFirst(consumed)
        consumed = 0
      }
      pending.append(contentsOf: bytes)
    }

    /// Inflates what was fed, piece by piece, until nothing is left or `sink` refuses a piece (which is then offered
    /// again by the next call).
    /// - Returns: whether everything fed has been taken.
    func drain(_ sink: (UnsafeRawBufferPointer) throws -> Bool) throws -> Bool {
      while true {
        if held > 0 {
          guard try sink(UnsafeRawBufferPointer(rebasing: piece[..<held])) else { return false }
          held = 0
        }
        guard try inflatePiece() else { return true }
      }
    }

    /// Inflated bytes in `piece` that the sink has not taken.
    private var held = 0

    /// - Throws: `truncated` where the stream has not come to its end.
    func finish() throws {
      guard isAtEnd || !hasStarted else { throw Failure.truncated }
    }

    /// - Returns: whether there was anything to do.
    private func inflatePiece() throws -> Bool {
      guard isReady else { throw Failure.corrupt }
      if isAtEnd { return try beginNextMember() }
      let available = pending.count - consumed
      guard available > 0 || mayHoldOutput else { return false }
      hasStarted = true
      let status = inflateOnce(available)
      held = piece.count - Int(stream.pointee.avail_out)
      mayHoldOutput = stream.pointee.avail_out == 0
      switch status {
      case Z_OK: break
      case Z_BUF_ERROR: return held > 0
      case Z_STREAM_END: isAtEnd = true
      case Z_DATA_ERROR where isDeflate && !isRaw && stream.pointee.total_out == 0: try restartRaw()
      default: throw Failure.corrupt
      }
      return true
    }

    /// zlib filled the piece, so it may have more without further input.
    private var mayHoldOutput = false

    private func inflateOnce(_ available: Int) -> Int32 {
      pending.withUnsafeMutableBytes { bytes in
        stream.pointee.next_in = bytes.baseAddress.map { ($0 + consumed).assumingMemoryBound(to: Bytef.self) }
        stream.pointee.avail_in = uInt(available)
        stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(piece.count)
        let status = inflate(stream, Z_NO_FLUSH)
        consumed += available - Int(stream.pointee.avail_in)
        return status
      }
    }

    /// Many servers send bare deflate data where the RFC asks for a zlib header.
    private func restartRaw() throws {
      inflateEnd(stream)
      isReady = ccurl_inflate_init(stream, 1) == Z_OK
      isRaw = true
      consumed = 0
      held = 0
      mayHoldOutput = false
    }

    /// gzip members may follow each other (RFC 1952, section 2.2); anything else after the end is ignored.
    private func beginNextMember() throws -> Bool {
      let begin: [UInt8] = [0x1f, 0x8b]
      let rest = pending[consumed...].prefix(begin.count)
      guard !isDeflate, !hasPadding, rest.elementsEqual(begin) else {
        hasPadding = hasPadding || isDeflate || !begin.starts(with: rest)
        if hasPadding { consumed = pending.count }
        return false
      }
      guard inflateReset(stream) == Z_OK else { throw Failure.corrupt }
      isAtEnd = false
      mayHoldOutput = false
      return true
    }
  }
#endif
