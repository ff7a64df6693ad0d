"""Make the parts of a data set as mapped tasks, then join them: this file goes into the folder of Airflow's DAGs."""

from datetime import UTC, datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

COUNT, PARTS = 100_000, 10
PART = """/opt/toolgen/.venv/bin/toolgen generate --job toolgen.toml --count "$COUNT" --range "$RANGE" \\
    --out "parts/$PART" --log-format json
"""
MERGE = "/opt/toolgen/.venv/bin/toolgen merge parts/* -o runs/whole --log-format json"
RANGES = [f"{COUNT * part // PARTS}:{COUNT * (part + 1) // PARTS}" for part in range(PARTS)]

with DAG(
    "toolgen_ranges",
    schedule=None,
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
) as dag:
    parts = BashOperator.partial(
        task_id="part",
        bash_command=PART,
        cwd="/srv/nightly",
        append_env=True,
        retries=3,  # each goes on where the last one ended
        retry_delay=timedelta(minutes=2),
    ).expand(env=[{"COUNT": str(COUNT), "RANGE": each, "PART": str(part)} for part, each in enumerate(RANGES)])
    merge = BashOperator(
        task_id="merge",
        bash_command=MERGE,
        cwd="/srv/nightly",
        retries=3,
        retry_delay=timedelta(minutes=2),
    )
    parts >> merge
