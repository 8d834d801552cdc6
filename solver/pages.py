"""Whether the file of a store is sound: every page that LMDB can reach is there and is what it should be.

LMDB trusts its file. One flipped bit in a page's head or in one of its pointers can lead it beyond the end of the file, which kills
the process, or to pages that are in use already, which destroys them. So all heads and pointers are looked at first; keys and
values are not, since each record has a check of its own. The format is that of LMDB 0.9 on a
64-bit machine, in its byte order:

    page   number u64, u16, flags u16, lower u16, upper u16; the places of its nodes, u16 each, up to `lower`; the nodes from `upper`
           to the end, without gaps. An overflow page has the count of its pages, u32, instead of `lower` and `upper`.
    node   low u16, high u16, flags u16, key size u16, key, data, filled up to an even size. low and high are the size of the data; in a
           branch they and the flags are the number of a page. With flag 1 the data is the number of an overflow page.
    meta   (pages 0 and 1, behind a head) magic u32, version u32, u64, u64, the tree of free pages, the tree of records, last page u64,
           transaction u64. The newer one counts.
    tree   u32 (of free pages: the page size), flags u16, depth u16, branch pages u64, leaf pages u64, overflow pages u64, entries u64,
           root u64
    free   the data of a node: a count u64, and as many page numbers u64, which fall
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from solver.position import InputError

_BRANCH, _LEAF, _OVERFLOW, _META = 1, 2, 4, 8
_MAGIC, _VERSION = 0xBEEFC0DE, 1
_INTEGER_KEYS = 8  # the flags of the tree of free pages
_ELSEWHERE = 1  # the flag of a node
_FIRST = 2  # page behind the two of the file itself
_PAGE_SIZES = [1 << bits for bits in range(9, 17)]
_TRIES = 5  # while others write

_HEAD = struct.Struct("=QHHHH")
_NODE = struct.Struct("=HHHH")
_METAS = struct.Struct("=II16xIHHQQQQQIHHQQQQQQQ")


class Unsound(InputError):
    """The file is not as LMDB left it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: bring a sound copy back, or move the directory away and solve again")


class _Tree(NamedTuple):
    page_size: int  # in the tree of free pages only
    flags: int
    depth: int
    branches: int
    leaves: int
    overflows: int
    entries: int
    root: int


class _Meta(NamedTuple):
    number: int
    flags: int
    magic: int
    version: int
    free: _Tree
    records: _Tree
    last: int
    transaction: int

    @classmethod
    def read(cls, data: bytes | mmap.mmap, start: int) -> _Meta:
        number, _, flags, _, _ = _HEAD.unpack_from(data, start)
        magic, version, *fields, last, transaction = _METAS.unpack_from(data, start + _HEAD.size)
        return cls(number, flags, magic, version, _Tree(*fields[:8]), _Tree(*fields[8:]), last, transaction)


def check_metas(file: Path) -> None:
    """Look at the first two pages, before LMDB opens the file; one that is no file of LMDB is left to it. Raises OSError and Unsound."""
    for attempt in range(_TRIES):
        with file.open("rb") as pages:
            head = pages.read(2 * _PAGE_SIZES[-1])
        if len(head) < 2 * _PAGE_SIZES[0]:
            return
        first = _Meta.read(head, 0)
        size = first.free.page_size
        if (first.magic, first.version) != (_MAGIC, _VERSION):
            return
        if size not in _PAGE_SIZES or len(head) < 2 * size:
            raise Unsound(f"{file.name} is damaged in its first page")
        second = _Meta.read(head, size)
        constant = _META, _MAGIC, _VERSION, size, _INTEGER_KEYS, 0
        found = {(meta.flags, meta.magic, meta.version, meta.free.page_size, meta.free.flags, meta.records.flags) for meta in (first, second)}
        follow = abs(first.transaction - second.transaction) == 1 and second.transaction % 2
        if found == {constant} and (first.number, second.number) == (0, 1) and (follow or first.transaction == second.transaction == 0):
            return
    raise Unsound(f"{file.name} is damaged in its first two pages")


def check_pages(file: Path, transaction: int, page_size: int) -> bool:
    """Look at all pages that a reading transaction, which is open meanwhile, can reach; False if others wrote too much for that.

    Raises OSError and Unsound.
    """
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        meta = _Meta.read(data, transaction % 2 * page_size)
        if meta.transaction != transaction:
            return False
        promised = (meta.last + 1) * page_size
        if len(data) < promised:
            raise Unsound(f"{file.name} is truncated ({len(data)} of {promised} bytes)")
        _Walk(data, page_size, meta.last, file.name).check(meta)
    return True


class _Walk:
    """A way through all pages of a file of which the last one is there."""

    def __init__(self, data: mmap.mmap, size: int, last: int, name: str) -> None:
        self._data, self._size, self._last, self._name = data, size, last, name
        self._seen = set[int]()

    def check(self, meta: _Meta) -> None:
        """Both trees, and that no page is free that is in use."""
        for number, page, places in self._leaves(meta.records, least=2):
            if not self._alike(page, places) and any(flags for flags, _, _ in self._nodes(number, page, places)):
                raise self._damaged(number)
        overflows = len(self._seen)
        free = [page for leaf in self._leaves(meta.free, least=1) for page in self._free_pages(*leaf)]
        overflows = len(self._seen) - overflows - meta.free.branches - meta.free.leaves
        if overflows != meta.free.overflows or meta.records.overflows:
            raise Unsound(f"{self._name} is damaged in its first two pages")
        if len(set(free)) < len(free) or not self._seen.isdisjoint(free) or not all(_FIRST <= page <= self._last for page in free):
            raise Unsound(f"{self._name} is damaged in its list of free pages")

    def _leaves(self, tree: _Tree, least: int) -> Iterator[tuple[int, bytes, tuple[int, ...]]]:
        """The numbers, contents and places of nodes of all leaves; a branch has `least` nodes at least."""
        level, branches, leaves, entries = [tree.root] if tree.depth else [], 0, 0, 0
        for _ in range(tree.depth - 1):
            branches += len(level)
            pages = [(number, *self._page(number, _BRANCH, least)) for number in level]
            level = [low | high << 16 | flags << 32 for page in pages for flags, low, high in self._nodes(*page, branch=True)]
        for number in level:
            page, places = self._page(number, _LEAF, 1)
            leaves, entries = leaves + 1, entries + len(places)
            yield number, page, places
        if (branches, leaves, entries) != (tree.branches, tree.leaves, tree.entries):
            raise Unsound(f"{self._name} is damaged in its first two pages")

    def _page(self, number: int, kind: int, least: int) -> tuple[bytes, tuple[int, ...]]:
        """The content and the places of the nodes, in ascending order, of a page that must be of this kind."""
        page = self._raw(number)
        named, _, flags, lower, upper = _HEAD.unpack_from(page)
        count = (lower - _HEAD.size) // 2
        if named == number and flags == kind and count >= least and lower % 2 == 0 and lower <= upper < self._size:
            places = tuple(sorted(struct.unpack_from(f"={count}H", page, _HEAD.size)))
            if places[0] == upper and places[-1] <= self._size - _NODE.size:
                return page, places
        raise self._damaged(number)

    def _raw(self, number: int) -> bytes:
        if not _FIRST <= number <= self._last or number in self._seen:
            raise Unsound(f"{self._name} is damaged in a pointer to page {number}")
        self._seen.add(number)
        return self._data[number * self._size : (number + 1) * self._size]

    def _alike(self, page: bytes, places: tuple[int, ...]) -> bool:
        """Whether the nodes are sound and without flags, found in a way that is quick and knows only nodes of one size."""
        start = places[0]
        low, high, flags, key = _NODE.unpack_from(page, start)
        step = _NODE.size + low + key
        if high or flags or step % 2 or places != tuple(range(start, self._size, step)):
            return False
        return all(page[start + byte :: step] == page[start + byte : start + byte + 1] * len(places) for byte in range(_NODE.size))

    def _nodes(self, number: int, page: bytes, places: tuple[int, ...], *, branch: bool = False) -> Iterator[tuple[int, int, int]]:
        """Of each node in the order of its place: flags, and of a branch low and high, of a leaf where its data is and its size."""
        for place, end in pairwise((*places, self._size)):
            low, high, flags, key = _NODE.unpack_from(page, place)
            data = 0 if branch else 8 if flags == _ELSEWHERE else low | high << 16
            size = _NODE.size + key + data
            if place % 2 or size + size % 2 != end - place:
                raise self._damaged(number)
            yield (flags, low, high) if branch else (flags, place + _NODE.size + key, low | high << 16)

    def _free_pages(self, number: int, page: bytes, places: tuple[int, ...]) -> Iterator[int]:
        """The pages that a leaf of the tree of free pages names."""
        for flags, start, size in self._nodes(number, page, places):
            data = page[start : start + size]
            if flags == _ELSEWHERE:
                data = self._overflow(*struct.unpack_from("=Q", page, start), size)
            elif flags:
                raise self._damaged(number)
            count, *free = struct.unpack(f"={len(data) // 8}Q", data[: len(data) // 8 * 8])
            if size != 8 * (count + 1) or any(after >= before for before, after in pairwise(free)):
                raise self._damaged(number)
            yield from free

    def _overflow(self, number: int, size: int) -> bytes:
        """The data on a row of overflow pages."""
        named, _, flags, low, high = _HEAD.unpack_from(self._raw(number))
        count = (_HEAD.size + size + self._size - 1) // self._size
        if named != number or flags != _OVERFLOW or low | high << 16 != count:
            raise self._damaged(number)
        for more in range(1, count):
            self._raw(number + more)
        start = number * self._size + _HEAD.size
        return self._data[start : start + size]

    def _damaged(self, number: int) -> Unsound:
        return Unsound(f"{self._name} is damaged in page {number}")
