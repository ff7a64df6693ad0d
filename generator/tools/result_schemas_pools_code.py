"""Kinds of text of code hosting and of devices, as the pools of derived result schemas."""

from __future__ import annotations

from generator.jsontext import JsonObject

CODE_TEXTS: dict[str, str] = {
    "user_status": "active",
    "work_team": "Platform|Design|Data|Support|Mobile|Infrastructure",
    "repository_note": "A small web application for team planning|Command line tool for log files|"
    "Documentation and guides|Shared components for web pages|Scripts that load and clean data|"
    "Client library for the public API",
    "gist_note": "Snippet for parsing dates|Notes from the workshop|Example configuration|Shell aliases|"
    "Regular expressions I keep forgetting",
    "release_name": "Bug fixes and small improvements|Faster search|New settings page|Security update|Spring release",
    "wifi_name": "HomeNet|Office-Guest|Library WiFi|CoffeeSpot|Studio-5G",
    "sim_status": "active|locked|missing",
    "app_status": "running|stopped|in the background",
    "app_name": "messages|calendar|maps|camera|browser|music",
    "permission_name": "camera|location|contacts|storage|microphone|phone",
    "apn_name": "internet|mobile.web|data.plan",
    "network_mode": "4G preferred|5G preferred|3G only|4G and 5G",
    "service_status": "operational|degraded|under maintenance",
    "flight_status": "scheduled|on time|delayed|boarding|landed",
    "request_status": "approved|denied|under review",
    "closure_reason": "annual fee too high|no longer used|moved to another bank|better offer elsewhere",
    "finding_rule": "SQL query built from user input|Hard-coded credentials|Unused variable|Unvalidated redirect|"
    "Missing error check|Cross-site scripting",
    "package_name": "lodash|requests|minimist|urllib3|express|pillow",
    "file_text": "# Getting started\n\nInstall the dependencies and run the tests.\n|"
    "import sys\n\nprint(sys.version)\n|name,city\nAda,London\nMarie,Paris\n|debug: false\nport: 8080\n",
    "issue_type": "Bug|Feature|Task|Question",
    "issue_field": "Priority|Effort|Target date|Status|Iteration",
    "field_type": "text|number|date|single_select|iteration",
    "discussion_category": "General|Ideas|Q&A|Show and tell|Announcements",
    "run_status": "completed",
    "run_conclusion": "success|failure|cancelled",
    "artifact_name": "coverage-report|build-linux|test-results|docs-site",
    "project_item": "Redesign the start page|Fix the import of old files|Write the migration guide|Add a dark theme",
    "task_state": "Todo|In Progress|Done",
    "view_name": "Backlog|Board|Roadmap|Current sprint",
    "view_layout": "table|board|roadmap",
    "project_health": "ON_TRACK|AT_RISK|OFF_TRACK|COMPLETE",
    "log_level": "info|warning|error",
    "log_line": "Checkout finished|Installing dependencies|Running tests|Upload of the report finished|Cache restored",
    "tool_name": "update_address|order_replacement_card|request_limit_increase|close_account|dispute_transaction",
    "tool_note": "Available after the identity was verified|Can be used once per case|Needs the account number",
    "alert_title": "CPU usage is high|Disk space is running low|Unusual sign-in attempt|Payment failed|"
    "Backup did not finish",
    "weather_alert": "Strong wind warning|Heavy rain warning|Thunderstorm watch|Flood watch|Fog advisory",
    "quality_alert": "Surface scratches above tolerance|Weight below specification|Label printed wrong|Seal not tight",
    "notification_title": "Your review was requested|New comment on your issue|The build has finished|"
    "You were mentioned in a discussion|A pull request was merged",
    "console_line": "Page loaded|Failed to load resource: the server responded with a status of 404|"
    "Deprecated API is used|Form validated|Request finished in 212 ms",
    "console_level": "info|warning|error",
    "request_url": "https://www.example.com/api/items|https://www.example.com/styles/site.css|"
    "https://www.example.com/scripts/main.js|https://www.example.com/images/logo.png",
    "request_method": "GET|POST",
    "element_text": "Sign in|Search|Add to cart|Next page|Save changes",
    "milestone_title": "Version 2.0|Spring release|Beta|Stability",
    "check_state": "success|failure|pending",
    "sunrise_time": "05:42|06:15|06:58|07:31",
    "sunset_time": "16:48|17:55|19:20|20:41",
    "recipe_step": "Chop the vegetables|Heat the oil in a large pan|Season with salt and pepper|"
    "Simmer for 20 minutes|Bake until golden|Serve warm",
    "analysis_summary": "No unusual patterns were found.|Most values lie in the expected range.|"
    "The overall result is positive, with two points to watch.|There is a clear trend and little noise.",
    "leader_role": "king|president|prime minister|general|governor",
    "show_time": "14:15|16:30|17:45|19:00|20:15|21:30",
    "web_snippet": "An overview with examples and further links.|Background, figures and answers to common questions.|"
    "What experts say and what it means in practice.",
    "pdf_path": "page.pdf|output/page.pdf",
    "locator": "getByRole('button')|getByLabel('Email')|getByText('Sign in')|getByPlaceholder('Search')",
    "evaluated": "true|complete|12|Example Domain",
}
CODE_POOLS: dict[str, JsonObject] = {
    "hex_id": {"type": "string", "description": "Identifier", "pattern": "^[0-9a-f]{20}$"},
    "ghsa_id": {
        "type": "string",
        "description": "Id of the advisory",
        "pattern": "^GHSA-[2-9c-hjmp-rv-x]{4}-[2-9c-hjmp-rv-x]{4}-[2-9c-hjmp-rv-x]{4}$",
    },
    "download_speed": {"type": "number", "minimum": 40, "maximum": 480},
    "upload_speed": {"type": "number", "minimum": 5, "maximum": 35},
    "repository_stars": {"type": "integer", "description": "Users who starred it", "minimum": 12, "maximum": 5400},
    "seat_price": {"type": "number", "minimum": 8, "maximum": 22},
    "link_url": {"type": "string", "format": "uri", "pattern": r"^https://www\.example\.com/r/[a-z0-9]{8}$"},
    "card_expiry": {
        "type": "string",
        "description": "Month and year, MM/YY",
        "pattern": "^(0[1-9]|1[0-2])/(2[7-9]|30)$",
    },
    "data_used": {"type": "number", "description": "Data used", "minimum": 0.4, "maximum": 9.5, "multipleOf": 0.1},
    "data_limit": {"type": "integer", "enum": [10, 20, 50]},
    "credit_limit": {"type": "integer", "enum": [1000, 2000, 3000, 5000]},
    "credit_limit_raised": {"type": "integer", "enum": [6000, 7500, 10000]},
    "team_text": {"type": "string", "description": "Name of the sports team"},
    "verified": {"type": "boolean"},
    "http_status": {"type": "integer", "enum": [200, 204, 304, 404]},
}
"""Schemas of kinds that are no closed list of texts."""

CODE_TITLES: dict[str, str] = {
    "alert": "alert_title", "weather alert": "weather_alert", "quality alert": "quality_alert",
    "notification": "notification_title", "sub issue": "issue_title",
}  # fmt: skip
"""Which pool the bare `name` or `title` of a thing is taken from."""
