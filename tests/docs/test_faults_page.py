"""docs/faults.md and the tests that are marked with its rows fit together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import faults


def test_every_row_has_a_test_or_a_reason(checkout: Path) -> None:
    found = faults.read(checkout)
    assert sorted(found.rows) == list(range(1, faults.ROWS + 1))
    assert found.wrong == []


def test_what_does_not_fit_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").mkdir()
    rows = "\n".join(f"| {n} | fault | answer |" for n in range(1, 96))
    reasons = "\n".join(f"| {n} | because |" for n in range(2, 95))
    (tmp_path / "docs" / "faults.md").write_text(f"{rows}\n\n## Not shown by a test of its own\n\n{reasons}\n")
    test = "import pytest\n\n\n@pytest.mark.fault(1, 97)\n@pytest.mark.parametrize('x', [1])\ndef test_it(x): ...\n"
    (tmp_path / "tests" / "test_one.py").write_text(test + "\n\n@pytest.mark.fault(2)\nclass TestMore: ...\n")
    assert faults.read(tmp_path).wrong == [
        "row 96 is not on the page",
        "there is no row 97",
        "row 2 has a test, and a reason for having none",
        "row 95 has neither a test nor a reason: fault",
    ]
    assert faults.main([str(tmp_path)]) == 1


def test_a_mark_for_a_whole_file_counts_for_each_of_its_tests() -> None:
    source = "import pytest\npytestmark = [pytest.mark.fault(81, 82)]\ndef helper(): ...\ndef test_a(): ...\n"
    assert list(faults.marks(source)) == [(81, "test_a"), (82, "test_a")]


def test_results_are_put_beside_their_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "docs" / "faults.md").write_text("\n".join(f"| {n} | fault | answer |" for n in range(1, 97)))
    numbers = ", ".join(map(str, range(1, 97)))
    (tmp_path / "tests" / "test_one.py").write_text(f"import pytest\n@pytest.mark.fault({numbers})\ndef test_it(): ...")
    report = tmp_path / "report.xml"
    case = '<testcase classname="tests.test_one" name="test_it[{}]">{}</testcase>'
    report.write_text(f"<testsuites><testsuite>{case.format(1, '')}</testsuite></testsuites>")
    assert faults.main([str(tmp_path), "--results", str(report)]) == 0
    assert "| 1 | fault | `test_one.py::test_it` | 1 of 1 passed |" in capsys.readouterr().out
    report.write_text(f"<s>{case.format(1, '')}{case.format(2, '<skipped/>')}</s>")
    assert faults.main([str(tmp_path), "--results", str(report)]) == 1
