"""Training of the cross-encoder: bfloat16 weights with float32 masters, by a budget of tokens, resumable.

The schedule follows tokens, never the clock: the same mix, seed and budget take the same steps on any machine. Word
embeddings stay as the base model has them (they are half the weights, and frozen they cost nothing).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from examples import Example, SoftLabels, batches, load_tokenizer, padded, tokenise
from mix import Row

LABELS: Final = ("entailment", "contradiction", "neutral")
WARM_UP: Final = 400_000
"""Tokens over which the learning rate rises."""
DECAY: Final = 0.4
"""Share of the budget, at its end, over which the learning rate falls to 0."""
_EAGER_UP_TO: Final = 160


@dataclass(frozen=True)
class Settings:
    """What fixes a run: base model folder, token budget, seed, peak learning rate and tokens in a batch."""

    base: Path
    tokens: int
    seed: int = 1
    learning_rate: float = 1.5e-4
    batch_tokens: int = 4096
    weight_decay: float = 0.01
    ema: float = 0.998
    soft_weight: float = 0.7
    checkpoint_seconds: int = 180


def load_model(base: Path) -> nn.Module:
    """The base model with a fresh three-way head (or a trained one where `base` is a checkpoint), without dropout."""
    from transformers import AutoModelForSequenceClassification

    model: nn.Module = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=len(LABELS),
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="eager",
        id2label=dict(enumerate(LABELS)),
        label2id={label: index for index, label in enumerate(LABELS)},
    )
    return model


def is_trained(name: str) -> bool:
    """Whether the parameter of that name is trained: all are but the word embeddings."""
    return "word_embeddings" not in name


def loss_of(logits: Tensor, batch: Sequence[Example], soft_weight: float) -> Tensor:
    """Mean loss: cross-entropy, -log(1 - P(entailment)) for NOT_ENTAILED, mixed with the teacher's where it speaks."""
    log_p = logits.float().log_softmax(-1)
    target = torch.tensor([example.target for example in batch])
    hard = -log_p.gather(1, target.clamp(max=2)[:, None])[:, 0]
    hard = torch.where(target == 3, -torch.logsumexp(log_p[:, 1:], -1), hard)
    if any(example.soft for example in batch):
        taught = torch.tensor([example.soft or (0.0, 0.0, 0.0) for example in batch])
        weight = soft_weight * (taught.sum(-1) > 0).float()
        hard = (1 - weight) * hard + weight * -(taught * log_p).sum(-1)
    return hard.mean()


class Trainer:
    """A model in training, its float32 masters, their moving average and the place reached in the schedule."""

    def __init__(self, settings: Settings, epoch_rows: Callable[[int], list[Row]], soft: SoftLabels | None) -> None:
        """Load the base model; `epoch_rows` gives the rows of epoch 0, 1, 2, … for this seed."""
        torch.manual_seed(settings.seed)
        self.settings, self.epoch_rows, self.soft = settings, epoch_rows, soft
        self.tokenizer = load_tokenizer(settings.base)
        self.model = load_model(settings.base)
        self.names: list[str] = []
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad = is_trained(name)
            if parameter.requires_grad:
                self.names.append(name)
        weights = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        self.masters = [weight.detach().clone().float().requires_grad_() for weight in weights]
        self.average = [master.detach().clone() for master in self.masters]
        plain = [any(part in name for part in ("bias", "LayerNorm")) for name in self.names]
        groups = [
            {"params": [m for m, p in zip(self.masters, plain, strict=True) if p is flag], "weight_decay": decay}
            for flag, decay in ((False, settings.weight_decay), (True, 0.0))
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.98), fused=True)
        self.model = self.model.to(torch.bfloat16).train()
        self.weights = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        self.epoch = self.batch = self.steps = self.tokens = self.pairs = 0
        self.seconds = 0.0
        self.losses: list[float] = []

    def run(self, folder: Path, log: Callable[[str], None]) -> None:
        """Train until the budget is spent, writing `folder`/checkpoint.pt every few minutes and at the end."""
        if self.tokens >= self.settings.tokens:
            return
        last_save, last_log, begun = time.monotonic(), time.monotonic(), time.monotonic() - self.seconds
        for batch in self._remaining(log):
            loss = self._step(batch)
            self.losses = [*self.losses[-99:], loss]
            now = time.monotonic()
            self.seconds = now - begun
            if now - last_log > 30:
                last_log = now
                mean = sum(self.losses) / len(self.losses)
                log(
                    f"{self.seconds:.0f}s epoch {self.epoch} step {self.steps} tokens {self.tokens} pairs {self.pairs} "
                    f"tokens/s {self.tokens / self.seconds:.0f} loss {mean:.4f}"
                )
            if now - last_save > self.settings.checkpoint_seconds and world()[1] == 0:
                last_save = now
                self.save(folder / "checkpoint.pt")
            if self.tokens >= self.settings.tokens:
                break
        if world()[1] == 0:
            self.save(folder / "checkpoint.pt")

    def _remaining(self, log: Callable[[str], None]) -> Iterator[list[Example]]:
        """The batches from the place reached on, epoch after epoch."""
        while True:
            rows = self.epoch_rows(self.epoch)
            examples = tokenise(rows, self.tokenizer, self.soft)
            log(f"epoch {self.epoch}: {len(rows)} rows, {sum(len(e.ids) for e in examples)} tokens")
            rng = random.Random(f"{self.settings.seed}-{self.epoch}-batches")
            made = batches(examples, self.settings.batch_tokens, rng)
            while self.batch < len(made):
                self.batch += 1
                yield made[self.batch - 1]
            self.epoch, self.batch = self.epoch + 1, 0

    def _step(self, batch: Sequence[Example]) -> float:
        """One optimiser step on `batch`; returns its loss."""
        rate = self.settings.learning_rate * schedule(self.tokens, self.settings.tokens)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        loss = self._gradients(batch)
        nn.utils.clip_grad_norm_(self.masters, 1.0)
        self.optimiser.step()
        decay = min(self.settings.ema, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            torch._foreach_copy_(self.weights, self.masters)
            torch._foreach_lerp_(self.average, self.masters, 1 - decay)
        self.steps += 1
        self.pairs += len(batch)
        self.tokens += sum(len(example.ids) for example in batch)
        return loss

    def _gradients(self, batch: Sequence[Example]) -> float:
        """Fill the masters' gradients with those of the whole batch, every worker doing its share; returns the loss."""
        workers, rank = world()
        share = batch[rank::workers]
        total = torch.zeros(1)
        if share:
            loss = loss_of(forward(self.model, share), share, self.settings.soft_weight) * (len(share) / len(batch))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        parts = [
            torch.zeros_like(master) if weight.grad is None else weight.grad.float()
            for weight, master in zip(self.weights, self.masters, strict=True)
        ]
        for weight in self.weights:
            weight.grad = None
        if workers > 1:
            flat = torch.cat([total, *(part.flatten() for part in parts)])
            torch.distributed.all_reduce(flat)
            total, *pieces = flat.split([1, *(part.numel() for part in parts)])
            parts = [piece.view_as(part) for piece, part in zip(pieces, parts, strict=True)]
        for master, part in zip(self.masters, parts, strict=True):
            master.grad = part
        return float(total.item())

    def save(self, path: Path) -> None:
        """Write everything a later `load` needs, in one rename."""
        path.parent.mkdir(parents=True, exist_ok=True)
        place = {key: getattr(self, key) for key in ("epoch", "batch", "steps", "tokens", "pairs", "seconds", "losses")}
        state: dict[str, Any] = {
            "masters": self.masters, "average": self.average, "optimiser": self.optimiser.state_dict(), "place": place,
        }  # fmt: skip
        torch.save(state, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint of the same settings; only the budget may be another, before its decay begins."""
        state = torch.load(path, weights_only=True)
        with torch.no_grad():
            torch._foreach_copy_(self.masters, state["masters"])
            torch._foreach_copy_(self.average, state["average"])
            torch._foreach_copy_(self.weights, self.masters)
        self.optimiser.load_state_dict(state["optimiser"])
        for key, value in state["place"].items():
            setattr(self, key, value)


def world() -> tuple[int, int]:
    """How many workers train together, and which of them this is."""
    if not torch.distributed.is_initialized():
        return 1, 0
    return torch.distributed.get_world_size(), torch.distributed.get_rank()


def forward(model: nn.Module, batch: Sequence[Example]) -> Tensor:
    """Logits (rows, 3); eager attention is the faster one on short rows, the fused kernel on long ones."""
    config: Any = model.config
    ids, types, mask = padded(batch, config.pad_token_id)
    config._attn_implementation = "eager" if ids.shape[1] <= _EAGER_UP_TO else "sdpa"
    segments = {"token_type_ids": types} if getattr(config, "type_vocab_size", 0) > 1 else {}
    logits: Tensor = model(input_ids=ids, attention_mask=mask, **segments).logits
    return logits


def schedule(tokens: int, budget: int) -> float:
    """Share of the peak learning rate after `tokens`: linear up over `WARM_UP` tokens, level, then linear to 0.

    The budget is felt only in the last `DECAY` of it, so a run may be given a longer or shorter one before that.
    """
    if tokens < WARM_UP:
        return max(1e-3, tokens / WARM_UP)
    return min(1.0, max(0.0, (budget - tokens) / (DECAY * budget)))
