"""Keeps the service running: systemd, launchd, cron and containers."""
