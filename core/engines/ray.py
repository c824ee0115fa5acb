"""Ray Data: a pool of actors on this machine or a cluster, each with the model loaded once.

What travels is the name of a block and what became of it: actors read and write the files themselves.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from core.errors import CitedeskError, InputError
from core.input_blocks import Block
from core.run_folder import BlockReport

if TYPE_CHECKING:
    from core.engines import Plan


STARTS = 3
"""How often a start is tried."""

_SURROUNDINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to anybody
    "RAY_agent_register_timeout_ms": "300000",  # a busy machine needs more than its 30 seconds
    "RAY_worker_register_timeout_seconds": "300",
}


_FAILED = (OSError, RuntimeError, ValueError)
"""What Ray says with when an address is wrong, a cluster does not answer, or a process cannot be started."""


class Actor:
    """One judge of the pool; Ray makes it where there is room, and again where a machine was lost."""

    def __init__(self, plan: Plan) -> None:
        """Load the model."""
        from core.block_judging import BlockJudge

        self._plan = plan
        self._judge: BlockJudge | CitedeskError
        try:
            self._judge = BlockJudge(plan.settings, plan.where)
        except CitedeskError as error:  # an actor that cannot be made would be tried again and again
            self._judge = error

    def __call__(self, rows: dict[str, Any]) -> dict[str, list[str]]:
        """Judge the blocks of a batch; what cannot be done is said, for an exception would lose its words."""
        try:
            if isinstance(self._judge, CitedeskError):
                raise self._judge
            blocks = map(Block.model_validate_json, rows["item"])
            reports = [self._judge.run(block, self._plan.format).model_dump_json() for block in blocks]
        except CitedeskError as error:
            return {"report": [""], "what": [error.what], "advice": [error.advice]}
        return {"report": reports, "what": [""] * len(reports), "advice": [""] * len(reports)}


def run(blocks: Sequence[Block], plan: Plan) -> Iterator[BlockReport]:
    """Judge them wherever there is room.

    Uses the cluster that ``RAY_ADDRESS`` names, or one already joined or started on this machine; without, one here for
    as long as it takes.

    Raises:
        InputError: Ray is not installed, or cannot be started.
        CitedeskError: An actor could not judge a block; what is finished stays finished.
    """
    ray = _ray()
    own = not ray.is_initialized()
    try:
        if own:
            _start(ray)
        yield from _reports(ray, blocks, plan)
    except (ray.exceptions.RayError, ConnectionError, RuntimeError) as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise CitedeskError(
            f"Ray gave up ({said})", "run the same command again: finished blocks stay finished"
        ) from error
    finally:
        if own:
            ray.shutdown()


def _start(ray: Any) -> None:
    """Join the cluster, or start one here; a busy machine may need more than the half minute that Ray waits."""
    for attempt in range(1, STARTS + 1):
        try:
            ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
            return
        except Exception as error:  # Ray says with a bare one that its processes were too slow
            ray.shutdown()
            if type(error) is not Exception and not isinstance(error, (ray.exceptions.RayError, *_FAILED)):
                raise
            if attempt == STARTS:
                said = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(". ")
                raise InputError(f"Ray could not be started ({said})", "try again, or use --engine local") from error


def _reports(ray: Any, blocks: Sequence[Block], plan: Plan) -> Iterator[BlockReport]:
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    has = ray.cluster_resources()
    room = int(has.get("GPU", 0) / plan.gpus) if plan.gpus else int(has.get("CPU", 1))
    actors = max(1, min(plan.actors or room, len(blocks)))
    if plan.gpus and has.get("GPU", 0) < plan.gpus:
        raise InputError(f"Ray has {has.get('GPU', 0):g} GPUs, one actor needs {plan.gpus:g}", "lower --gpus")
    items = [block.model_dump_json() for block in blocks]
    judged = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
        Actor,
        fn_constructor_args=(plan,),
        batch_size=1,
        num_cpus=1,
        num_gpus=plan.gpus or None,
        compute=ray.data.ActorPoolStrategy(size=actors),
    )
    for row in judged.iter_rows():
        if row["what"]:
            raise CitedeskError(row["what"], row["advice"])
        yield BlockReport.model_validate_json(row["report"])


def _ray() -> Any:
    for name, value in _SURROUNDINGS.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise InputError("The engine ray is not installed", "install it with: pip install 'citedesk[scale]'") from error
    return ray
