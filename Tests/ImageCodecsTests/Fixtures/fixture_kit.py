"""What the makers of fixtures share: the test picture, and how expected pixels and the manifest are written."""
import io
import pathlib
import struct

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent
PHOTOS = HERE.parents[2] / "Examples/Gallery/App/Photos"
EXACT = 99
manifest = []
animations = []


def write(name, data):
    (HERE / name).write_bytes(data)


def premultiply(rgba):
    rgba = rgba.astype(np.uint32)
    product = rgba[..., :3] * rgba[..., 3:] + 128
    return np.dstack([(product + (product >> 8)) >> 8, rgba[..., 3:]]).astype(np.uint8)


def expect(name, rgba):
    """Stores straight RGBA pixels as what a decode must give."""
    height, width = rgba.shape[:2]
    write(name + ".rgba", struct.pack("<II", width, height) + premultiply(rgba).tobytes())


def entry(file, expected, psnr, orientation=1, alpha=False, box=None, photo=False, whole_at=()):
    """`whole_at`: lengths at which the file may be cut without anything being amiss."""
    manifest.append(dict(
        file=file, expected=expected + ".rgba", psnr=psnr, orientation=orientation, hasAlpha=alpha, box=box,
        isPhoto=photo, wholeAt=list(whole_at)))


def animation(file, frames, durations, loops, psnr=EXACT):
    """`frames` are straight RGBA as shown; `durations` are seconds as shown; `loops` is 0 for without end."""
    stem = file.replace(".", "-") + "-frames"
    expect(stem, np.concatenate(frames))
    animations.append(dict(file=file, expected=stem + ".rgba", psnr=psnr, durations=durations, loopCount=loops))


def saved(image, kind, **options):
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def riff(*chunks):
    body = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(data)) + data + bytes(len(data) & 1) for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def uint24(value):
    return struct.pack("<I", value)[:3]


# --- The test picture: gradients, a few hard edges, nothing symmetrical.

def picture(width, height):
    y, x = np.mgrid[0:height, 0:width]
    red = 255 * x // max(1, width - 1)
    green = 255 * y // max(1, height - 1)
    blue = 127 + 120 * np.sin((x + 2 * y) / 7.0)
    rgb = np.dstack([red, green, blue]).astype(np.uint8)
    rgb[: height // 3, : width // 4] = (250, 30, 20)
    rgb[-height // 4:, -width // 5:] = (10, 20, 200)
    return rgb


def alpha_mask(width, height):
    y, x = np.mgrid[0:height, 0:width]
    mask = np.clip(300 - 12 * np.hypot(x - width / 2, y - height / 2), 0, 255)
    return mask.astype(np.uint8)


W, H = 37, 23
RGB = picture(W, H)
ALPHA = alpha_mask(W, H)
RGBA = np.dstack([RGB, ALPHA])
OPAQUE = np.dstack([RGB, np.full((H, W), 255, np.uint8)])
GREY = np.asarray(Image.fromarray(RGB).convert("L"))
