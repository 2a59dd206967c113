"""What the memory screen holds while it is open, and how that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.cells import cell_len

from dreamreview.errors import DreamReviewError
from dreamreview.model.pins import Pin
from dreamreview.tui.browsing.page import PIN_GLYPHS, Page, page_of
from dreamreview.tui.browsing.shelf import Order, Shelf, age_of, place_of
from dreamreview.tui.detail.rows import Words
from dreamreview.tui.inert import Part, own, safe, said, shorten, shorten_path
from dreamreview.tui.screens.memory.reading import Compared, Looked, Read, Reads, ReadSome
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.widgets.rowlist import Row, RowList
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from dreamreview.tui.screens.place import Failed
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.memory import FileLine, NoteLine

NARROW = 72
"""Cells below which list and page take turns."""
TYPED = 36
"""Cells of the list from which types are drawn."""
COMPARED_UNASKED = 1_500
"""Notes up to which duplicates and conflicts are looked for without being asked: that is done in a few seconds."""


class MemoryState(Reads):
    """The store as it is looked through."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self.shelf = Shelf()
        self.notes = 0
        self.facts: Sequence[Part] = ()
        self.current: str | None = None
        self.by_path: dict[str, FileLine] = {}
        self.folded: set[str] = set()
        self.unfolded: set[str] = set()
        self.states: dict[str, bool | None] = {}
        self.is_on_page = False
        self.page = Page(())
        self.link: int | None = None
        self.trail: list[str] = []
        self.notice = ""
        self.progress = "reading …"
        self.has_written = False
        self.is_compared = False

    # --- reading ---------------------------------------------------------------------------------

    def on_looked(self, event: Looked) -> None:
        """Show the names, and what was known of them before, and read on."""
        event.stop()
        self.memory = event.memory
        known = self.by_path
        files = tuple(known.get(file.path, file) for file in event.files)
        self.take(replace(self.shelf, files=files, today=event.memory.today))
        self.read(event.memory)

    def on_read_some(self, event: ReadSome) -> None:
        """Say how far reading is."""
        event.stop()
        self.progress = f"reading {event.files:,} of {len(self.shelf.files):,}"
        self.show_title()

    def on_read(self, event: Read) -> None:
        """Show the notes; compare them where that is quick."""
        event.stop()
        self.progress, self.is_compared = "", False
        self.take(replace(self.shelf, files=event.files, findings=event.findings))
        if self.memory is not None and self.notes <= COMPARED_UNASKED:
            self.start_comparing()

    def on_compared(self, event: Compared) -> None:
        """Add what the notes have to do with one another."""
        event.stop()
        if event.memory is not self.memory:
            return
        self.progress, self.is_compared = "", True
        merged = {path: list(found) for path, found in self.shelf.findings.items()}
        for path, found in event.findings.items():
            merged.setdefault(path, []).extend(one for one in found if one not in merged[path])
        self.take(replace(self.shelf, findings=merged))

    def on_failed(self, event: Failed) -> None:
        """Say what did not work; look again where a file was another than the one shown."""
        super().on_failed(event)
        self.progress = ""
        self.show_title()
        if event.group == "pin":
            self.look()

    def take(self, shelf: Shelf) -> None:
        """Show the store as it is known now."""
        self.shelf = shelf
        self.by_path = {file.path: file for file in shelf.files}
        self.notes = shelf.notes
        self.facts = self._facts()
        self.redraw(keeps_place=True)

    # --- what is shown ---------------------------------------------------------------------------

    @property
    def list_view(self) -> RowList:
        """The list."""
        return self.query_one("#notes", RowList)

    @property
    def page_view(self) -> DetailView:
        """The page."""
        return self.query_one("#page", DetailView)

    @property
    def file(self) -> FileLine | None:
        """The file at the cursor."""
        return self.by_path.get(place_of(self.current)[0]) if self.current is not None else None

    @property
    def note(self) -> NoteLine | None:
        """The note at the cursor, the file as one where it stands on a file; None where no note is."""
        file, index = self.file, place_of(self.current or "")[1]
        return file.notes[index] if file is not None and index < len(file.notes) else None

    def redraw(self, *, keeps_place: bool = False) -> None:
        """Show everything as it is now; `keeps_place` leaves the page scrolled where it is."""
        rows = self.shelf.rows(self.folded, self.unfolded)
        self.states = dict(rows)
        if self.current not in self.states:
            path = place_of(self.current or "")[0]
            self.current = path if path in self.states else next(iter(self.states), None)
            keeps_place = False
        self.set_class(self.is_on_page, "-page")
        is_active = not self.is_on_page or self.size.width < NARROW
        self.list_view.show([Row(key) for key, _ in rows], self.current, is_active=is_active)
        self.show_page(keeps_place=keeps_place)
        self.show_title()
        self.refresh_bar()

    def show_page(self, *, keeps_place: bool = False) -> None:
        """Show what is at the cursor."""
        top = self.page_view.scroll_offset.y if keeps_place else 0
        rows: Sequence[Words] = [Words((own(line, "dim"),)) for line in self._empty()]
        self.page = Page(tuple(rows))
        if self.file is not None and self.memory is not None:
            try:
                text, seen = self.memory.text(self.file.path)
                self.page = page_of(self.shelf, self.file, self.note, text, seen)
            except (DreamReviewError, OSError) as problem:
                self.page = Page((Words((said(str(problem), "danger"),)),))
        self.link = self.link if keeps_place and self.link in range(len(self.page.links)) else None
        self.page_view.show(self.page.rows)
        self.mark()
        self.page_view.scroll_to(0, top, animate=False, immediate=True)

    def _empty(self) -> list[str]:
        if self.memory is None or self.progress:
            return []
        return ["Nothing matches the search: escape shows all." if self.shelf.words else "There is no memory here yet."]

    def mark(self) -> None:
        """Mark the chosen link and what is searched for."""
        row = self.page.links[self.link][0] if self.link is not None else None
        plain = [word for word in self.shelf.words if not any(sign in word for sign in ":*?")]
        self.page_view.mark({}, cursor=row, found=max(plain, key=len, default=""))
        if row is not None:
            self.page_view.go_to_row(row)

    def show_title(self) -> None:
        """Show the line on top."""
        shelf = self.shelf
        said_here = self.notice or self.progress
        parts = [own("Memory  ", "title")]
        parts += [said(f"{said_here}  ", "kind")] if said_here else []
        parts += [said(f"search: {' '.join(shelf.words)}  ", "warn")] if shelf.words else []
        parts += [own(f"{shelf.order}  ", "kind")] if shelf.order is not Order.PATH else []
        self.query_one("#memory-title", Line).show(*parts, *(() if shelf.words else self.facts))

    def _facts(self) -> Sequence[Part]:
        shelf = self.shelf
        files = own(f"{len(shelf.files):,} {'file' if len(shelf.files) == 1 else 'files'}", "kind")
        if not self.notes:
            return (files,)
        return (
            files,
            own(f" · {count(shelf.found, 'finding')}", "warn" if shelf.found else "dim"),
            own(f" · {shelf.pinned} pinned", "dim"),
            own(f" · {self.notes:,} {'note' if self.notes == 1 else 'notes'}", "dim"),
        )

    def draw(self, row: Row, width: int) -> Sequence[Part]:
        """Return a row of the list."""
        path, index = place_of(row.key)
        file = self.by_path[path]
        note = file.notes[index] if index < len(file.notes) else None
        pin = own(PIN_GLYPHS[note.pin if note else Pin.NONE], "open")
        wrong = own("!" if any(True for _ in self.shelf.findings_of(file, note)) else " ", "warn")
        if index and note is not None:
            indent = own(" " + "  " * min(note.depth, 6))
            return pin, wrong, indent, said(note.title, "dim" if note.depth > 2 else "text")
        fold = {True: "▾", False: "▸", None: " "}[self.states.get(row.key)]
        age = age_of(file, note, self.shelf.today)
        tail = age.short if age else ""
        if note is not None and note.type and width >= TYPED:
            tail = f"{shorten(safe(note.type), 12)} {tail:>5}"
        room = max(width - len(tail) - 5, 8)
        name = shorten_path(path, room)
        look = "text" if note is not None else "dim"
        gap = own(" " * max(width - 4 - len(tail) - cell_len(name), 1))
        return pin, wrong, own(f"{fold} ", "dim"), Part(name, look), gap, own(tail, "dim")

    def say(self, sentence: str) -> None:
        """Say something in passing, on the line on top."""
        self.notice = sentence
        self.show_title()

    def start_comparing(self) -> None:
        """Look for duplicates and conflicts in the background."""
        if self.memory is not None:
            self.progress = "comparing notes …"
            self.refresh_bar()
            self.show_title()
            self.compare(self.memory)
