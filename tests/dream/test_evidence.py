from __future__ import annotations

import random
import string

from dreamreview.dream.evidence import (
    create_file,
    delete_block,
    delete_file,
    delete_lines,
    evidence,
    insert_before,
    quote,
    raw_text,
    replace_lines,
)
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Act

TEXT = b"# Ports\n\n- Web on 8080.\n- Mail on 2525.\n\nLast words.\n"


def test_evidence_quotes_the_lines_it_names() -> None:
    found = evidence(parse("a.md", TEXT), 3, 4, "2026-01-02")
    assert (found.path, found.first, found.last, found.date) == ("a.md", 3, 4, "2026-01-02")
    assert found.quote == "- Web on 8080.\n- Mail on 2525."


def test_a_secret_is_masked_in_the_quote_and_kept_in_the_raw_text() -> None:
    key = "ghp_" + "a1B2" * 9
    document = parse("a.md", f"- Token of the bot: {key}\n".encode())
    assert key not in quote(document, 1, 1)
    assert key in raw_text(document, 1, 1)


def test_a_line_out_of_the_middle_of_a_private_key_is_masked() -> None:
    letters = random.Random(7)
    body = ["".join(letters.choices(string.ascii_letters + string.digits, k=64)) for _ in range(6)]
    text = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----", ""])
    assert body[2] not in quote(parse("a.md", text.encode()), 4, 4)


def test_edits_carry_the_lines_they_replace() -> None:
    document = parse("a.md", TEXT)
    edit = replace_lines(document, 3, 3, (b"- Web on 9090.\n",))
    assert (edit.start, edit.stop, edit.old, edit.new) == (2, 3, (b"- Web on 8080.\n",), (b"- Web on 9090.\n",))
    assert delete_lines(document, 3, 4).new == ()
    assert (insert_before(document, 3, (b"x\n",)).start, insert_before(document, 3, (b"x\n",)).stop) == (2, 2)


def test_a_deleted_block_takes_one_of_the_blank_lines_around_it() -> None:
    document = parse("a.md", b"One.\n\nTwo.\n\nThree.\n")
    edit = delete_block(document, 3, 3)
    assert (edit.start, edit.stop) == (2, 4)


def test_a_list_item_between_others_goes_alone() -> None:
    document = parse("a.md", b"- one\n- two\n- three\n")
    edit = delete_block(document, 2, 2)
    assert (edit.start, edit.stop) == (1, 2)


def test_the_last_block_takes_the_blank_line_above_it() -> None:
    document = parse("a.md", b"One.\n\nTwo.\n")
    edit = delete_block(document, 3, 3)
    assert (edit.start, edit.stop) == (1, 3)


def test_a_promoted_line_goes_with_its_marker() -> None:
    text = b"- kept\n<!-- openclaw-memory-promotion:memory:x.md:1:1 -->\n- promoted\n"
    edit = delete_block(parse("MEMORY.md", text), 3, 3)
    assert (edit.start, edit.stop) == (1, 3)


def test_a_file_is_deleted_whole_with_its_mode_and_created_with_one() -> None:
    document = parse("a.md", TEXT)
    gone = delete_file(document, 0o600)
    assert (gone.act, gone.old, gone.stop, gone.mode) == (Act.DELETE, document.lines, 6, 0o600)
    made = create_file("b.md", (b"x\n",))
    assert (made.act, made.new, made.mode) == (Act.CREATE, (b"x\n",), 0o644)
