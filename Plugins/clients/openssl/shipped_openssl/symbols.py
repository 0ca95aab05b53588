"""The functions inside a shared library, those too that it does not export: extensions of Python keep theirs to themselves."""

import mmap
import struct

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB, _FUNCTION = 2, 2


def functions(path):
    """The places of the functions by their names, from the symbol table (ELF, 64 bits, little-endian)."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
        if image[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path} is not a library for this kind of machine")
        (offset,) = struct.unpack_from("<Q", image, 0x28)
        size, count = struct.unpack_from("<HH", image, 0x3A)
        sections = [_SECTION.unpack_from(image, offset + size * index) for index in range(count)]
        for _, kind, _, _, start, length, link, _, _, _ in sections:
            if kind == _SYMTAB:
                names = image[sections[link][4] : sections[link][4] + sections[link][5]]
                return {
                    names[name : names.index(b"\0", name)].decode(): place
                    for name, info, _, section, place, _ in _SYMBOL.iter_unpack(image[start : start + length])
                    if info & 15 == _FUNCTION and section
                }
    raise ValueError(f"{path} has no symbol table")
