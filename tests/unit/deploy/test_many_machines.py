"""What `deploy/` says of an arena on many machines is what the programs take: names, commands, paths."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from arena.core.folder import DataFolder
from arena.submissions.batches import MAX_BATCH_BYTES
from arena.supervisor.joining import CHECKER, HOME, MORE_QUEUES, PROGRAMS, SLOT, UNITS, USER
from arena.supervisor.plans import CHECKER_QUEUES, WORKER_QUEUES, Setup, plan_setup, plans
from arena.web.api.routes.watching import router
from arena.web.http.body_sizes import BATCH_FORM_BYTES
from workers.core.settings import WorkerSettings, known_names
from workers.programs.serving import KINDS, REPEATS, SOLVES, TRAININGS

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
OF_COMPOSE = {"ARENA_IMAGE", "ARENA_DOMAIN"}
"""What `compose.yaml` itself is told, and no process of ours."""
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
"""Which Python Debian's releases have."""
SERVER = "arena.web.server"
PREPARED = ("arena.supervisor.prepare", "--workers-elsewhere")


def _texts() -> Iterator[tuple[Path, str]]:
    for path in sorted(p for p in (*DEPLOY.rglob("*"), *UNITS.iterdir()) if p.is_file()):
        if path.suffix not in {".pyc", ".py"} and "secrets" not in path.parts:
            yield path, path.read_text(encoding="utf-8")


COMPOSE = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text(encoding="utf-8"))
OURS = {name: each for name, each in COMPOSE["services"].items() if "bot-arena" in each["image"]}
MANIFESTS = [
    document
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    for document in yaml.safe_load_all(path.read_text(encoding="utf-8"))
]
PODS = {
    document["metadata"]["name"]: document["spec"]["template"]
    for document in MANIFESTS
    if document["kind"] in {"Deployment", "Job"}
}


def _unit(name: str) -> list[tuple[str, str]]:
    lines = (UNITS / name).read_text(encoding="utf-8").splitlines()
    return [(key, value) for key, sign, value in (line.partition("=") for line in lines) if sign]


def _values(unit: str, key: str) -> list[str]:
    return [value for name, value in _unit(unit) if name == key]


def _commands() -> dict[str, list[str]]:
    """Every command that starts a process of ours, by where it stands."""
    found = {f"unit {p.name}": _values(p.name, "ExecStart") for p in UNITS.glob("*.service")}
    return {
        **{name: shlex.split(command) for name, (command,) in found.items()},
        **{
            f"compose {name}": shlex.split(each["command"])
            for name, each in OURS.items()
            if "command" in each
        },
        **{f"pod {name}": pod["spec"]["containers"][0]["args"] for name, pod in PODS.items()},
    }


def _meant(command: list[str]) -> tuple[str, ...]:
    """A command without what belongs to its place: the interpreter, the address, the process's name."""
    rest = command[command.index("-m") + 1 :]
    if rest[0] == SERVER:
        return (SERVER,)
    if "-n" in rest:
        del rest[rest.index("-n") : rest.index("-n") + 2]
    return tuple(_as_trusted(word) for word in rest)


def _as_trusted(queues: str) -> str:
    """What a unit's process takes on a trusted host; another word as it is."""
    stem, more, _ = queues.partition(f"${{{MORE_QUEUES}}}")
    return ",".join(sorted([*stem.split(","), REPEATS, SOLVES, TRAININGS])) if more else queues


def _planned(setup: Setup) -> set[tuple[str, ...]]:
    """What `arena up` starts."""
    return {_meant(list(plan.command)) for plan in plans(setup)}


COMMANDS = _commands()


@pytest.mark.parametrize("place", COMMANDS)
def test_commands_are_those_of_the_supervisor(place: str, tmp_path: Path) -> None:
    """Whatever starts a process starts it as `arena up` does, or prepares the database."""
    setup = plan_setup(DataFolder(tmp_path), "127.0.0.1", 8080, 2, {"ARENA_BROKER_URL": "redis://h/0"})
    known = _planned(setup) | {PREPARED}
    assert _meant(COMMANDS[place]) in known
    assert importlib.util.find_spec(_meant(COMMANDS[place])[0]) is not None


@pytest.mark.parametrize("places", ["unit", "compose", "pod"])
def test_every_kind_of_process_is_there(places: str, tmp_path: Path) -> None:
    """Nothing that an arena needs is left out; a laboratory's database is prepared by hand."""
    setup = plan_setup(DataFolder(tmp_path), "127.0.0.1", 8080, 1, {"ARENA_BROKER_URL": "redis://h/0"})
    wanted = _planned(setup)
    if places != "unit":
        wanted.add(PREPARED)
    assert {_meant(each) for place, each in COMMANDS.items() if place.startswith(places)} == wanted


def test_every_variable_is_a_setting() -> None:
    """A slip would keep the process from starting."""
    known = {f"ARENA_{name.upper()}" for name in known_names()} | OF_COMPOSE
    named = {(path.name, name) for path, text in _texts() for name in re.findall(r"\bARENA_[A-Z_]+\b", text)}
    assert {each for each in named if each[1] not in known} == set()
    assert len(named) > 20


def test_containers_have_the_secrets_that_they_look_for() -> None:
    """Each file that a variable names is given to that service, and each secret has a file."""
    for name, service in COMPOSE["services"].items():
        given = set(service.get("secrets", ()))
        values = [*service.get("environment", {}).values(), *service.get("command", ())]
        looked_for = {found for value in values for found in re.findall(r"/run/secrets/([\w-]+)", str(value))}
        assert looked_for <= given, name
        assert given <= COMPOSE["secrets"].keys(), name


def test_workers_have_nothing_of_the_trusted_side() -> None:
    """Neither the database's address nor the signing key nor another role of the broker."""
    allowed = {f"ARENA_{name.upper()}" for name in WorkerSettings.model_fields} | {"ARENA_BROKER_URL_FILE"}
    for name in ("worker-1", "worker-2", "checker"):
        assert OURS[name]["environment"].keys() <= allowed
        assert OURS[name]["secrets"] == ["broker-worker-url"]
        assert OURS[name]["networks"] == ["work"]
    for name in ("workers", "checkers"):
        spec = PODS[name]["spec"]
        sources = {key: each for part in spec["containers"][0]["envFrom"] for key, each in part.items()}
        assert (sources["configMapRef"]["name"], sources["secretRef"]["name"]) == ("settings", "worker-store")
        secrets = {each["secret"]["secretName"] for each in spec["volumes"] if "secret" in each}
        assert secrets == {"worker-broker", "worker-keys"}


def test_workers_do_not_reach_the_api() -> None:
    """It believes whoever reaches it as to where they come from: they share networks with others only."""
    common = {*OURS["worker-1"]["networks"], *OURS["environment"]["networks"]}
    trusted = ("prepare", "api-1", "api-2", "coordinator", "recorder", "courier", "proxy", "database")
    for name in trusted:
        assert not common & set(COMPOSE["services"][name]["networks"]), name
    for name in ("broker", "store"):
        both = set(COMPOSE["services"][name]["networks"])
        assert all(both & set(OURS[each]["networks"]) for each in OURS.keys() - {"join", "environment"}), name
    (rules,) = [each["spec"]["egress"] for each in _policies() if each["metadata"]["name"] == "workers"]
    assert [port["port"] for rule in rules for port in rule["ports"]] == [6379, 9000]


def _policies() -> list[dict[str, Any]]:
    return [each for each in MANIFESTS if each["kind"] == "NetworkPolicy"]


def test_who_joins_asks_the_api_from_its_own_machine() -> None:
    """What it is told is for nobody else to read; it joins by the name that the workers have."""
    join = OURS["join"]
    listened = OURS["api-1"]["command"].split()[-1]
    assert join["network_mode"] == "service:api-1"
    assert join["environment"] == {"ARENA_URL": f"http://127.0.0.1:{listened}"}
    assert join["entrypoint"][-2:] == ["--host", OURS["worker-1"]["hostname"]]
    assert "hostname" not in join


def test_the_ingress_takes_what_the_api_takes() -> None:
    """The ingress lets through exactly the largest upload of a class that the API takes."""
    (ingress,) = [each for each in MANIFESTS if each["kind"] == "Ingress"]
    taken = ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"]
    assert re.fullmatch(r"\d+m", taken)
    assert int(taken[:-1]) * 2**20 == MAX_BATCH_BYTES + BATCH_FORM_BYTES


def test_no_secrets_are_committed_by_mistake() -> None:
    """Neither those that there are nor such as were broken off while they were made."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    (template,) = re.findall(r"mktemp -d \./(\S+)\)", (DEPLOY / "compose" / "make-secrets.sh").read_text())
    for folder in ("secrets", template):
        assert any(fnmatch(f"/deploy/compose/{folder}/", line) for line in ignored)


def test_containers_may_do_nothing() -> None:
    """All run as an ordinary user on a file system that is only read, without capabilities."""
    for service in OURS.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
    for pod in PODS.values():
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        assert pod["spec"]["automountServiceAccountToken"] is False
        (container,) = pod["spec"]["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
    assert re.search(r"^USER 10001:10001$", _containerfile(), re.MULTILINE)


def _containerfile() -> str:
    return (DEPLOY / "containers" / "Containerfile").read_text(encoding="utf-8")


def test_the_image_s_python_is_one_of_ours() -> None:
    """And it is built with the uv that the house is built with."""
    release = re.search(r"^ARG BASE=docker.io/library/debian:(\w+)-slim$", _containerfile(), re.MULTILINE)
    assert release
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert PYTHONS[release[1]] in SpecifierSet(project["requires-python"])
    (version,) = re.findall(r"uv==[\d.]+", _containerfile())
    assert version in (DEPLOY / "bootstrap.sh").read_text(encoding="utf-8")


def test_a_release_has_one_number() -> None:
    """Both wheels, which want each other's, the images' tags, and what is to be cited, with its date."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tags = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())["images"]
    assert [each["newTag"] for each in tags] == [project["version"]]
    other = tomllib.loads((DEPLOY / "server" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (other["version"], other["dependencies"]) == (
        project["version"],
        [f"bot-arena=={project['version']}"],
    )
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    assert {line for line in extras if line.startswith("bot-arena-server")} == {
        f"bot-arena-server=={project['version']}"
    }
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {cited['version']} · {cited['date-released']}\n" in changes
    assert cited["version"] == project["version"]


def test_environments_are_where_workers_look_for_them() -> None:
    """The component gives them the image's folder to read, and the one job that builds there to write."""
    folder = DEPLOY / "kubernetes" / "environments"
    component = yaml.safe_load((folder / "kustomization.yaml").read_text())
    assert {each["target"]["name"] for each in component["patches"]} == {"workers", "checkers"} <= PODS.keys()
    volume, mount = (each["value"] for each in yaml.safe_load((folder / "mount.yaml").read_text()))
    claim, builder, policy = yaml.safe_load_all((folder / "volume.yaml").read_text())
    assert f"-m 0755 {mount['mountPath']}" in (DEPLOY / "containers" / "Containerfile").read_text()
    assert mount["readOnly"] is volume["persistentVolumeClaim"]["readOnly"] is True
    assert volume["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    template = builder["spec"]["jobTemplate"]["spec"]["template"]
    pod, (container,) = template["spec"], template["spec"]["containers"]
    written = {each["mountPath"] for each in container["volumeMounts"] if not each.get("readOnly")}
    assert mount["mountPath"] in written
    workers = PODS["workers"]["spec"]
    assert pod["securityContext"] == workers["securityContext"]
    assert container["securityContext"] == workers["containers"][0]["securityContext"]
    assert policy["spec"]["podSelector"]["matchLabels"] == template["metadata"]["labels"]


def test_bubblewrap_may_make_its_namespaces() -> None:
    """The profile allows what it calls, and what reaches into other processes or the kernel stays refused."""
    profile = json.loads((DEPLOY / "containers" / "seccomp.json").read_text(encoding="utf-8"))
    always = {name for rule in profile["syscalls"] for name in rule["names"] if _allows(rule)}
    assert {"clone", "unshare", "mount", "umount2", "pivot_root", "sethostname", "seccomp"} <= always
    refused = {
        "ptrace",
        "bpf",
        "keyctl",
        "init_module",
        "setns",
        "perf_event_open",
        "io_uring_setup",
        "reboot",
    }
    assert not refused & always
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"


def _allows(rule: dict[str, Any]) -> bool:
    return rule["action"] == "SCMP_ACT_ALLOW" and "args" not in rule


def test_probes_ask_routes_at_the_port_that_is_listened_on() -> None:
    """Kubernetes, the proxy and compose ask addresses that there are, and figures stay inside."""
    routes = {route.path for route in router.routes if hasattr(route, "path")}
    (container,) = PODS["api"]["spec"]["containers"]
    (port,) = container["ports"]
    asked = [container[kind]["httpGet"] for kind in ("startupProbe", "readinessProbe", "livenessProbe")]
    assert {each["path"] for each in asked} == {"/healthz", "/readyz"} < routes
    assert {each["port"] for each in asked} == {port["name"]}
    listened = container["args"][-1]
    caddy = (DEPLOY / "compose" / "Caddyfile").read_text(encoding="utf-8")
    assert int(listened) == port["containerPort"]
    assert re.findall(r"health_uri (\S+)", caddy) == ["/healthz"]
    assert f"reverse_proxy api-1:{listened} api-2:{listened} " in caddy
    assert "respond @figures 404" in caddy
    assert "/metrics" in routes


def test_what_manifests_refer_to_is_there() -> None:
    """Selectors find pods, targets and settings exist, and secrets are those that the documents have made."""
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    for document in MANIFESTS:
        spec = document.get("spec", {})
        selector = spec.get("podSelector") or spec.get("selector")
        if not selector or document["kind"] == "Deployment":
            continue
        wanted = selector.get("matchLabels", {} if "matchExpressions" in selector else selector)
        assert any(wanted.items() <= each.items() for each in labels), document
        for each in selector.get("matchExpressions", ()):
            assert set(each["values"]) <= {label[each["key"]] for label in labels}
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in MANIFESTS if each["kind"] == "ScaledObject"}
    assert scaled == {"workers", "checkers"}
    maps = {each["metadata"]["name"] for each in MANIFESTS if each["kind"] == "ConfigMap"}
    document = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    for pod in PODS.values():
        text = json.dumps(pod)
        assert set(re.findall(r'"configMapRef": {"name": "([\w-]+)"', text)) <= maps
        for secret in re.findall(r'(?:"secretName"|"secretRef": {"name"): "([\w-]+)"', text):
            assert f"create secret generic {secret} " in document


def test_units_are_those_that_joining_installs() -> None:
    """They run as the user that is made, where the keys are, and are allowed to shut bots in."""
    for name in (SLOT, CHECKER):
        assert _values(name, "User") == [USER]
        assert _values(name, "WorkingDirectory") == [str(HOME)]
        assert WorkerSettings.model_fields["key_dir"].default == HOME
        (namespaces,) = _values(name, "RestrictNamespaces")
        assert {"user", "mnt", "pid", "net"} <= set(namespaces.split())
        assert _values(name, "ExecStart")[0].startswith(PROGRAMS)
        (patience,) = _values(name, "TimeoutStopSec")
        assert int(patience) > WorkerSettings.model_fields["drain_seconds"].default


def test_roles_of_the_broker_are_its_users() -> None:
    """Each address of the compose file and of the units is that of a user with rights."""
    lines = (DEPLOY / "redis" / "users.acl").read_text(encoding="utf-8").splitlines()
    users = {line.split()[1] for line in lines if line.startswith("user ")} - {"default"}
    roles = {re.sub("^broker-|-url$", "", name) for name in COMPOSE["secrets"] if name.startswith("broker-")}
    assert roles == users
    loaded = [value for unit in UNITS.glob("*.service") for value in _values(unit.name, "LoadCredential")]
    assert {Path(each).name.removesuffix("-url") for each in loaded if each.startswith("broker-url:")} < users
    secrets = {each for pod in PODS.values() for each in re.findall(r'"(\w+)-broker"', json.dumps(pod))}
    assert secrets == users


@pytest.mark.parametrize("queue", KINDS)
def test_every_role_may_reach_every_queue(queue: str) -> None:
    """Also those that came later; of each there is who takes from it."""
    assert queue in {*WORKER_QUEUES.split(","), *CHECKER_QUEUES.split(",")}
    lines = (DEPLOY / "redis" / "users.acl").read_text(encoding="utf-8").splitlines()
    rights = {line.split()[1]: line for line in lines if line.startswith("user ")}
    assert [role for role, line in rights.items() if f" ~{queue}*" not in line] == ["default"]


def test_workers_can_be_upgraded_last() -> None:
    """Nothing but what runs bots has the label by which an upgrade leaves it out at first."""
    named = [each["metadata"] for each in MANIFESTS if "metadata" in each]
    assert {each["name"] for each in named if "upgraded" in each.get("labels", {})} == {"workers", "checkers"}
