"""Hooks of TensorFlow 1: stopping, checkpoints, summaries, logging, losses that are no numbers."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.compat.v1.global_step import get_global_step
from runtime.compat.v1.monitored.session_hooks import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import get_default_graph
from runtime.summaries import messages
from runtime.summaries.file_writer import FileWriter
from runtime.train.saver import Saver

__all__ = [
    "CheckpointSaverHook", "CheckpointSaverListener", "FeedFnHook", "FinalOpsHook",
    "GlobalStepWaiterHook", "LoggingTensorHook", "NanLossDuringTrainingError", "NanTensorHook",
    "SecondOrStepTimer", "StepCounterHook", "StopAtStepHook", "SummarySaverHook",
]  # fmt: skip

LOG = logging.getLogger("runtime")


class NanLossDuringTrainingError(RuntimeError):
    """The loss is no number."""

    def __str__(self) -> str:
        return "NaN loss during training."


class SecondOrStepTimer:
    """Timer that triggers after so many seconds, or so many steps; ValueError for both or none."""

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if (every_secs is None) == (every_steps is None):
            raise ValueError("exactly one of every_secs and every_steps has to be given")
        self._seconds, self._steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Trigger at the next step."""
        self._last_step: int | None = None
        self._last_time = 0.0

    def should_trigger_for_step(self, step: int) -> bool:
        """Return whether the time has come."""
        if self._last_step is None:
            return True
        if step == self._last_step:
            return False
        if self._seconds is not None:
            return time.monotonic() >= self._last_time + self._seconds
        return step >= self._last_step + (self._steps or 1)

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Note that it triggered; return the seconds and steps since the time before."""
        now, before = time.monotonic(), self._last_step
        elapsed = None if before is None else (now - self._last_time, step - before)
        self._last_time, self._last_step = now, step
        return (None, None) if elapsed is None else elapsed

    def last_triggered_step(self) -> int | None:
        """Return the step at which it triggered last."""
        return self._last_step


class _OfGlobalStep(SessionRunHook):
    """Base of hooks that look at the global step in each run."""

    _step: Any = None

    def begin(self) -> None:
        """Find the global step; RuntimeError without one."""
        self._step = get_global_step()
        if self._step is None:
            raise RuntimeError(f"Global step should be created to use {type(self).__name__}.")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Fetch the global step."""
        return SessionRunArgs(self._step)


class StopAtStepHook(_OfGlobalStep):
    """Hook that stops at a global step, ``last_step``, or after ``num_steps`` more."""

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if (num_steps is None) == (last_step is None):
            raise ValueError("exactly one of num_steps and last_step has to be given")
        self._num_steps, self._last_step = num_steps, last_step

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Count from the step at which the first session begins."""
        if self._last_step is None:
            assert self._num_steps is not None
            self._last_step = int(session.run(self._step)) + self._num_steps

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Stop at the step."""
        last = self._last_step or 0
        if run_values.results + 1 >= last and run_context.session.run(self._step) >= last:
            run_context.request_stop()


class CheckpointSaverListener:
    """Base of listeners that a CheckpointSaverHook tells when it saves."""

    def begin(self) -> None:
        """Called once before the session is made."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before a checkpoint is written."""

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Called after one was written; True stops training."""
        return None

    def end(self, session: Any, global_step_value: int) -> None:
        """Called at the end."""


class CheckpointSaverHook(_OfGlobalStep):
    """Hook that saves checkpoints in a folder every so many steps or seconds, and at both ends."""

    def __init__(
        self, checkpoint_dir: str, save_secs: float | None = None, save_steps: int | None = None,
        saver: Saver | None = None, checkpoint_basename: str = "model.ckpt", scaffold: Any = None,
        listeners: Sequence[CheckpointSaverListener] | None = None, save_graph_def: bool = True,
    ) -> None:  # fmt: skip
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._path = os.path.join(os.fspath(checkpoint_dir), checkpoint_basename)
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self._saver, self._scaffold = saver, scaffold
        self._listeners = listeners or ()

    def begin(self) -> None:
        """Find the global step."""
        super().begin()
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Save what training begins with."""
        step = int(session.run(self._step))
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Save when the time has come."""
        if self._timer.should_trigger_for_step(int(run_values.results) + 1):
            step = int(run_context.session.run(self._step))
            if self._timer.should_trigger_for_step(step):
                self._timer.update_last_triggered_step(step)
                if self._save(run_context.session, step):
                    run_context.request_stop()

    def end(self, session: Any) -> None:
        """Save the end of training."""
        step = int(session.run(self._step))
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: int) -> bool:
        """Save; return whether a listener wants to stop."""
        for listener in self._listeners:
            listener.before_save(session, step)
        saver = self._saver or (None if self._scaffold is None else self._scaffold.saver)
        if saver is None:
            savers = get_default_graph().get_collection(GraphKeys.SAVERS)
            if not savers:
                raise RuntimeError("CheckpointSaverHook: there is no saver; pass saver=")
            saver = savers[0]
        saver.save(session, self._path, global_step=step)
        LOG.info("Saved checkpoint for step %d into %s.", step, self._path)
        answers = [listener.after_save(session, step) for listener in self._listeners]
        return any(answers)


class _EveryNSteps(_OfGlobalStep):
    """Base of hooks that do something every so many steps or seconds."""

    def __init__(self, every_n_steps: int | None, every_n_secs: float | None) -> None:
        if every_n_steps is not None and every_n_secs is not None:
            raise ValueError("exactly one of every_n_steps and every_n_secs has to be given")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)


class StepCounterHook(_EveryNSteps):
    """Hook that logs, and writes as a summary, the steps per second."""

    def __init__(
        self, every_n_steps: int | None = 100, every_n_secs: float | None = None,
        output_dir: str | None = None, summary_writer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(every_n_steps, every_n_secs)
        self._folder, self._writer = output_dir, summary_writer

    def begin(self) -> None:
        """Find the global step, and open the folder of summaries."""
        super().begin()
        if self._writer is None and self._folder:
            self._writer = FileWriter(self._folder)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Log the rate when the time has come."""
        step = int(run_values.results)
        if self._timer.should_trigger_for_step(step):
            seconds, steps = self._timer.update_last_triggered_step(step)
            if seconds and steps:
                LOG.info("global_step/sec: %g", steps / seconds)
                if self._writer is not None:
                    rate = messages.simple_content(steps / seconds)
                    self._writer.add_summary(messages.summary_value("global_step/sec", rate), step)

    def end(self, session: Any) -> None:
        """Write what was not written yet."""
        if self._writer is not None:
            self._writer.flush()


class SummarySaverHook(_EveryNSteps):
    """Hook that writes summaries every so many steps or seconds."""

    def __init__(
        self, save_steps: int | None = None, save_secs: float | None = None,
        output_dir: str | None = None, summary_writer: Any = None, scaffold: Any = None,
        summary_op: Any = None,
    ) -> None:  # fmt: skip
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        super().__init__(save_steps, save_secs)
        self._folder, self._writer = output_dir, summary_writer
        self._scaffold, self._op = scaffold, summary_op
        self._asked = False

    def begin(self) -> None:
        """Find the global step, and open the folder of summaries."""
        super().begin()
        if self._writer is None and self._folder:
            self._writer = FileWriter(self._folder)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Fetch the summaries when the time has come."""
        op = self._op if self._scaffold is None else self._scaffold.summary_op
        last = self._timer.last_triggered_step()
        step = 0 if last is None else self._next
        self._asked = op is not None and self._timer.should_trigger_for_step(step)
        return SessionRunArgs({"step": self._step, **({"summary": op} if self._asked else {})})

    _next = 0

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Write the summaries."""
        step = int(run_values.results["step"])
        if self._asked and self._writer is not None:
            summary = run_values.results["summary"]
            for item in summary if isinstance(summary, list) else [summary]:
                self._writer.add_summary(item, step)
        if self._asked:
            self._timer.update_last_triggered_step(step)
        self._next = step + 1

    def end(self, session: Any) -> None:
        """Write what was not written yet."""
        if self._writer is not None:
            self._writer.flush()


class LoggingTensorHook(SessionRunHook):
    """Hook that logs tensors every so many runs or seconds, or at the end."""

    def __init__(
        self, tensors: Any, every_n_iter: int | None = None, every_n_secs: float | None = None,
        at_end: bool = False, formatter: Callable[[dict[str, Any]], str] | None = None,
    ) -> None:  # fmt: skip
        if not at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs "
                             "must be provided.")  # fmt: skip
        named = isinstance(tensors, Mapping)
        self._tensors = dict(tensors) if named else {_tag(tensor): tensor for tensor in tensors}
        ends_only = every_n_iter is None and every_n_secs is None
        self._timer = None if ends_only else SecondOrStepTimer(every_n_secs, every_n_iter)
        self._at_end, self._formatter = at_end, formatter
        self._runs = 0

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Fetch the tensors when the time has come."""
        self._asked = self._timer is not None and self._timer.should_trigger_for_step(self._runs)
        return SessionRunArgs(self._tensors) if self._asked else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Log their values."""
        if self._asked and self._timer is not None:
            seconds, _ = self._timer.update_last_triggered_step(self._runs)
            self._log(run_values.results, seconds)
        self._runs += 1

    def end(self, session: Any) -> None:
        """Log the last values."""
        if self._at_end:
            self._log(session.run(self._tensors), None)

    def _log(self, values: dict[str, Any], seconds: float | None) -> None:
        if self._formatter is not None:
            LOG.info("%s", self._formatter(values))
            return
        text = ", ".join(f"{name} = {value}" for name, value in values.items())
        LOG.info("%s%s", text, "" if seconds is None else f" ({seconds:.3f} sec)")


def _tag(tensor: Any) -> str:
    return tensor if isinstance(tensor, str) else str(tensor.name)


class NanTensorHook(SessionRunHook):
    """Hook that stops when a loss is no number; by default with an exception."""

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss, self._fails = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Fetch the loss."""
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Stop, or raise NanLossDuringTrainingError."""
        if np.isnan(run_values.results):
            if self._fails:
                raise NanLossDuringTrainingError
            run_context.request_stop()


class FinalOpsHook(SessionRunHook):
    """Hook that runs something at the end; ``final_ops_values`` are the results."""

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._ops, self._feeds = final_ops, final_ops_feed_dict
        self.final_ops_values: Any = None

    def end(self, session: Any) -> None:
        """Run it."""
        if self._ops is not None:
            self.final_ops_values = session.run(self._ops, self._feeds)


class FeedFnHook(SessionRunHook):
    """Hook that feeds what a function returns."""

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self._function = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Feed."""
        return SessionRunArgs(None, self._function())


class GlobalStepWaiterHook(_OfGlobalStep):
    """Hook that waits until other workers have reached a global step."""

    def __init__(self, wait_until_step: int) -> None:
        self._until = wait_until_step

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Wait."""
        while self._until > 0 and run_context.session.run(self._step) < self._until:
            time.sleep(0.5)
        self._until = 0
        return None
