"""Runs the environment of generator.grading.verifiers over a file of records, against the server that is named.

Prints the rewards, metrics and errors of each task as a line of JSON. Started by a Python that has `verifiers`.
"""

from __future__ import annotations

import asyncio
import json
import sys

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import load_environment

PACKAGE = "record_environment"


async def main(records: str, base_url: str) -> None:
    agent = {"harness": {"id": PACKAGE}, "runtime": {"type": "subprocess"}}
    config = vf.SingleAgentEnvConfig.model_validate({"taskset": {"id": PACKAGE, "records": records}, "agent": agent})
    environment = load_environment(config)
    client = vf.EvalClientConfig(base_url=base_url, api_key_var="SCRIPTED_KEY")
    context = vf.ModelContext(model="scripted", client=client, sampling=vf.SamplingConfig())
    async with environment.serving():
        for task in environment.taskset:
            episode = await environment.run_episode(task, context)
            (trace,) = episode.traces
            errors = [str(error) for error in [*episode.errors, *trace.errors]]
            told = {"name": task.data.name, "reward": trace.reward, "metrics": trace.metrics, "errors": errors}
            print("TASK", json.dumps(told), flush=True)


asyncio.run(main(*sys.argv[1:]))
