"""toolgen generates tool-calling training sets of which every record passed the full validator.

    tool files ──load──▶ Tool, Catalog ──plan──▶ Scenario ──draft──▶ Draft ──results──▶ ToolResult
      (formats)            (tools)      (scenarios)  ▲   (authors)        (results, values)   │
     job.toml ─────────────▶ Job ────────────────────┘                                        ▼
     exports ◀──dump── run store ◀──add── Record (valid) ◀──check── Record ◀──assemble────────┘
     (formats)          (runs)      └─▶ Rejection (reasons)   (validation)      (assembly)
"""
