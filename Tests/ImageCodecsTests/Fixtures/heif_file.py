"""A writer of HEIF files, box by box, and of the HEVC pictures inside them (by ffmpeg's libx265)."""
import pathlib
import struct
import subprocess
import tempfile

import numpy as np

SAMPLES = {8: np.uint8, 10: np.dtype("<u2"), 12: np.dtype("<u2")}
NAMES = {"400": "gray", "420": "yuv420p", "422": "yuv422p", "444": "yuv444p", "gbr": "gbrp"}


def box(kind, *content):
    content = b"".join(content)
    return struct.pack(">I", 8 + len(content)) + kind.encode() + content


def full(kind, version, flags, *content):
    return box(kind, struct.pack(">I", version << 24 | flags), *content)


def pixel_format(layout, depth):
    return NAMES[layout] + ("" if depth == 8 else f"{depth}le")


def run(*arguments, stdin):
    return subprocess.run(["ffmpeg", "-v", "error", *arguments], input=stdin, stdout=subprocess.PIPE, check=True).stdout


def encode(planes, layout, depth, quality="lossless=1", colors="", slices=1):
    """The picture as a stream of NAL units with start codes. `colors`: what its VUI says, as options of x265."""
    height, width = planes[0].shape
    raw = b"".join(plane.astype(SAMPLES[depth]).tobytes() for plane in planes)
    options = ["info=0", "log-level=none", "keyint=1", f"slices={slices}", quality, colors]
    return run(
        "-f", "rawvideo", "-pix_fmt", pixel_format(layout, depth), "-s", f"{width}x{height}", "-i", "-",
        "-frames:v", "1", "-c:v", "libx265", "-preset", "medium", "-x265-params", ":".join(filter(None, options)),
        "-f", "hevc", "-", stdin=raw)


def decode(stream, depth, shapes):
    """The planes of a stream, by ffmpeg's own decoder."""
    # In the stream's own format: ffmpeg would bring full range to limited in another.
    raw = run("-f", "hevc", "-i", "-", "-f", "rawvideo", "-", stdin=stream)
    planes, at = [], 0
    for height, width in shapes:
        samples = np.frombuffer(raw, SAMPLES[depth], height * width, at)
        planes.append(samples.reshape(height, width))
        at += samples.nbytes
    return planes


class Picture:
    """An HEVC picture as an item has it: parameter sets apart from slices, which have their lengths before them."""

    def __init__(self, stream, layout, depth):
        units = [unit.rstrip(b"\0") for unit in stream.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1")[1:]]
        kinds = [unit[0] >> 1 & 63 for unit in units]
        self.data = b"".join(
            struct.pack(">I", len(unit)) + unit for unit, kind in zip(units, kinds) if kind < 32)
        profile = next(unit for unit, kind in zip(units, kinds) if kind == 33)
        sets = b"".join(
            bytes([0x80 | kind]) + struct.pack(">HH", 1, len(unit)) + unit
            for unit, kind in zip(units, kinds) if kind in (32, 33, 34))
        chroma = {"400": 0, "420": 1, "422": 2, "444": 3, "gbr": 3}[layout]
        self.configuration = box(
            # Profile, tier and level as in the parameter set, behind its first byte.
            "hvcC", b"\1", profile[3:15], struct.pack(">H", 0xF000), b"\xFC",
            bytes([0xFC | chroma, 0xF8 | depth - 8, 0xF8 | depth - 8]), struct.pack(">H", 0), b"\x0F\x03", sets)


def size(width, height):
    return full("ispe", 0, 0, struct.pack(">II", width, height))


def channels(*depths):
    return full("pixi", 0, 0, bytes([len(depths), *depths]))


def numbers(primaries, transfer, matrix, is_full_range):
    return box("colr", b"nclx", struct.pack(">HHHB", primaries, transfer, matrix, 128 * is_full_range))


def profile(icc):
    return box("colr", b"prof", icc)


def aperture(width, height, right, down):
    """`right` and `down`: twice how far the centre of what is shown lies from that of the picture."""
    return box("clap", struct.pack(">IIIIiIiI", width, 1, height, 1, right, 2, down, 2))


def turned(orientation):
    """The properties of an Exif orientation."""
    quarters, mirror = {1: (0, None), 2: (0, 1), 3: (2, None), 4: (0, 0), 5: (1, 0), 6: (3, None), 7: (1, 1), 8: (1, None)}[
        orientation]
    rotation = [box("irot", bytes([quarters]))] if quarters else []
    return rotation + ([box("imir", bytes([mirror]))] if mirror is not None else [])


ALPHA = full("auxC", 0, 0, b"urn:mpeg:hevc:2015:auxid:1\0")


class File:
    """Items are numbered from 1 in the order in which they are added; the first is the picture."""

    def __init__(self, brand="heic", brands=("mif1", "heic")):
        self.type = box("ftyp", brand.encode(), bytes(4), *(each.encode() for each in brands))
        self.items, self.references = [], []

    def add(self, kind, data, *properties, inline=False, pieces=1):
        self.items.append((kind, data, properties, inline, pieces))
        return len(self.items)

    def refer(self, kind, source, *targets):
        self.references.append(box(kind, struct.pack(f">HH{len(targets)}H", source, len(targets), *targets)))

    def picture(self, picture, *properties, **options):
        return self.add("hvc1", picture.data, picture.configuration, *properties, **options)

    def bytes(self):
        properties = []
        uses = []
        for number, (_, _, own, _, _) in enumerate(self.items, 1):
            for each in own:
                if each not in properties:
                    properties.append(each)
            # That of the configuration and of what turns the picture must be understood.
            indices = [properties.index(each) + 1 | 128 * (each[4:8] in (b"hvcC", b"irot", b"imir", b"clap")) for each in own]
            uses.append(struct.pack(">HB", number, len(indices)) + bytes(indices))
        entries = [full("infe", 2, 0, struct.pack(">HH", number, 0), item[0].encode(), b"\0")
                   for number, item in enumerate(self.items, 1)]
        inline = b"".join(data for _, data, _, is_inline, _ in self.items if is_inline)

        def meta(offset):
            places, here, there = [], offset, 0
            for number, (_, data, _, is_inline, pieces) in enumerate(self.items, 1):
                start = there if is_inline else here
                cuts = [len(data) * piece // pieces for piece in range(pieces + 1)]
                extents = b"".join(struct.pack(">II", start + a, b - a) for a, b in zip(cuts, cuts[1:]))
                places.append(struct.pack(">HHHH", number, int(is_inline), 0, pieces) + extents)
                here, there = here + len(data) * (not is_inline), there + len(data) * is_inline
            return full(
                "meta", 0, 0,
                full("hdlr", 0, 0, bytes(4), b"pict", bytes(13)), full("pitm", 0, 0, struct.pack(">H", 1)),
                full("iloc", 1, 0, struct.pack(">HH", 0x4400, len(places)), *places),
                full("iinf", 0, 0, struct.pack(">H", len(entries)), *entries),
                full("iref", 0, 0, *self.references) if self.references else b"",
                box("idat", inline) if inline else b"",
                box("iprp", box("ipco", *properties), full("ipma", 0, 0, struct.pack(">I", len(uses)), *uses)))

        head = len(self.type) + len(meta(0)) + 8
        data = b"".join(data for _, data, _, is_inline, _ in self.items if not is_inline)
        return self.type + meta(head) + box("mdat", data)
