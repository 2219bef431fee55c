"""A small baseline JPEG encoder (ITU-T T.81), for what other encoders do not write: any sampling factors, scans of single
components. Quantisation is even and fine; the Huffman codes are of its own making."""
import struct

import numpy as np

ZIGZAG = sorted(range(64), key=lambda at: (at // 8 + at % 8, (at // 8 if (at // 8 + at % 8) % 2 else at % 8)))
DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
DC_VALUES = list(range(12))
# Short codes for the usual symbols, sixteen bits for all others.
AC_SYMBOLS = [0x01, 0x02, 0x00, 0x03, 0x11, 0x04, 0x12, 0x21, 0x05, 0x31] + [
    run << 4 | size for run in range(16) for size in range(1, 11)
    if (run << 4 | size) not in (0x01, 0x02, 0x03, 0x11, 0x04, 0x12, 0x21, 0x05, 0x31)] + [0xF0]
AC_COUNTS = [0, 1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0]
AC_COUNTS[15] = len(AC_SYMBOLS) - sum(AC_COUNTS)


def codes(counts, values):
    result, code, at = {}, 0, 0
    for length, count in enumerate(counts, 1):
        for _ in range(count):
            result[values[at]] = (code, length)
            code, at = code + 1, at + 1
        code <<= 1
    return result


DC, AC = codes(DC_COUNTS, DC_VALUES), codes(AC_COUNTS, AC_SYMBOLS)
BASIS = np.array([[np.cos((2 * x + 1) * u * np.pi / 16) * (np.sqrt(1 / 8) if u == 0 else 0.5) for x in range(8)]
                  for u in range(8)])


class Bits:
    def __init__(self):
        self.value, self.count, self.bytes = 0, 0, bytearray()

    def put(self, value, count):
        self.value, self.count = self.value << count | value, self.count + count
        while self.count >= 8:
            byte = self.value >> (self.count - 8) & 255
            self.bytes += bytes([byte, 0]) if byte == 255 else bytes([byte])
            self.count -= 8
        self.value &= (1 << self.count) - 1

    def number(self, value):
        """The bits behind a symbol that says how many they are."""
        size = int(abs(value)).bit_length()
        self.put(value if value > 0 else value + (1 << size) - 1, size)

    def end(self):
        if self.count:
            self.put((1 << (8 - self.count)) - 1, 8 - self.count)
        return bytes(self.bytes)


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def blocks_of(plane, step):
    """Quantised coefficients of a plane whose sides are multiples of 8, by block row and column."""
    rows, columns = plane.shape[0] // 8, plane.shape[1] // 8
    tiles = plane.reshape(rows, 8, columns, 8).transpose(0, 2, 1, 3).astype(float) - 128
    return np.rint((BASIS @ tiles @ BASIS.T) / step).astype(int).reshape(rows, columns, 64)[..., ZIGZAG]


def put_block(bits, block, previous):
    difference = int(block[0]) - previous
    bits.put(*DC[abs(difference).bit_length()])
    if difference:
        bits.number(difference)
    run = 0
    last = max(np.nonzero(block)[0], default=0)
    for value in block[1:last + 1]:
        if value == 0:
            run += 1
            continue
        while run > 15:
            bits.put(*AC[0xF0])
            run -= 16
        bits.put(*AC[run << 4 | int(abs(value)).bit_length()])
        bits.number(int(value))
        run = 0
    if last < 63:
        bits.put(*AC[0])
    return int(block[0])


def reduced(plane, across, down):
    """Means of `across` by `down` pixels."""
    return plane.reshape(plane.shape[0] // down, down, plane.shape[1] // across, across).mean(axis=(1, 3))


def jpeg(planes, factors, is_interleaved=True, step=2, before=b""):
    """`planes`: components at full size. `factors`: of each, horizontal and vertical."""
    height, width = planes[0].shape
    most = max(h for h, _ in factors), max(v for _, v in factors)
    mcus = -(-width // (8 * most[0])), -(-height // (8 * most[1]))
    padded = [np.pad(plane, ((0, mcus[1] * 8 * most[1] - height), (0, mcus[0] * 8 * most[0] - width)), "edge")
              for plane in planes]
    blocks = [blocks_of(reduced(plane, most[0] // h, most[1] // v), step) for plane, (h, v) in zip(padded, factors)]
    data = b"\xFF\xD8" + before + segment(0xDB, b"\0" + bytes([step] * 64))
    frame = struct.pack(">BHHB", 8, height, width, len(planes))
    for number, (h, v) in enumerate(factors, 1):
        frame += bytes([number, h << 4 | v, 0])
    data += segment(0xC0, frame)
    data += segment(0xC4, b"\x00" + bytes(DC_COUNTS + DC_VALUES)) + segment(0xC4, b"\x10" + bytes(AC_COUNTS + AC_SYMBOLS))
    everything = list(range(len(planes)))
    for scan in [everything] if is_interleaved else [[each] for each in everything]:
        header = bytes([len(scan)]) + b"".join(bytes([each + 1, 0]) for each in scan) + bytes([0, 63, 0])
        data += segment(0xDA, header) + coded(blocks, factors, scan, mcus, (width, height), most)
    return data + b"\xFF\xD9"


def coded(blocks, factors, scan, mcus, size, most):
    bits, previous = Bits(), dict.fromkeys(scan, 0)
    if len(scan) == 1:
        # Blocks that only fill up the interleaved grid are left out (section A.2.2).
        each, = scan
        h, v = factors[each]
        columns = -(-(-(-size[0] * h // most[0])) // 8)
        rows = -(-(-(-size[1] * v // most[1])) // 8)
        for y in range(rows):
            for x in range(columns):
                previous[each] = put_block(bits, blocks[each][y, x], previous[each])
        return bits.end()
    for row in range(mcus[1]):
        for column in range(mcus[0]):
            for each in scan:
                h, v = factors[each]
                for y in range(v):
                    for x in range(h):
                        previous[each] = put_block(bits, blocks[each][row * v + y, column * h + x], previous[each])
    return bits.end()
