"""Compares the declarations in this folder with symbols.tsv, the table of what Apple says of each.

A row has the symbol, where Apple says it, what kind of evidence that is, the precise identifier (USR), the versions it
is available from, and its declaration in Apple's words. The compiler makes the same of the stubs. Kinds of evidence:

usr         the symbol's page: declaration, versions and identifier
page        the symbol's page, of which the identifier is not known
interface   the textual interface in the iOS 13.0 SDK, which is older than Swift's concurrency: its declaration, and
            that it is there in iOS 13
overview    the page of its type, or a related one, lists it by labels and types and gives no versions; what is in no
            type has its own address in the row, to which that page leads
unverified  nothing yet: the declaration is the stub's own, so that a change is at least seen

Where the evidence is not `usr`, the identifier is the one that the compiler computes from the stub.
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
    "Index", "Indices", "SubSequence", "startIndex", "endIndex", "RawValue", "init(floatLiteral:)",
    "init(integerLiteral:)",
    "Stride", "Magnitude", "Exponent", "subscript(_:)", "replaceSubrange(_:with:)", "_ObjectiveCType",
    "init(booleanLiteral:)", "makeIterator()"}
# Foundation's names for what are Core Foundation's types here.
BRIDGED = {"CFData": "NSData", "CFDictionary": "NSDictionary", "CFString": "NSString"}

Symbol = collections.namedtuple("Symbol", "name page evidence usr availability declaration")
EVIDENCE = ["usr", "page", "interface", "overview", "unverified"]


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
                path = list(symbol["pathComponents"])
                if framework == "Foundation":
                    path[0] = BRIDGED.get(path[0], path[0])
                name = f"{framework}.{'.'.join(path)}"
                yield Symbol(name, "", "unverified", symbol["identifier"]["precise"], versions(symbol), declaration)


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
        if len(fields) != 6 or fields[2] not in EVIDENCE:
            raise ValueError(f"{path.name}:{number}: six columns are needed, the third one of {', '.join(EVIDENCE)}")
        rows.append(Symbol(*fields[:4], parse_versions(fields[4]), fields[5]))
    return rows


def parse_versions(text):
    found = {}
    for platform, major, minor in re.findall(r"(iOS|macOS|tvOS|watchOS) (\d+)\.(\d+)", text):
        found[platform] = (int(major), int(minor))
    return found


def write(path, rows):
    lines = ["\t".join(["symbol", "source", "evidence", "usr", "availability", "declaration"])]
    for row in sorted(rows, key=lambda row: (row.name, row.declaration)):
        availability = ", ".join(f"{name} {major}.{minor}" for name, (major, minor) in sorted(row.availability.items()))
        cells = [row.name, row.page or "-", row.evidence, row.usr, availability or "-", plain(row.declaration)]
        lines.append("\t".join(cells))
    path.write_text("\n".join(lines) + "\n")


def is_mentioned(row, words):
    """Whether a source that has these words may use the declaration; what has no name, such as +, it always may."""
    path = re.sub(r"\(.*", "", row.name).split(".")[1:]
    if path[-1] == "init":
        labels = re.findall(r"(\w+):", row.name)
        return path[-2] in words and all(label == "_" or label in words for label in labels)
    return path[-1] in words or not re.match(r"\w", path[-1]) or path[-1].startswith(("build", "subscript"))


# MARK: Comparison


def plain(declaration):
    """One spelling for what newer SDKs spell differently, and for what a stub cannot say."""
    text = re.sub(r"\s+", " ", declaration).strip()
    text = text.replace("@export(implementation) ", "").replace("@ContentBuilder", "@ViewBuilder")
    # A delegate's optional methods are required in the stubs; see Foundation.swiftinterface.
    text = re.sub(r"^(@objc )?optional ", "", text)
    text = re.sub(r"^((?:nonisolated )?class) let (.*)$", r"\1 var \2 { get }", text)
    return text.replace("open ", "").replace("final ", "")


def before_concurrency(declaration):
    """What is left of a declaration in an interface that knows no actors, no Sendable and no `any`."""
    text = plain(declaration)
    for word in ["any ", "@Sendable ", "@preconcurrency ", "@MainActor ", "nonisolated ", "@convention(block) "]:
        text = text.replace(word, "")
    return text


def in_brief(declaration):
    """A declaration as an overview lists it: without names inside, default values, requirements and attributes."""
    text = before_concurrency(declaration).replace("@escaping ", "")
    text = re.sub(r"^((@discardableResult|@frozen|mutating|convenience|override) )+", "", text)
    text = re.sub(r" \{ get( set)? \}$", "", text)
    callee, result = r"((?:\w+ )*\w+[?]?(?:<[^(]*>)?|func `\w+`)", r"((?: async)?(?: throws)?(?: -> .*)?)"
    parts = re.match(rf"{callee}\((.*)\){result}$", text.split(" where ")[0])
    if not parts:
        return text
    return f"{parts[1]}({', '.join(map(parameter_in_brief, top_level(parts[2])))}){parts[3]}"


def parameter_in_brief(text):
    labelled = re.match(r"(\w+)(?: \w+)?: (.*)$", re.sub(r" = .*", "", text.strip()))
    if not labelled:
        return text.strip()
    return labelled[2] if labelled[1] == "_" else f"{labelled[1]}: {labelled[2]}"


def top_level(text):
    """The parts between commas that are in no brackets."""
    depth, start = 0, 0
    for index, character in enumerate(text):
        depth += (character in "([<") - (character in ")]" or (character == ">" and text[index - 1] != "-"))
        if character == "," and depth == 0:
            yield text[start:index]
            start = index + 1
    if text.strip():
        yield text[start:]


# What of a declaration each kind of evidence is compared by.
SPELLING = {
    "usr": plain, "page": lambda text: plain(text).replace("nonisolated ", ""), "interface": before_concurrency,
    "overview": in_brief, "unverified": plain}


def is_compared_by_usr(row):
    """Classes of Objective-C are classes of Swift in the stubs, so that they and what names them get other USRs."""
    return not row.usr.startswith("c:objc") and not re.search(r"So\d+(NS|UI|OS_)\w+C", row.usr)


def differences(stub, row):
    spelling = SPELLING[row.evidence]
    if spelling(stub.declaration) != spelling(row.declaration):
        ours, theirs = spelling(stub.declaration), spelling(row.declaration)
        yield f"declaration: the stub has\n    {ours}\n  the table\n    {theirs}"
    if is_compared_by_usr(row) and stub.usr != row.usr.replace("::OverloadGroup", ""):
        yield f"USR: the stub has {stub.usr}, the table {row.usr}"
    # An overview gives no versions: the table has the stub's.
    for platform, floor in FLOOR.items():
        wanted, found = (max(symbol.availability.get(platform, floor), floor) for symbol in (row, stub))
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
        row = nearest(stub, candidates)
        candidates.remove(row)
        problems += [f"{stub.name}: {text}" for text in differences(stub, row)]
        counts[row.evidence] += 1
    problems += [f"{name} is in symbols.tsv and in no stub" for name, left in sorted(by_name.items()) if left]
    return problems, counts


def nearest(stub, rows):
    """Of the rows with one name, as of overloads, the one that is about the stub."""
    return min(rows, key=lambda row: (row.usr != stub.usr, len(list(differences(stub, row)))))


def updated(stubs, rows):
    """The rows that still have a stub, and unverified ones for stubs that have none."""
    by_name = collections.defaultdict(list)
    for row in rows:
        by_name[row.name].append(row)
    kept = []
    for stub in stubs:
        candidates = by_name[stub.name]
        if candidates:
            row = nearest(stub, candidates)
            candidates.remove(row)
            kept.append(stub if row.evidence == "unverified" else row)
        else:
            kept.append(stub)
    return kept


def overlooked(stubs, rows):
    """Mistakes put into a row of each kind of evidence that the comparison does not notice; there must be none."""
    for evidence in EVIDENCE:
        row = next(row for row in rows if row.evidence == evidence and is_compared_by_usr(row) and "(" in row.name)
        mistakes = {
            "declaration": row._replace(declaration=re.sub(r"\(", "(more: Int, ", row.declaration, count=1)),
            "USR": row._replace(usr=row.usr + "x"),
            "availability": row._replace(availability={**row.availability, "iOS": (99, 0)})}
        for kind, mistake in mistakes.items():
            changed = [mistake if other is row else other for other in rows]
            if not any(text.startswith(row.name) for text in compare(stubs, changed)[0]):
                yield f"a wrong {kind} of {row.name} ({evidence}) is not noticed"
