"""The headers of JPEG XL codestreams (ISO/IEC 18181-1), field by field, and the boxes around them (18181-2)."""
import struct


class Bits:
    """Lowest bit of each byte first."""

    def __init__(self):
        self.value = self.count = 0

    def put(self, value, count):
        assert 0 <= value < 1 << count, (value, count)
        self.value |= value << self.count
        self.count += count
        return self

    def number(self, value, *choices):
        """U32: each choice is a value, or a pair of a number of bits and what is added to them."""
        for selector, choice in enumerate(choices):
            if choice == value:
                return self.put(selector, 2)
        for selector, choice in enumerate(choices):
            if isinstance(choice, tuple) and 0 <= value - choice[1] < 1 << choice[0]:
                return self.put(selector, 2).put(value - choice[1], choice[0])
        raise ValueError(value)

    def long(self, value):
        """U64."""
        if value == 0:
            return self.put(0, 2)
        if value <= 16:
            return self.put(1, 2).put(value - 1, 4)
        if value <= 272:
            return self.put(2, 2).put(value - 17, 8)
        self.put(3, 2).put(value & 0xFFF, 12)
        value, shift = value >> 12, 12
        while value and shift < 60:
            self.put(1, 1).put(value & 0xFF, 8)
            value, shift = value >> 8, shift + 8
        return self.put(1, 1).put(value, 4) if value else self.put(0, 1)

    def enumeration(self, value):
        return self.number(value, 0, 1, (4, 2), (6, 18))

    def signed(self, value):
        packed = value * 2 if value >= 0 else -value * 2 - 1
        return self.number(packed, (19, 0), (19, 524288), (20, 1048576), (21, 2097152))

    def to_byte(self):
        return self.put(0, -self.count % 8)

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


RATIOS = {1: (1, 1), 2: (12, 10), 3: (4, 3), 4: (3, 2), 5: (16, 9), 6: (5, 4), 7: (2, 1)}


def size(bits, width, height, small=False, ratio=0):
    bits.put(small, 1)
    side = (lambda n: bits.put(n // 8 - 1, 5)) if small else (lambda n: bits.number(n, (9, 1), (13, 1), (18, 1), (30, 1)))
    side(height)
    bits.put(ratio, 3)
    if ratio:
        assert width == height * RATIOS[ratio][0] // RATIOS[ratio][1]
    else:
        side(width)


def depth(bits, number, exponent=None):
    if exponent is None:
        bits.put(0, 1).number(number, 8, 10, 12, (6, 1))
    else:
        bits.put(1, 1).number(number, 32, 16, 24, (6, 1)).put(exponent - 1, 4)


def channel(bits, kind, number=8, halvings=0, name=b"", premultiplied=False):
    bits.put(0, 1).enumeration(kind)
    depth(bits, number)
    bits.number(halvings, 0, 3, 4, (3, 1)).number(len(name), 0, (4, 0), (5, 16), (10, 48))
    for byte in name:
        bits.put(byte, 8)
    if kind == 0:
        bits.put(premultiplied, 1)
    elif kind == 2:
        bits.put(0x3C00, 16).put(0, 16).put(0, 16).put(0x3C00, 16)
    elif kind == 5:
        bits.number(30, 1, (2, 0), (4, 3), (8, 19))


def color(bits, space=0, profile=False, white=1, primaries=1, gamma=None, transfer=13):
    """`white` and `primaries` are numbers of the table, or lists of millionths."""
    bits.put(0, 1).put(profile, 1).enumeration(space)
    if profile:
        return
    if space != 2:
        if isinstance(white, list):
            bits.enumeration(2)
            for value in white:
                bits.signed(value)
        else:
            bits.enumeration(white)
        if space != 1:
            if isinstance(primaries, list):
                bits.enumeration(2)
                for value in primaries:
                    bits.signed(value)
            else:
                bits.enumeration(primaries)
        if gamma is None:
            bits.put(0, 1).enumeration(transfer)
        else:
            bits.put(1, 1).put(gamma, 24)
    bits.enumeration(1)


def header(width, height, small=False, ratio=0, orientation=None, intrinsic=None, preview=None, animation=None,
           number=8, exponent=None, channels=(), xyb=True, colors=None, tone=False, extensions=(), matrix=False,
           weights=None, profile_bytes=None, plain=False):
    """`plain` leaves everything behind the size as it is by default."""
    bits = Bits().put(0x0AFF, 16)
    size(bits, width, height, small, ratio)
    if plain:
        return bits.put(1, 1).put(1, 1)
    bits.put(0, 1)
    more = bool(orientation or intrinsic or preview or animation or tone)
    bits.put(more, 1)
    if more:
        bits.put((orientation or 1) - 1, 3).put(bool(intrinsic), 1)
        if intrinsic:
            size(bits, *intrinsic)
        bits.put(bool(preview), 1)
        if preview:
            bits.put(1, 1).number(preview[1] // 8, 16, 32, (5, 1), (9, 33)).put(0, 3)
            bits.number(preview[0] // 8, 16, 32, (5, 1), (9, 33))
        bits.put(bool(animation), 1)
        if animation:
            ticks, seconds, loops, timecodes = animation
            bits.number(ticks, 100, 1000, (10, 1), (30, 1)).number(seconds, 1, 1001, (8, 1), (10, 1))
            bits.number(loops, 0, (3, 0), (16, 0), (32, 0)).put(timecodes, 1)
    depth(bits, number, exponent)
    bits.put(1, 1)
    bits.number(len(channels), 0, 1, (4, 2), (12, 1))
    for each in channels:
        if each is None:
            bits.put(1, 1)
        else:
            channel(bits, **each)
    bits.put(xyb, 1)
    if colors is None:
        bits.put(1, 1)
    else:
        color(bits, **colors)
    if more:
        bits.put(not tone, 1)
        if tone:
            bits.put(0x5BD0, 16).put(0, 16).put(0, 1).put(0, 16)
    # Extensions, each of so many bits.
    bits.long((1 << len(extensions)) - 1)
    for length in extensions:
        bits.long(length)
    for length in extensions:
        bits.put((1 << length) - 1 if length < 1 << 20 else 0, length if length < 1 << 20 else 0)
    if matrix or weights:
        bits.put(0, 1)
        if xyb:
            bits.put(not matrix, 1)
            if matrix:
                for _ in range(16):
                    bits.put(0x3C00, 16)
        bits.put(weights or 0, 3)
        for bit, count in enumerate([15, 55, 210]):
            if (weights or 0) >> bit & 1:
                for _ in range(count):
                    bits.put(0x3C00, 16)
    else:
        bits.put(1, 1)
    if profile_bytes is not None:
        bits.long(profile_bytes)
    return bits


def box(kind, content):
    return struct.pack(">I", len(content) + 8) + kind + content


SIGNATURE = box(b"JXL ", b"\x0d\x0a\x87\x0a")
FILE_TYPE = box(b"ftyp", b"jxl \0\0\0\0jxl ")


def in_parts(codestream, lengths, between=b""):
    """A file whose codestream is in pieces, the last of which goes on to the end."""
    file, at = SIGNATURE + FILE_TYPE, 0
    for number, length in enumerate(lengths):
        file += box(b"jxlp", struct.pack(">I", number) + codestream[at:at + length]) + between
        at += length
    return file + box(b"jxlp", struct.pack(">I", len(lengths) | 1 << 31) + codestream[at:])
