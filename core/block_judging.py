"""Judging one block of input into a run folder: the stages are those of every verification, the files are Parquet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any

from core import pipeline, spend, verification, verifiers
from core.exporters import parquet
from core.importers import BadLine
from core.input_blocks import OWN, TABLES, Block, fetched, shown
from core.models import CheckedAnswer
from core.reference_lookup import Lookup
from core.run_folder import UNDATED, BlockReport, PartFile, RunFolder
from core.settings import Settings

if TYPE_CHECKING:
    import pyarrow as pa


class BlockJudge:
    """A judge, built once, and the folder it judges into.

    Args:
        settings: Who judges, and how.
        where: The run folder.

    Raises:
        VerifierUnavailable: The verifier of the settings cannot be had.
        InputError: The folder cannot be reached.
    """

    def __init__(self, settings: Settings, where: str) -> None:
        """Load the model."""
        self.judge, self.protocol = pipeline.build(settings)
        self.folder = RunFolder(where)
        self._works = Lookup(settings.references, settings.references_cache) if settings.references.also else None

    def run(self, block: Block, format: str) -> BlockReport:
        """Judge a block, write its files, and say last that it is done.

        Raises:
            InputError: The input cannot be read, or the folder cannot be written.
            VerifierUnavailable: The judge gave up.
        """
        bad: list[BadLine] = []
        checked: list[CheckedAnswer] = []
        with fetched(block) as (file, lines):
            if block.is_part and block.suffix not in TABLES:  # only such lines are cut, and a part may begin oddly
                format = OWN
            if not (block.is_part and file.stat().st_size < 2**20 and not file.read_bytes().strip()):
                for one in verification.checked(file, format, self.judge, self.protocol, self._works):
                    bad.append(one) if isinstance(one, BadLine) else checked.append(one)
        named = shown(block.input)
        report = BlockReport(
            block=block.model_copy(update={"input": named}),
            protocol=str(self.protocol),
            lines=lines,
            answers=len(checked),
            claims=sum(len(one.rows) for one in checked),
            labels=dict(Counter(row.label or "no label" for one in checked for row in one.rows).most_common()),
            bad_lines=tuple(one.model_copy(update={"file": named}) for one in bad),
            notes=tuple(f"{one.answer.request_id}: {note}" for one in checked for note in one.answer.notes),
            spent=tuple(spend.totals(verifiers.spent(self.judge))),
            files=tuple(self._files(block, checked)),
        )
        self.folder.finish(report)
        return report

    def _files(self, block: Block, checked: Sequence[CheckedAnswer]) -> list[PartFile]:
        days: dict[str | None, list[CheckedAnswer]] = {}
        for one in checked:
            asked = one.answer.asked_at
            days.setdefault(asked.astimezone(UTC).date().isoformat() if asked else None, []).append(one)
        return [self._day(block, day, days[day]) for day in sorted(days, key=lambda day: day or "")]

    def _day(self, block: Block, day: str | None, checked: Sequence[CheckedAnswer]) -> PartFile:
        from core import desk_columns  # has the store behind it, which planning does not need

        place = f"protocol={self.protocol}/day={day or UNDATED}/{block.name}.parquet"
        claims = _table(desk_columns.claims(checked, self.protocol.splitter), desk_columns.claim_schema())
        answers = _table(desk_columns.answers(checked), desk_columns.answer_schema())
        return PartFile(
            day=day,
            claims=f"claims/{place}",
            claims_bytes=self.folder.write(f"claims/{place}", _bytes(claims)),
            claims_rows=claims.num_rows,
            answers=f"answers/{place}",
            answers_bytes=self.folder.write(f"answers/{place}", _bytes(answers)),
            answers_rows=answers.num_rows,
        )


def _table(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(rows, schema=schema)


def _bytes(table: pa.Table) -> Any:
    """A Parquet file; row groups are as small as an exporter's, so that one claim is found without reading many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(table, out, compression="zstd", row_group_size=parquet.ROWS_AT_ONCE)
    return out.getvalue()
