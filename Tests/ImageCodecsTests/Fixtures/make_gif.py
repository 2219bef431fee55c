"""GIF variants, by an encoder that can do what no usual one does, and the pixels that browsers show of them.

The pixels of animations come from `compose`, which follows the GIF89a specification and, where that leaves a choice, the
browsers: disposal to transparency whatever the background colour, the first frame enlarges the screen, later ones are
cut at it, a hundredth of a second or less is shown for a tenth.
"""
import struct

import numpy as np

from fixture_kit import EXACT, GREY, H, RGB, W, animation, entry, expect, write

KEEP, CLEAR, RESTORE = 1, 2, 3


# --- Writing

def lzw(indices, literal_width=8, clear_every=None, first_clear=True, end_code=True, restart=True):
    """Codes to bytes. `restart` False: a full dictionary is used on instead of cleared."""
    clear = 1 << literal_width
    bits, count, output = 0, 0, bytearray()
    width, table, since = 0, {}, 0

    def put(code):
        nonlocal bits, count
        bits |= code << count
        count += width
        while count >= 8:
            output.append(bits & 255)
            bits >>= 8
            count -= 8

    def reset():
        nonlocal width, table, since
        width, since = literal_width + 1, 0
        table = {bytes([value]): value for value in range(clear)}

    reset()
    if first_clear:
        put(clear)
    string, next_code = b"", clear + 2
    for value in indices:
        longer = string + bytes([value])
        if longer in table:
            string = longer
            continue
        put(table[string])
        since += 1
        if next_code < 4096:
            table[longer] = next_code
            # The decoder is one entry behind.
            if next_code == 1 << width:
                width += 1
            next_code += 1
        if next_code == 4096 and restart or since == clear_every:
            put(clear)
            reset()
            next_code = clear + 2
        string = bytes([value])
    put(table[string])
    if next_code == 1 << width and width < 12:
        width += 1
    if end_code:
        put(clear + 1)
    if count:
        output.append(bits & 255)
    return bytes(output)


def sub_blocks(data, size=255):
    return b"".join(
        bytes([len(data[at:at + size])]) + data[at:at + size] for at in range(0, len(data), size)) + b"\0"


def palette_bits(palette):
    return max(0, (len(palette) // 3 - 1).bit_length() - 1)


def interlaced(indices):
    return np.concatenate([indices[0::8], indices[4::8], indices[2::4], indices[1::2]])


def image(indices, x=0, y=0, palette=b"", interlace=False, literal_width=8, block=255, sides=None, tail=b"", **options):
    """Descriptor, palette and data. `sides` overrides the width and height that are written."""
    height, width = indices.shape
    flags = (0x80 | palette_bits(palette) if palette else 0) | (0x40 if interlace else 0)
    order = interlaced(indices) if interlace else indices
    data = lzw(order.astype(np.uint8).tobytes(), literal_width, **options) + tail
    return (b"," + struct.pack("<HHHHB", x, y, *(sides or (width, height)), flags) + palette + bytes([literal_width])
            + sub_blocks(data, block))


def control(disposal=0, delay=0, transparent=None):
    flags = disposal << 2 | (transparent is not None)
    return b"\x21\xf9\x04" + struct.pack("<BHB", flags, delay, transparent or 0) + b"\0"


def loop(repetitions, name=b"NETSCAPE2.0"):
    return b"\x21\xff\x0b" + name + b"\x03\x01" + struct.pack("<H", repetitions) + b"\0"


def comment(text):
    return b"\x21\xfe" + sub_blocks(text)


def gif(*parts, size=(W, H), palette=b"", version=b"GIF89a", trailer=b";"):
    flags = 0x70 | (0x80 | palette_bits(palette) if palette else 0)
    return version + struct.pack("<HHBBB", *size, flags, 0, 0) + palette + b"".join(parts) + trailer


# --- Pictures

def colors(count, seed=1):
    return np.random.default_rng(seed).integers(0, 256, (count, 3)).astype(np.uint8)


CUBE = np.array([(r * 51, g * 51, b * 51) for r in range(6) for g in range(6) for b in range(6)], np.uint8)
CUBE256 = np.concatenate([CUBE, colors(40)])
INDICES = ((RGB.astype(int) + 25) // 51 * (36, 6, 1)).sum(axis=2).astype(np.uint8)


def shown(indices, palette, transparent=None):
    """Straight RGBA."""
    alpha = np.where(indices == transparent, 0, 255).astype(np.uint8)
    rgb = palette[indices] * (alpha[..., None] > 0)
    return np.dstack([rgb, alpha]).astype(np.uint8)


def on_canvas(rgba, x, y, size):
    canvas = np.zeros((size[1], size[0], 4), np.uint8)
    canvas[y:y + rgba.shape[0], x:x + rgba.shape[1]] = rgba
    return canvas


def still(name, data, expected, alpha=False, behind=(b";",)):
    """`behind`: the blocks behind the image; between any two of them a file may end."""
    write(name + ".gif", data)
    expect(name + "-gif", expected)
    ends = [len(data) - sum(map(len, behind[index:])) for index in range(len(behind))]
    entry(name + ".gif", name + "-gif", EXACT, alpha=alpha, whole_at=ends)


def make_stills():
    full, raw = shown(INDICES, CUBE256), CUBE256.tobytes()
    still("plain", gif(image(INDICES), palette=raw), full)
    still("version87", gif(image(INDICES), palette=raw, version=b"GIF87a"), full)
    still("interlaced", gif(image(INDICES, interlace=True), palette=raw), full)
    for height in (1, 2, 3, 5):
        part = INDICES[:height]
        still(f"interlaced-height{height}", gif(image(part, interlace=True), size=(W, height), palette=raw), full[:height])
    still("local-palette", gif(image(INDICES, palette=raw)), full)
    still("both-palettes", gif(image(INDICES, palette=raw), palette=colors(256, 5).tobytes()), full)
    still("transparent", gif(control(transparent=0x2A), image(INDICES), palette=raw),
          shown(INDICES, CUBE256, 0x2A), alpha=True)
    still("control-then-comment", gif(control(transparent=0x2A), comment(b"between"), image(INDICES), palette=raw),
          shown(INDICES, CUBE256, 0x2A), alpha=True)
    still("two-controls", gif(control(transparent=3), control(transparent=0x2A), image(INDICES), palette=raw),
          shown(INDICES, CUBE256, 0x2A), alpha=True)
    for bits in (1, 2, 3, 4, 5, 6, 7):
        levels, some = GREY >> (8 - bits), colors(1 << bits, bits)
        still(f"colors{1 << bits}", gif(image(levels, literal_width=max(2, bits)), palette=some.tobytes()),
              shown(levels, some))
    # Against the specification, which wants 2; read like this by giflib and Chromium, not by Pillow.
    levels, two = GREY >> 7, colors(2, 9)
    still("code-size1", gif(image(levels, literal_width=1), palette=two.tobytes()), shown(levels, two))

    # What encoders do with the dictionary.
    noise = np.random.default_rng(3).integers(0, 256, (90, 90)).astype(np.uint8)
    for name, options in [
        ("clear-when-full", {}), ("clear-deferred", dict(restart=False)), ("clear-often", dict(clear_every=7)),
        ("clear-always", dict(clear_every=1)), ("clear-not-first", dict(first_clear=False)),
        ("no-end-code", dict(end_code=False)), ("small-blocks", dict(block=1)), ("odd-blocks", dict(block=7)),
        ("data-behind", dict(tail=b"\x55" * 700)),
    ]:
        still(name, gif(image(noise, **options), size=(90, 90), palette=raw), shown(noise, CUBE256))
    flat = np.full((100, 120), 7, np.uint8)
    still("long-strings", gif(image(flat), size=(120, 100), palette=raw), shown(flat, CUBE256))
    runs = np.repeat(noise.reshape(-1)[:900].reshape(30, 30), 9, axis=1)
    still("runs", gif(image(runs), size=(270, 30), palette=raw), shown(runs, CUBE256))
    wide = np.arange(33000, dtype=np.uint32).reshape(1, 33000) // 97 % 251
    still("wide", gif(image(wide.astype(np.uint8)), size=(33000, 1), palette=raw), shown(wide, CUBE256))

    # Screens and rectangles.
    part = INDICES[:12, :20]
    still("offset", gif(image(part, x=8, y=4), palette=raw),
          on_canvas(shown(part, CUBE256), 8, 4, (W, H)), alpha=True)
    still("beyond-screen", gif(image(INDICES, x=5, y=3), size=(20, 10), palette=raw),
          on_canvas(full, 5, 3, (W + 5, H + 3)), alpha=True)
    still("no-screen", gif(image(INDICES), size=(0, 0), palette=raw), full)
    still("no-size", gif(image(INDICES, sides=(0, 0)), palette=raw), full)

    # Palettes that lack colours.
    short = colors(16, 4)
    padded = np.concatenate([short, np.zeros((240, 3), np.uint8)])
    still("short-palette", gif(image(INDICES % 32), palette=short.tobytes()), shown(INDICES % 32, padded))
    black_and_white = np.zeros((256, 3), np.uint8)
    black_and_white[1] = 255
    still("no-palette", gif(image(GREY >> 7)), shown(GREY >> 7, black_and_white))

    # Blocks around the image.
    plain_text = b"\x21\x01\x0c" + bytes(12) + sub_blocks(b"text")
    still("extensions", gif(comment(b"x" * 600), plain_text, b"\x21\x7f" + sub_blocks(b"?"), image(INDICES), comment(b"y"),
                            palette=raw), full, behind=(comment(b"y"), b";"))
    still("no-trailer", gif(image(INDICES), palette=raw, trailer=b""), full, behind=())
    still("other-trailer", gif(image(INDICES), palette=raw, trailer=b"\0\0"), full, behind=(b"\0", b"\0"))
    one = np.array([[5]], np.uint8)
    still("one-pixel", gif(image(one), size=(1, 1), palette=raw), shown(one, CUBE256))


# --- Animations

def compose(frames, size):
    """`frames` are dicts of x, y, rgba and disposal. The pictures shown, straight RGBA."""
    canvas = np.zeros((size[1], size[0], 4), np.uint8)
    pictures = []
    for frame in frames:
        before = canvas.copy()
        rgba = frame["rgba"][:max(0, size[1] - frame["y"]), :max(0, size[0] - frame["x"])]
        place = canvas[frame["y"]:frame["y"] + rgba.shape[0], frame["x"]:frame["x"] + rgba.shape[1]]
        visible = rgba[..., 3] > 0
        place[visible] = rgba[visible]
        pictures.append(canvas.copy())
        if frame["disposal"] == CLEAR:
            place[...] = 0
        elif frame["disposal"] in (RESTORE, 4):
            canvas = before
    return pictures


class Film:
    """Collects frames and writes them with what they look like."""

    def __init__(self, size=(W, H), loops=None):
        self.size, self.loops, self.parts, self.frames, self.durations = size, loops, [], [], []

    def frame(self, indices, x=0, y=0, delay=10, disposal=KEEP, transparent=None, palette=None, **options):
        table = CUBE256 if palette is None else palette
        self.parts += [control(disposal, delay, transparent)]
        self.parts += [image(indices, x, y, b"" if palette is None else palette.tobytes(), **options)]
        self.frames.append(dict(x=x, y=y, rgba=shown(indices, table, transparent), disposal=disposal))
        self.durations.append(0.1 if delay <= 1 else delay / 100)
        return self

    def write(self, name, trailer=b";"):
        loops = [] if self.loops is None else [loop(self.loops)]
        data = gif(*loops, *self.parts, size=self.size, palette=CUBE256.tobytes(), trailer=trailer)
        write(name + ".gif", data)
        count = 1 if self.loops is None else self.loops and self.loops + 1
        animation(name + ".gif", compose(self.frames, self.size), self.durations, count)


def make_animations():
    turned, small = INDICES[::-1, ::-1].copy(), INDICES[4:15, 6:25]
    for name, disposal in [("keep", KEEP), ("clear", CLEAR), ("restore", RESTORE), ("restore4", 4), ("unspecified", 0)]:
        film = Film(loops=0).frame(INDICES)
        for step in range(4):
            film.frame(small, x=step * 5, y=step * 3, disposal=disposal, transparent=int(small[3, 3]))
        film.write("animated-" + name)
    (Film(loops=0).frame(INDICES, disposal=CLEAR).frame(small, 3, 3, disposal=RESTORE).frame(small, 9, 9, disposal=CLEAR)
     .frame(turned, transparent=int(turned[0, 0]), disposal=KEEP).frame(small, 1, 8, disposal=RESTORE)
     .frame(small[:1, :1], W - 1, H - 1, disposal=KEEP).write("animated-mixed"))
    Film(loops=2).frame(small, 4, 4, disposal=RESTORE).frame(small, 10, 6, disposal=RESTORE).frame(
        small, 2, 2).write("animated-first-restored")
    film = Film(loops=0)
    for delay in (0, 1, 2, 3, 100, 65535):
        film.frame(small, delay % 9, delay % 7, delay=delay)
    film.write("animated-delays")
    Film(loops=65535).frame(INDICES).frame(turned).write("animated-many-loops")
    Film().frame(INDICES).frame(turned).frame(INDICES).write("animated-once")
    film = Film(loops=0).frame(INDICES, palette=colors(256, 20))
    for seed in (21, 22):
        film.frame(small, 3 * (seed - 20), 2, palette=colors(256, seed), transparent=int(small[0, 0]), interlace=True)
    film.write("animated-palettes")
    (Film(loops=0).frame(INDICES).frame(INDICES, 20, 10, disposal=CLEAR).frame(small, W, 3).frame(small, 30, H + 5)
     .frame(small, W - 4, H - 4, disposal=RESTORE, interlace=True).frame(small, 0, 0).write("animated-beyond-screen"))
    # What is under a frame that covers everything shows again when that frame is taken away.
    (Film(loops=0).frame(INDICES).frame(small, 3, 3).frame(turned, disposal=RESTORE).frame(small, 9, 9)
     .frame(turned, disposal=CLEAR).frame(small, 0, 0, disposal=RESTORE).frame(small, 12, 0)
     .write("animated-restored-cover"))
    Film(loops=0).frame(INDICES).frame(turned).write("animated-no-trailer", trailer=b"")


def make():
    make_stills()
    make_animations()
