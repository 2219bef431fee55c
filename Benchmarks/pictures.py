"""The pictures that are measured: the gallery's photos, and what is made of them in results/ where it is not there yet;
and the program that decodes them."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PHOTOS = HERE.parent / "Examples/Gallery/App/Photos"
RESULTS = HERE / "results"
LARGE = PHOTOS / "dandelion-12mp.jpg"
DECODE = HERE / ".build/release/decode"


def build_decode():
    """Standard output stays free for results."""
    command = ["swift", "build", "-c", "release", "--product", "decode"]
    subprocess.run(command, cwd=HERE, check=True, stdout=sys.stderr)


def _with_alpha(image):
    """Every alpha value occurs, so that every pixel costs what it can."""
    from PIL import Image

    image = image.copy()
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    return image


def _save(name, change=lambda image: image, **options):
    def make():
        from PIL import Image

        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / name
        if not path.exists():
            change(Image.open(LARGE).convert("RGB")).save(path, **options)
        return path

    return make


def _indexed(image):
    return image.quantize(256)


def _sized(width, height):
    return lambda image: image.resize((width, height))


# What makes each; Pillow has to be installed.
MADE = {
    "progressive": _save("dandelion-12mp-progressive.jpg", quality=85, progressive=True),
    "png": _save("dandelion-12mp.png", compress_level=6),
    "png-alpha": _save("dandelion-12mp-alpha.png", _with_alpha, compress_level=6),
    "webp": _save("dandelion-12mp.webp", quality=80, method=2),
    "avif": _save("dandelion-12mp.avif", quality=70, speed=8),
    "gif": _save("dandelion-12mp.gif", _indexed, interlace=0),
    "gif-interlaced": _save("dandelion-12mp-interlaced.gif", _indexed, interlace=1),
    "bmp": _save("dandelion-12mp.bmp"),
    "small-png": _save("dandelion-64.png", _sized(64, 64)),
    "small-jpeg": _save("dandelion-200.jpg", _sized(200, 150), quality=85),
}
