"""What stands around the code names what there is: changes, citation, hooks, workflow, container."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
"""What Keep a Changelog has."""


def read(name: str) -> str:
    return (REPOSITORY / name).read_text("utf-8")


def parsed(name: str) -> Any:
    return yaml.safe_load(read(name))


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", read("Makefile"), re.MULTILINE))


def test_the_citation_has_what_its_format_asks_for() -> None:
    cited = parsed("CITATION.cff")
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(cited)
    assert all("name" in author or "family-names" in author for author in cited["authors"])
    assert (cited["title"], cited["version"]) == (PROJECT["name"], PROJECT["version"])
    assert cited["license"] == PROJECT["license"]
    assert cited["date-released"].isoformat() in read("CHANGELOG.md")


def test_the_changes_are_kept_by_version_and_kind() -> None:
    versions = re.findall(r"^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$", read("CHANGELOG.md"), re.MULTILINE)
    assert versions[0] == ("Unreleased", "")
    assert all(date for _, date in versions[1:])
    assert PROJECT["version"] in dict(versions)
    assert set(re.findall(r"^### (.+)$", read("CHANGELOG.md"), re.MULTILINE)) <= KINDS


def test_hooks_are_local_and_call_the_linters_of_make() -> None:
    repositories = parsed(".pre-commit-config.yaml")["repos"]
    assert {one["repo"] for one in repositories} == {"local"}
    called = {hook["entry"].split()[0] for one in repositories for hook in one["hooks"]}
    [lint] = re.findall(r"^LINT = (.*)$", read("Makefile"), re.MULTILINE)
    linters = re.findall(r"\$\(RUN\)/([\w-]+)", lint)
    assert called == {f".venv/bin/{linter}" for linter in linters}


def test_the_workflow_and_the_container_call_make() -> None:
    steps = parsed(".github/workflows/test.yml")["jobs"]["test"]["steps"]
    run = [step["run"] for step in steps if "run" in step]
    assert "make test" in run
    assert 'CMD ["make", "demo"]' in read("Containerfile")
    told = "\n".join([*run, read("Containerfile"), read("CONTRIBUTING.md"), read("README.md")])
    assert set(re.findall(r"\bmake ([a-z]+)(?=[\s`&\"]|$)", told)) <= make_targets()


def test_tests_that_make_names_are_there() -> None:
    named = re.findall(r"tests/\S+\.py", read("Makefile"))

    assert named
    assert [path for path in named if not (REPOSITORY / path).is_file()] == []


@pytest.mark.parametrize("name", ["bug", "proposal"])
def test_issue_templates_ask_something(name: str) -> None:
    template = parsed(f".github/ISSUE_TEMPLATE/{name}.yml")
    assert {"name", "description", "body"} <= set(template)
    assert len({field["id"] for field in template["body"]}) == len(template["body"])
    assert all(field["attributes"]["label"] for field in template["body"])
