"""Build the data set every night: this file goes into the folder of Airflow's DAGs."""

from datetime import UTC, datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

BUILD = """/opt/toolgen/.venv/bin/toolgen build toolgen.toml \\
    --log-format json \\
    --metrics /var/lib/prometheus/node-exporter/toolgen_nightly.prom \\
    --on-failure 'curl -fsS -m 20 --data-urlencode "text=exit $TOOLGEN_EXIT_CODE: $TOOLGEN_MESSAGE" "$ALERT_URL"'
"""

with DAG(
    "toolgen_nightly",
    schedule="17 2 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,  # a night that was missed needs no build of its own: the next one holds all that changed
    max_active_runs=1,
) as dag:
    BashOperator(
        task_id="build",
        bash_command=BUILD,
        cwd="/srv/nightly",
        # Airflow keeps the secrets, in connections, and the task has them in its environment alone.
        env={"OPENAI_API_KEY": "{{ conn.openai.password }}", "ALERT_URL": "{{ conn.alerts.password }}"},
        append_env=True,
        skip_on_exit_code=75,  # another build is still at work
        retries=1,  # goes on where the first one ended
        retry_delay=timedelta(minutes=10),
        execution_timeout=timedelta(hours=8),
    )
