"""Mosaics as PNG files. What was drawn once is kept, so that a picture costs little more than its new pieces."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Final

import PIL
import resvg_py
from PIL import Image

from engine.svg.mosaic import Mosaic, Piece, Shape
from engine.svg.mosaic.pieces import inside
from moderator.adapters import outlines
from moderator.adapters.outlines import outlined
from moderator.adapters.piece_files import PieceFiles
from moderator.adapters.png import Palette, palette_of

_LEVEL: Final = 3
"""The level of compression: files are a fifth larger than with level 7, which takes more than twice as long."""
_WHOLE: Final = 16
"""The number of whole pictures kept: all players get the same ones when a game begins or ends."""
_OBJECT: Final = 400
"""The bytes that a piece takes in memory besides its pixels."""
_FORM: Final = f"{resvg_py.__version__} {PIL.__version__} {hashlib.sha256(outlines.FILE.read_bytes()).hexdigest()}"
"""Changes with everything but the piece itself that its pixels depend on."""


class Pieces:
    """Makes PNG files of mosaics. ``most``: the bytes of pieces kept in memory, and again in ``folder`` if there is
    one. The pixels are the same with and without what was kept."""

    def __init__(self, most: int, folder: Path | None = None) -> None:
        self._most = most
        self._files = PieceFiles(folder, most) if folder is not None and most else None
        self._kept: OrderedDict[bytes, Image.Image] = OrderedDict()
        self._whole: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()
        self.bytes = 0
        """The bytes of the pieces in memory."""
        self.drawn = 0
        """The number of pieces drawn so far."""

    def png(self, mosaic: Mosaic) -> bytes:
        """The picture as a PNG file, opaque, with a palette."""
        colors = palette_of(mosaic.inks)
        salt = hashlib.blake2b(f"{_FORM} {mosaic.inks}".encode(), digest_size=16)
        placed = [(at, piece, _key(salt, piece)) for at, piece in mosaic.pieces]
        name = hashlib.blake2b(repr((mosaic.size, mosaic.background, [(at, key) for at, _, key in placed])).encode())
        with self._lock:
            if (known := self._whole.get(name.digest())) is not None:
                return known
            image = Image.new("P", mosaic.size, colors.index(mosaic.background))
            for at, piece, key in placed:
                image.paste(self._piece(key, piece, colors), at, _mask(piece.shape) if piece.shape else None)
            image.putpalette(colors.flat)
            target = BytesIO()
            image.save(target, "PNG", compress_level=_LEVEL)
            self._whole[name.digest()] = target.getvalue()
            if len(self._whole) > (_WHOLE if self._most else 0):
                self._whole.popitem(last=False)
            return target.getvalue()

    def _piece(self, key: bytes, piece: Piece, colors: Palette) -> Image.Image:
        if (known := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return known
        area = piece.size[0] * piece.size[1]
        pixels = self._files.read(key.hex(), area) if self._files is not None else None
        if pixels is not None:
            image = Image.frombytes("P", piece.size, pixels)
        else:
            image = _drawn(piece, colors)
            self.drawn += 1
            if self._files is not None:
                self._files.write(key.hex(), image.tobytes())
        self._kept[key] = image
        self.bytes += area + _OBJECT
        while self.bytes > self._most:
            _, old = self._kept.popitem(last=False)
            self.bytes -= old.width * old.height + _OBJECT
        return image


def _key(salt: hashlib.blake2b, piece: Piece) -> bytes:
    """A name that only pieces with equal pixels share."""
    found = salt.copy()
    found.update(f"{piece.size} {piece.box} {piece.content}".encode())
    return found.digest()


def _drawn(piece: Piece, colors: Palette) -> Image.Image:
    """The piece in the colours of the palette. ``ValueError`` if it is no SVG."""
    drawn = resvg_py.svg_to_bytes(svg_string=outlined(piece.svg), background="#ffffff", skip_system_fonts=True)
    with Image.open(BytesIO(drawn)) as image:
        if image.size != piece.size:
            raise ValueError(f"a piece of {piece.size} pixels was drawn with {image.size}")
        return image.convert("RGB").quantize(palette=colors.image, dither=Image.Dither.NONE)


@lru_cache(maxsize=64)
def _mask(shape: Shape) -> Image.Image:
    """The pixels of a hexagon."""
    rows = list(inside(shape))
    mask = Image.new("1", shape.size, 0)
    for row, columns in rows:
        mask.paste(1, (columns.start, row, columns.stop, row + 1))
    return mask
