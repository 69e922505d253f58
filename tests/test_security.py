"""Every sentence of SECURITY.md is true: each names the tests that run it, or says why there is none."""

from __future__ import annotations

import re
import socket
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from houle.analysis.players.line_ups import setup
from houle.analysis.studies.cluster import Needs, play_portable
from houle.analysis.studies.serialize import Data
from houle.solver.errors import InputError
from houle.solver.run.tally import Tally
from tests.support.call import call, good

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "SECURITY.md"

# What a sentence is about: who is trusted, what users should do, or what cannot be known. There is nothing to run.
ADVICE, TRUST, LIMIT = "advice", "trust", "limit"
HOSTILE, NAMED, TRUSTED, SWAPS = (
    "cli/test_broken_files.py",
    "test_named_code.py",
    "solver/test_kernel_cache_trust.py",
    "solver/test_kernel_cache_trust.py",
)
PAGES, LAN, TOKEN, LOG = (
    "cli/play/test_pages.py",
    "cli/play/test_lan.py",
    "cli/web/test_token.py",
    "analysis/studies/test_log.py",
)
DASK, HOMES = "analysis/studies/test_dask.py", "solver/rules/test_homes.py"
HERE = "test_security.py"

# The beginning of each sentence, in the order of the page, and what shows that it is true.
PROOFS: dict[str, str | tuple[tuple[str, str], ...]] = {
    "houle runs on your machine": ((HERE, "test_commands_connect_to_nothing"),),
    "This page says": ADVICE,
    "Rules files, decks, study files": ADVICE,
    "They hold no code": (
        ("test_no_code_in_data.py", "test_nothing_is_unpickled"),
        ("test_no_code_in_data.py", "test_only_the_kernel_cache_may_hold_code"),
    ),
    "TOML files are read in one place": ((HOSTILE, "test_files"), (HOSTILE, "test_a_pipe_that_nobody_writes_to")),
    "A mistake is reported": (("cli/test_bad_input.py", "test_errors_in_a_file_name_it"),),
    "A game, variant, knob or strategy": ((HOSTILE, "test_words"),),
    "Decks and rules files are named": (("cli/test_bad_input.py", "test_errors_in_a_file_name_it"),),
    "Control characters, terminal escapes": ((HOSTILE, "test_hostile_names_are_shown_escaped"),),
    "Pages escape": ((PAGES, "test_forged_and_malformed_requests_are_refused"),),
    "A text that a spreadsheet": (
        ("cli/test_every_command.py", "test_formulas_in_csv_files_are_texts"),
        ("reports/html/test_page.py", "test_formulas_in_tables_are_texts"),
    ),
    "The log of a study": ((LOG, "test_torn_last_line_is_played_again"),),
    "Every value is checked": (
        (LOG, "test_lines_that_do_not_fit_are_refused"),
        (HOSTILE, "test_forged_log_is_refused_or_escaped"),
    ),
    "A line that does not match": ((LOG, "test_changed_line_is_named"),),
    "Numbers that their author": LIMIT,
    "Exit codes": (
        ("cli/test_unwritable.py", "test_nothing_is_played_first"),
        ("cli/test_unwritable.py", "test_interrupt_before_the_first_game"),
        ("cli/test_unwritable.py", "test_closed_or_full_streams"),
    ),
    "A traceback is a bug": (("cli/test_bad_input.py", "test_errors_are_one_line"),),
    "The time that valid input": LIMIT,
    "A rules file can make": ((HOSTILE, "test_too_many_cells_are_refused"),),
    "`--dry-run` shows": (("cli/commands/test_study.py", "test_dry_run_writes_nothing"),),
    "**The installed package**": TRUST,
    "Games are Python": ADVICE,
    "**Games outside the package**": TRUST,
    "Their code runs": TRUST,
    "Only four things name": (
        (NAMED, "test_game_and_game_path_name_code"),
        (HOMES, "test_a_folder_is_a_game"),
        (HOMES, "test_packages_provide_games_by_entry_point"),
    ),
    "No link, record": ((NAMED, "test_links_name_no_code"), (NAMED, "test_other_words_name_no_code")),
    "In Python": ((HERE, "test_setup_names_a_file"),),
    "Listing games imports": ((NAMED, "test_listing_imports_no_package"),),
    "A folder of a game is refused": ((HOMES, "test_writable_folders_are_not_run"),),
    "`houle games` says so": ((HOMES, "test_writable_folders_are_not_run"),),
    "A file such as": (
        (NAMED, "test_code_that_others_may_write_is_refused"),
        (NAMED, "test_code_of_other_users_is_refused"),
    ),
    "It may be a link": ((HERE, "test_code_behind_a_link"),),
    '"Others" are': ADVICE,
    "A group that only you": ((TRUSTED, "test_a_group_of_one_user_may_write"),),
    "Folders above may belong": ((NAMED, "test_folders_above_may_belong_to_the_administrator"),),
    "**The kernel cache**": TRUST,
    "Folders and files are made": ((TRUSTED, "test_cache_folders_are_private"),),
    "A file is read only if": ((TRUSTED, "test_only_own_plain_files_are_read"),),
    "It names the kernel": (
        (SWAPS, "test_versions_and_settings_have_kernels_of_their_own"),
        (SWAPS, "test_swapped_files_are_compiled_again"),
    ),
    "Any other file": (
        (TRUSTED, "test_only_own_plain_files_are_read"),
        (TRUSTED, "test_a_damaged_file_is_compiled_again"),
    ),
    "The checksum does not": LIMIT,
    "On Windows": (("test_portable.py", "test_fallbacks"),),
    "**The current folder": (
        (NAMED, "test_files_of_the_current_folder_never_run"),
        (NAMED, "test_new_processes_are_started_in_one_place"),
    ),
    "(`python -m houle": LIMIT,
    "A `matplotlibrc`": (("reports/figures/test_draw.py", "test_other_settings_change_no_figure"),),
    "A `.numba_config.yaml`": (("cli/test_start.py", "test_a_compiler_switched_off_by_a_file_is_reported"),),
    "**The environment**": TRUST,
    "`--cluster ADDRESS` connects": ((DASK, "test_the_same_digest"),),
    "Dask sends pickles": TRUST,
    "houle only sends names": ((HERE, "test_a_chunk_is_names_and_numbers"),),
    "Use your own scheduler": ADVICE,
    "A worker with other code": ((DASK, "test_a_worker_with_other_code_is_left_out"),),
    "A worker that returns": LIMIT,
    "Both run a server": ((LAN, "test_the_server_is_on_loopback_unless_asked"),),
    "Its address has": ((PAGES, "test_wrong_tokens_hosts_and_origins_are_refused"),),
    "The token is kept": (
        (TOKEN, "test_a_second_server_has_the_same_token"),
        (TOKEN, "test_a_token_that_others_can_read_is_replaced"),
        (TOKEN, "test_a_token_of_the_environment_is_used"),
    ),
    "Everybody who has it": TRUST,
    "Requests without it": ((PAGES, "test_wrong_tokens_hosts_and_origins_are_refused"),),
    "Requests have at most": (
        (PAGES, "test_a_slow_sender_is_cut_off"),
        (PAGES, "test_a_connection_that_sends_nothing_is_closed"),
        (PAGES, "test_forged_and_malformed_requests_are_refused"),
    ),
    "A link names no file": (
        (NAMED, "test_links_name_no_code"),
        (PAGES, "test_forged_and_malformed_requests_are_refused"),
    ),
    "Pages load nothing": ((PAGES, "test_wrong_tokens_hosts_and_origins_are_refused"),),
    "While a game is compiled": (("cli/web/test_first_pages.py", "test_change_to_compiled_pages_loses_no_move"),),
    "`houle play --lan`, and nothing": ((LAN, "test_the_server_is_on_loopback_unless_asked"),),
    "A person gets": (
        (LAN, "test_the_code_is_needed_and_cannot_be_tried_out"),
        (LAN, "test_all_senders_together_are_held_back"),
    ),
    "Pages of a seat": ((LAN, "test_each_seat_sees_only_its_own_view"),),
    "Others on the network": ADVICE,
    "houle writes only": ((HERE, "test_commands_write_nothing_unasked"),),
    "Whether a named file": (("cli/test_unwritable.py", "test_nothing_is_played_first"),),
    "Files are written beside": (
        ("cli/test_unwritable.py", "test_failed_writes_leave_old_file"),
        ("cli/test_unwritable.py", "test_a_full_disk_leaves_nothing_half_written"),
    ),
    "Please tell": ADVICE,
}


def sentences() -> list[str]:
    text = re.sub(r"^#.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n\s*- ", text)]
    ends = r"(?<=[.;:)])\s+(?=[A-Z`*\"(])|(?<=[.])\s+(?=houle only)"
    found = [sentence.removeprefix("- ") for part in parts for sentence in re.split(ends, part) if sentence]
    return [one for one in found if not one.startswith(("`HOULE_CACHE_DIR`, `PYTHONPATH`",))]


def test_every_sentence_is_listed() -> None:
    page = sentences()
    assert len(page) == len(PROOFS), [one for one in page if not any(map(one.startswith, PROOFS))]
    for sentence, beginning in zip(page, PROOFS, strict=True):
        assert sentence.startswith(beginning)


@cache
def names_in(file: str) -> set[str]:
    return set(re.findall(r"^def (test_\w+)", (ROOT / "tests" / file).read_text(encoding="utf-8"), re.MULTILINE))


def test_every_named_test_exists() -> None:
    for proof in PROOFS.values():
        for file, test in proof if isinstance(proof, tuple) else ():
            assert test in names_in(file), (file, test)


def test_commands_connect_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("it connects")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for words in ("games", "rules wave", "rules vague-attaque --json", "players wave --json"):
        good(*words.split())


def test_commands_write_nothing_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in ("games", "rules wave", "players wave", "rules wafe", "study show none", "review none.txt"):
        call(*words.split())
    assert list(tmp_path.iterdir()) == []


def test_setup_names_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)
    file = tmp_path / "nothing.py"
    file.write_text("")
    with pytest.raises(InputError, match="no class Game"):
        setup(str(file))


def test_code_behind_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link is followed if nobody else could change where it leads."""
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)
    for name in ("mine", "open"):
        (tmp_path / name).mkdir(0o700)
    file = tmp_path / "mine" / "nothing.py"
    file.write_text("")
    (tmp_path / "open" / "linked.py").symlink_to(file)
    with pytest.raises(InputError, match="no class Game"):
        setup(str(tmp_path / "open" / "linked.py"))
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(InputError, match=f"others may write to {tmp_path / 'open'}"):
        setup(str(tmp_path / "open" / "linked.py"))


def test_a_chunk_is_names_and_numbers() -> None:
    kinds = get_type_hints(play_portable)
    assert kinds.pop("return") is Tally
    assert set(kinds.values()) == {Needs, Data, int}
    assert set(get_type_hints(Needs).values()) == {str, dict[str, str], tuple[str, ...]}
