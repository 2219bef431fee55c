/// The texts of `--help` and `--version`. Options come from their declarations, so none is left out.
enum Help {
  static let version = "vignette 0.1.0"

  static let general = """
    Usage: vignette load SOURCE… [options]
           vignette convert FILE|URL --output FILE [options]
           vignette hash FILE|URL [options]
           vignette probe FILE|URL [options]
           vignette cache list|info|verify|trim|clear --cache DIR [options]
    \(proxyUsage)\
           vignette bench thumbnails URLFILE WxH [options]
           vignette --help | --version

    Loads pictures from the network or from files, at the size asked for: JPEG, PNG, WebP, AVIF, GIF, BMP and ICO, and
    HEIC, TIFF, JPEG XL and SVG where it was built with them. What it was not built with is named and measured by probe.

      load     Load each SOURCE and say what it is; write it to a file if asked to.
      convert  Load one picture and write it as PNG, JPEG or WebP.
      hash     Print a picture's placeholders: BlurHash and ThumbHash.
      probe    Read the first bytes and say which picture they begin.
      cache    List, check and trim what a cache directory holds.
    \(proxySummary)\
      bench    Load every URL of a list as a thumbnail, for a harness that measures.

    vignette load --help, and so on, list the options.
    Exit status: 0 all was well, 1 something failed, 2 wrong usage.

    """

  static let load = """
    Usage: vignette load SOURCE… [options]

    SOURCE is an http, https, file or data URL, or a path. Sources load at the same time; results come in the order given.

    \(list(LoadOptions.parser.options))

    A file is written whole or not at all, a JPEG over white, and never over its own source. In DIR the files are named
    after their sources, never over one another or over a source.
    JSON keys: source, status (success, failure), format, width, height (of the result), sourceWidth, sourceHeight,
    origin (network, disk, revalidated, memory, thumbnail, file, data), cacheStatus (what the HTTP cache did, as in the
    field Cache-Status of RFC 9211), bytes (of what was decoded), milliseconds (from the start to the end, waiting
    included), output (the file that was written), outputBytes, error (code, message).
    What comes over http is kept in the user's cache folder, or in DIR, with its thumbnails. Offline, what is not kept
    fails with cache.miss.
    Exit status: 0 all loaded, 1 some failed, 2 wrong usage.

    """

  static let convert = """
    Usage: vignette convert FILE|URL --output FILE [options]

    Loads one source as load does, and writes it whole or not at all: a JPEG over white, what has alpha with it in PNG
    and WebP, of an animation the first frame, upright and in sRGB. With --keep-color RGB pictures keep their colours and profile;
    greys and inks become sRGB all the same. Never writes over its own source.

    \(list(ConvertOptions.parser.options))

    JSON keys: those of load.
    Exit status: 0 it was written, 1 it could not be loaded or written, 2 wrong usage.

    """

  static let hash = """
    Usage: vignette hash FILE|URL [options]

    Prints what is shown until a picture is there: its BlurHash (4 by 3 waves) as text and its ThumbHash in base64.

    \(list(HashOptions.parser.options))

    JSON keys: source, status (success, failure), sourceWidth, sourceHeight, blurHash, thumbHash, error (code, message).
    Exit status: 0 it is a picture, 1 it is not or cannot be read, 2 wrong usage.

    """

  static let probe = """
    Usage: vignette probe FILE|URL [options]

    Reads pieces of 16 KiB until they hold the header; over http what has arrived by then. Nothing is kept in a cache.

    \(list(ProbeOptions.parser.options))

    JSON keys: source, status (success, failure), format, width, height (as displayed), orientation (1 to 8 as in EXIF),
    hasAlpha, bitDepth, colourSpace (untagged, sRGB, parameters, icc), iccName, animated, frames (null where only the end
    of the file would tell), loopCount (0 without end; null for a still), bytesRead, error (code, message).
    Exit status: 0 it is a picture, 1 it is not or cannot be read, 2 wrong usage.

    """

  static let cache = """
    Usage: vignette cache list|info|verify|trim|clear --cache DIR [options]

      list     Print every stored response, in the order in which they were stored.
      info     Say how many there are and how large they are.
      verify   Read everything back; remove what is damaged or belongs to no response, and name it.
      trim     Make it smaller: --to BYTES, --older-than AGE or both.
      clear    Remove every response, and say how many went.

    \(list(CacheOptions.parser.options))

    DIR is what load --cache, bench --cache or a program was given; other directories are left alone. Programs may use
    the cache meanwhile. Sizes count headers, thumbnails and bookkeeping; units are B, kB, MB, GB, KiB, MiB and GiB, and
    s, m, h, d and w.
    JSON keys of list: url, status (null where damaged), bytes, bodyBytes, stored, lastUsed, freshUntil (UTC),
    hasCredentials. Of the others: cache, status (success, failure), error (code, message); and of info entries, bytes,
    budgetBytes, schema; of verify whole, damaged, orphans, totalsWereRight; of trim and clear removedEntries,
    removedBytes, entries, bytes.
    Exit status: 0 all was well, 1 something was damaged or could not be done, 2 wrong usage.

    """

  static let proxy = """
    Usage: vignette proxy --origin URL --port N [options]

    Answers HTTP/1.1 on this machine from a private cache by RFC 9111, in front of one origin. What is not stored and
    fresh is asked of the origin; redirects, codings and errors are passed on as they are. Give it a DIR of its own.
    Answered here: 400 to what may be read in two ways and to targets that are no URI, 431 to more than 256 fields,
    501 to tunnels and to standard methods that are not in capitals, 408 to requests that come too slowly, 503 where 64
    requests are with the origin and none is answered for 5 s.

    \(list(ProxyOptions.parser.options))

    Prints the address it listens on, then a line for each request. JSON keys: listening, origin; then for each request
    method, target, status, cacheStatus (as in the field Cache-Status of RFC 9211), bytes (of the body sent),
    milliseconds, isComplete (false where the body broke off).
    Ends with SIGINT or SIGTERM, having written what is to be stored.
    Exit status: 0 ended by a signal, 1 the address cannot be listened on, 2 wrong usage.

    """

  private static let proxyUsage =
    ProxyCommand.isAvailable ? "       vignette proxy --origin URL --port N [options]\n" : ""
  private static let proxySummary =
    ProxyCommand.isAvailable ? "  proxy    Answer HTTP from a cache in front of an origin.\n" : ""

  static let bench = """
    Usage: vignette bench thumbnails URLFILE WxH [options]

    Loads every URL of URLFILE (one a line) at a size that fits into WxH pixels, through the default pipeline. Prints
    “start” just before the first request, “first” when the first picture is ready, “done N” when all N are decoded and
    ready to draw; then waits until its standard input ends. What failed is named on standard error, and “done” is not
    printed then.

    \(list(BenchOptions.parser.options))

    Exit status: 0 all loaded, 1 some failed, 2 wrong usage.

    """

  private static func list<Options>(_ options: [OptionDeclaration<Options>]) -> String {
    let width = (options.map(\.synopsis.count).max() ?? 0) + 2
    return options.map { option in
      "  " + option.synopsis + String(repeating: " ", count: width - option.synopsis.count) + option.help
    }.joined(separator: "\n")
  }
}
