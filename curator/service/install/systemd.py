"""Units for systemd's user manager. What they keep:

- Nothing is writable but the wiki, its git directory and a private /tmp. The home stays readable: git's settings, keys for
  signing and pushing, and often Python itself are there.
- ``PrivateUsers`` is what makes the rest possible: without it a user's manager has no right to build a namespace, and
  leaves all of that out without a word.
- There is no ``SystemCallFilter`` and no ``MemoryDenyWriteExecute``: curator's workers lock themselves in with Landlock and
  seccomp, more tightly than a unit could, and need these calls for it.
- There is no ``UMask``: the user's own holds, so that new pages get the rights that other files of the user have.
"""

from __future__ import annotations

from pathlib import Path

from curator.service.install.checksum import marked
from curator.service.install.plan import InstallPlan, InstallTarget
from curator.system.filenames import printable

_SHARED = ("/tmp", "/var/tmp")  # noqa: S108 (looked at, not written to)
_KEPT = {"\\": "\\\\", '"': '\\"', "%": "%%"}
_USER = ("systemctl", "--user")


def plan(target: InstallTarget) -> InstallPlan:
    """The units of one wiki and the systemctl commands."""
    folder = target.config / "systemd" / "user"
    started = (f"curator-{target.name}.service", f"curator-lint-{target.name}.timer")
    units = {
        started[0]: service(target),
        f"curator-lint-{target.name}.service": lint(target),
        started[1]: timer(target),
    }
    return InstallPlan(
        format="systemd",
        files={folder / name: marked(text) for name, text in units.items()},
        probe=(*_USER, "show", "--property=Version"),
        start=((*_USER, "daemon-reload"), (*_USER, "enable", "--now", *started)),
        restart=((*_USER, "daemon-reload"), (*_USER, "enable", *started), (*_USER, "restart", *started)),
        # One by one: of several, none is stopped when one is gone.
        stop=tuple((*_USER, "disable", "--now", name) for name in started),
        after=((*_USER, "daemon-reload"),),
        logs=f"journalctl --user -u {started[0]}",
    )


def service(target: InstallTarget) -> str:
    """The unit of ``curate watch``."""
    return f"""\
# Made by 'curate service install'. For changes of your own: systemctl --user edit curator-{target.name}
[Unit]
Description=curator keeps the wiki {_described(target.root)} (curate watch)
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
Type=notify
NotifyAccess=main
{_started(target, target.watch)}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=10
WatchdogSec=180
TimeoutStartSec=300
TimeoutStopSec=20
KillMode=mixed

{_hardening(target)}

[Install]
WantedBy=default.target
"""


def lint(target: InstallTarget) -> str:
    """The unit of ``curate lint``, which the timer starts."""
    return f"""\
# Made by 'curate service install'. For changes of your own: systemctl --user edit curator-lint-{target.name}
[Unit]
Description=curator looks after the wiki {_described(target.root)} (curate lint)

[Service]
Type=oneshot
{_started(target, target.lint)}
TimeoutStartSec=3600

{_hardening(target)}
"""


def timer(target: InstallTarget) -> str:
    """Once a day; a day that was slept through is made up for."""
    return f"""\
# Made by 'curate service install'. For changes of your own: systemctl --user edit curator-lint-{target.name}.timer
[Unit]
Description=curator looks after the wiki {_described(target.root)} every night

[Timer]
OnCalendar=daily
RandomizedDelaySec=1h
Persistent=true

[Install]
WantedBy=timers.target
"""


def _started(target: InstallTarget, command: tuple[str, ...]) -> str:
    program, *arguments = command
    # The colon: no $ is a variable, not even in the program's own name, by which Python finds its environment.
    words = [word(f":{program}"), *map(word, arguments)]
    lines = [f"ExecStart={' '.join(words)}"]
    lines += [f"Environment={word(f'{name}={value}')}" for name, value in target.environment.items()]
    lines += ["# Keys of models: KEY=value, a line each, in a file of yours that others cannot read.", _secrets(target)]
    return "\n".join(lines)


def _secrets(target: InstallTarget) -> str:
    if target.moved_config:
        return f"EnvironmentFile=-{str(target.secrets).replace('%', '%%')}"
    return "EnvironmentFile=-%h/.config/curator/environment"


def _hardening(target: InstallTarget) -> str:
    needed = (*target.writable, Path(target.python))
    shares_tmp = any(path.is_relative_to(shared) for path in needed for shared in _SHARED)
    # What is in /tmp would not be seen in a private one.
    private = "PrivateTmp=no\nReadWritePaths=-/tmp -/var/tmp" if shares_tmp else "PrivateTmp=yes"
    return f"""\
PrivateUsers=yes
ProtectSystem=strict
ProtectHome=read-only
{private}
ReadWritePaths={" ".join(word(f"-{path}") for path in target.writable)}
NoNewPrivileges=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
MemoryMax=4G
TasksMax=1024"""


def word(text: str) -> str:
    """One word, as systemd reads commands, environments and lists of paths. Only the first two know C's other escapes."""
    return f'"{"".join(_KEPT.get(c, c) for c in text)}"'


def _described(root: Path) -> str:
    return printable(root).replace("%", "%%")
