"""Films of SVG pictures: frames that follow each other, as GIF or MP4."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Literal, get_args

from ludoteca.drawing import raster

Kind = Literal['gif', 'mp4']
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
MEDIA_TYPES: dict[Kind, str] = {'gif': 'image/gif', 'mp4': 'video/mp4'}
SUFFIXES: dict[str, Kind] = {f'.{kind}': kind for kind in KINDS}
"""What the name of a file says of its kind."""
WIDTH = 600
"""Pixels: the usual width of a film."""
WIDTHS = (120, 1200)
MOST_FRAMES = 500
COLOURS = 255
_RATE = 20  # pictures a second of an MP4: a frame is shown for a whole number of them


class Missing(RuntimeError):
    """The library is not installed that makes films of this kind."""


def can_make(kind: Kind) -> bool:
    """Is the library there that makes films of this kind? MP4 needs the extra `film`."""
    return importlib.util.find_spec('av' if kind == 'mp4' else 'PIL') is not None


class FilmEncoder:
    """A film that is being made. Frames come as SVG pictures of equal size."""

    def __init__(self, kind: Kind, width: int, palette: Sequence[str] = ()) -> None:
        """`palette`: pictures whose colours a GIF has; those of its first frame if there are none. Raises
        Missing, or ValueError for a width out of range."""
        if not WIDTHS[0] <= width <= WIDTHS[1]:
            raise ValueError(f'A film is {WIDTHS[0]} to {WIDTHS[1]} pixels wide, not {width}.')
        if not can_make(kind):
            raise Missing(kind)
        self.kind, self.frames = kind, 0
        self._width = width - width % 2  # as MP4 wants it
        self._writer: _Mp4 | _Gif
        self._writer = _Mp4() if kind == 'mp4' else _Gif([self._picture(svg) for svg in palette])

    def add(self, svg: str, millis: int) -> None:
        """Add a frame that is shown for so many milliseconds. Raises ValueError for one frame too many or of
        another size."""
        if self.frames >= MOST_FRAMES:
            raise ValueError(f'A film has at most {MOST_FRAMES} frames.')
        self._writer.add(self._picture(svg), millis)
        self.frames += 1

    def finish(self) -> bytes:
        """The film. Raises ValueError if it has no frame."""
        if not self.frames:
            raise ValueError('A film has at least one frame.')
        return self._writer.finish()

    def _picture(self, svg: str) -> Any:
        from PIL import Image

        image = Image.open(BytesIO(raster.png(svg, self._width))).convert('RGB')
        return image.crop((0, 0, image.width, image.height - image.height % 2))


class _Gif:
    """GIF, which keeps only the part of a frame that differs from the one before it."""

    def __init__(self, palette: Sequence[Any]) -> None:
        self._colours = self._palette(palette) if palette else None
        self._frames: list[Any] = []
        self._millis: list[int] = []

    def add(self, image: Any, millis: int) -> None:
        from PIL import Image

        self._colours = self._colours or self._palette([image])
        # without dithering what stays as it was has the same colours again
        image = image.quantize(palette=self._colours, dither=Image.Dither.NONE)
        if self._frames and image.size != self._frames[0].size:
            raise ValueError('All frames of a film have the same size.')
        self._frames.append(image)
        self._millis.append(millis)

    @staticmethod
    def _palette(images: Sequence[Any]) -> Any:
        """One palette for all frames."""
        from PIL import Image

        sheet = Image.new('RGB', (images[0].width, sum(image.height for image in images)))
        top = 0
        for image in images:
            sheet.paste(image, (0, top))
            top += image.height
        # an octree keeps the colours of small things, which the median cut gives up for shades of the ground
        return sheet.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)

    def finish(self) -> bytes:
        out = BytesIO()
        first, *others = self._frames
        first.save(
            out,
            'GIF',
            save_all=True,
            append_images=others,
            duration=self._millis if others else self._millis[0],
            loop=0,
            disposal=1,
            optimize=False,
        )
        return out.getvalue()


class _Mp4:
    """MP4 with H.264, as every browser and messenger plays it."""

    def __init__(self) -> None:
        import av

        # the index is moved to the beginning of the finished file, so that it plays while it is loaded
        self._folder = tempfile.TemporaryDirectory(prefix='ludoteca-film-')
        self._file = Path(self._folder.name) / 'film.mp4'
        self._box: Any = av.open(str(self._file), 'w', format='mp4', options={'movflags': '+faststart'})
        self._stream: Any = None
        self._size = (0, 0)

    def add(self, image: Any, millis: int) -> None:
        import av

        if self._stream is None:
            self._size = image.size
            self._stream = self._box.add_stream('libx264', rate=_RATE)
            self._stream.width, self._stream.height = image.size
            self._stream.pix_fmt = 'yuv420p'
            self._stream.options = {'crf': '20', 'preset': 'veryfast', 'tune': 'stillimage'}
        if image.size != self._size:
            raise ValueError('All frames of a film have the same size.')
        from_image: Any = av.VideoFrame.from_image
        frame = from_image(image)
        for _ in range(max(1, round(millis * _RATE / 1000))):
            for packet in self._stream.encode(frame):
                self._box.mux(packet)

    def finish(self) -> bytes:
        for packet in self._stream.encode():
            self._box.mux(packet)
        self._box.close()
        with self._folder:
            return self._file.read_bytes()


def make(
    kind: Kind,
    width: int,
    frames: Sequence[Callable[[], tuple[str, int]]],
    progress: Callable[[], object] = lambda: None,
) -> bytes:
    """A film of frames that are drawn when their turn comes: each answers its picture and its milliseconds.
    `progress` is called after each. Raises Missing or ValueError."""
    film = FilmEncoder(kind, width, palette_of(frames) if kind == 'gif' else ())
    for frame in frames:
        film.add(*frame())
        progress()
    return film.finish()


def palette_of(frames: Sequence[Callable[[], tuple[str, int]]]) -> list[str]:
    """The pictures from which the colours of a GIF are taken: the first, the middle and the last one."""
    return [frames[at]()[0] for at in sorted({0, len(frames) // 2, len(frames) - 1})]
