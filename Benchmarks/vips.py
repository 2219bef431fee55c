#!/usr/bin/env python3
"""libvips through pyvips, with the arguments and the line of C/decode.c: what its thumbnail function makes of a file.

    vips.py FILE WxH|full [REPETITIONS]

It shrinks by the format's library and by box averages, then by Lanczos3, in the picture's own values (`linear=False`).
"""
import pyvips

import repeat

# Of the same operation it would answer with what it has.
pyvips.cache_set_max(0)


def decode(file, box):
    if box is None:
        return pyvips.Image.new_from_file(file, access="sequential").write_to_memory()
    image = pyvips.Image.thumbnail(file, box[0], height=box[1], size="down", linear=False)
    return image.write_to_memory()


repeat.run(decode)
