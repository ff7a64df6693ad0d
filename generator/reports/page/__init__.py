"""The report as a page: one HTML file that shows what a run or a build holds, and lets people read its records.

    folder ──open──▶ Source ──one pass──▶ Reading (lengths, requests, packed records) ─┐
    summary.json, catalog.json, rejections.jsonl ──tell──▶ sections (facts, tables) ───┤ render ──▶ report.html
    the folder before ──compare──▶ Changes ─────────────────────────────────────────────┘

Whatever is counted already in the summary is taken from it. Records, names and texts are untrusted: the template
escapes them, the page's own script builds nodes and never markup, and the page forbids itself any network.
"""

from __future__ import annotations

from generator.reports.page.writing import write_report

__all__ = ["write_report"]
