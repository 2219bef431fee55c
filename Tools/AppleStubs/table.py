"""Compares the declarations in this folder with symbols.tsv, the table of what Apple's documentation says of each.

A row has the symbol, the address of its page, the precise identifier (USR), the versions it is available from, and its
declaration, as the page has them. The compiler makes the same of the stubs. A row whose identifier reads `unverified`
has not been compared with a page: its declaration is the stub's own, so that a change is at least seen.
"""

import collections
import json
import re
import subprocess

# What the package runs on at least; a declaration that is older needs no @available.
FLOOR = {"iOS": (13, 0), "macOS": (10, 15), "tvOS": (13, 0), "watchOS": (6, 0)}
# Headers are modules of their own here; on Apple's systems they are part of the framework.
FRAMEWORK = {
    "CDarwin": "Darwin", "CCoreFoundation": "CoreFoundation", "CCoreGraphics": "CoreGraphics", "CImageIO": "ImageIO"}
# Members that a type has by conforming to a protocol of the standard library, whose own interface describes them.
CONFORMANCE = {
    "Body", "body", "==(_:_:)", "<(_:_:)", "hash(into:)", "description", "rawValue", "init(rawValue:)", "Element",
    "Index", "Indices", "SubSequence", "startIndex", "endIndex", "RawValue", "init(floatLiteral:)", "init(integerLiteral:)",
    "Stride", "Magnitude", "Exponent", "subscript(_:)", "replaceSubrange(_:with:)", "_ObjectiveCType"}

Symbol = collections.namedtuple("Symbol", "name page usr availability declaration")


# MARK: What the stubs say


def extract(module, triple, paths, directory):
    """The public symbols of a compiled module, as the compiler describes them."""
    subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", module, "-target", triple, *paths, "-output-dir", str(directory),
         "-minimum-access-level", "public"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    framework = FRAMEWORK.get(module, module)
    for graph in sorted(directory.glob(f"{module}*.symbols.json")):
        for symbol in json.loads(graph.read_text())["symbols"]:
            if is_listed(framework, symbol):
                declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
                if module in FRAMEWORK:
                    # Read on its own, without CoreFoundation's overlay, a header's CGFloat is a Double.
                    declaration = declaration.replace("Double", "CGFloat")
                name = f"{framework}.{'.'.join(symbol['pathComponents'])}"
                yield Symbol(name, "", symbol["identifier"]["precise"], versions(symbol), declaration)


def is_listed(framework, symbol):
    path = symbol["pathComponents"]
    if "::SYNTHESIZED::" in symbol["identifier"]["precise"] or path[-1] in CONFORMANCE or "BridgeFrom" in path[-1]:
        return False
    # The members of floating-point numbers and of sets, and the names C gives to sizes.
    own = ("init(_:)", "whitespaces")
    if path[0] in {"CGFloat", "CharacterSet"} and len(path) > 1 and not path[-1].startswith(own):
        return False
    return framework != "Darwin" and not path[0].endswith("_t")


def versions(symbol):
    found = {}
    for entry in symbol.get("availability", []):
        if entry.get("domain") in FLOOR and "introduced" in entry:
            found[entry["domain"]] = (entry["introduced"].get("major", 0), entry["introduced"].get("minor", 0))
    return found


# MARK: The table


def read(path):
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fields = line.split("\t")
        if number == 1 or not line:
            continue
        if len(fields) != 5:
            raise ValueError(f"{path.name}:{number}: five columns are needed, {len(fields)} found")
        rows.append(Symbol(fields[0], fields[1], fields[2], parse_versions(fields[3]), fields[4]))
    return rows


def parse_versions(text):
    found = {}
    for platform, major, minor in re.findall(r"(iOS|macOS|tvOS|watchOS) (\d+)\.(\d+)", text):
        found[platform] = (int(major), int(minor))
    return found


def write(path, rows):
    lines = ["\t".join(["symbol", "documentation", "usr", "availability", "declaration"])]
    for row in sorted(rows, key=lambda row: (row.name, row.declaration)):
        availability = ", ".join(f"{name} {major}.{minor}" for name, (major, minor) in sorted(row.availability.items()))
        lines.append("\t".join([row.name, row.page or "-", row.usr, availability or "-", plain(row.declaration)]))
    path.write_text("\n".join(lines) + "\n")


# MARK: Comparison


def plain(declaration):
    """One spelling for what newer SDKs spell differently, and for what a stub cannot say."""
    text = re.sub(r"\s+", " ", declaration).strip()
    text = text.replace("@export(implementation) ", "").replace("@ContentBuilder", "@ViewBuilder")
    # A delegate's optional methods are required in the stubs; see Foundation.swiftinterface.
    text = re.sub(r"^(@objc )?optional ", "", text)
    return text.replace("open ", "").replace("final ", "")


def is_compared_by_usr(row):
    """Classes of Objective-C are classes of Swift in the stubs, so that they and what names them get other USRs."""
    return not row.usr.startswith("c:objc") and not re.search(r"So\d+(NS|UI|OS_)\w+C", row.usr)


def differences(stub, row):
    if plain(stub.declaration) != plain(row.declaration):
        yield f"declaration: the stub has\n    {plain(stub.declaration)}\n  the table\n    {plain(row.declaration)}"
    if row.usr != "unverified" and is_compared_by_usr(row) and stub.usr != row.usr.replace("::OverloadGroup", ""):
        yield f"USR: the stub has {stub.usr}, the table {row.usr}"
    for platform, version in row.availability.items():
        wanted, found = max(version, FLOOR[platform]), max(stub.availability.get(platform, (0, 0)), FLOOR[platform])
        if wanted != found:
            yield f"{platform}: the stub has {found[0]}.{found[1]}, the table {wanted[0]}.{wanted[1]}"


def compare(stubs, rows):
    """What is wrong, in sentences, and how many symbols are known how well."""
    by_name = collections.defaultdict(list)
    for row in rows:
        by_name[row.name].append(row)
    problems, counts = [], collections.Counter()
    for stub in stubs:
        candidates = by_name[stub.name]
        if not candidates:
            problems.append(f"{stub.name} is not in symbols.tsv: {plain(stub.declaration)}")
            continue
        row = min(candidates, key=lambda row: (row.usr != stub.usr, plain(row.declaration) != plain(stub.declaration)))
        candidates.remove(row)
        problems += [f"{stub.name}: {text}" for text in differences(stub, row)]
        known = "unverified" if row.usr == "unverified" else "documented" if is_compared_by_usr(row) else "objc"
        counts[known] += 1
    problems += [f"{name} is in symbols.tsv and in no stub" for name, left in sorted(by_name.items()) if left]
    return problems, counts


def updated(stubs, rows):
    """The rows that still have a stub, and unverified ones for stubs that have none."""
    by_name = collections.defaultdict(list)
    for row in rows:
        by_name[row.name].append(row)
    kept = []
    for stub in stubs:
        candidates = by_name[stub.name]
        if candidates:
            row = min(
                candidates, key=lambda row: (row.usr != stub.usr, plain(row.declaration) != plain(stub.declaration)))
            candidates.remove(row)
            kept.append(stub._replace(usr="unverified") if row.usr == "unverified" else row)
        else:
            kept.append(stub._replace(usr="unverified"))
    return kept


def overlooked(stubs, rows):
    """Mistakes put into documented rows that the comparison does not notice; there must be none."""
    documented = [
        row for row in rows if row.usr != "unverified" and is_compared_by_usr(row) and "iOS" in row.availability]
    for row in documented[:1]:
        mistakes = {
            "declaration": row._replace(declaration=row.declaration + " where Self : Sendable"),
            "USR": row._replace(usr=row.usr + "x"),
            "availability": row._replace(availability={**row.availability, "iOS": (99, 0)})}
        for kind, mistake in mistakes.items():
            changed = [mistake if other is row else other for other in rows]
            if not any(text.startswith(row.name) for text in compare(stubs, changed)[0]):
                yield f"a wrong {kind} of {row.name} is not noticed"
