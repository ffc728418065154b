"""A second reader takes claims away, is asked about each once, and adds nothing to what it costs beyond that."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import ingest
from curator.errors import Conflict, ModelError, ProposalError
from curator.models.llm.ledger import SpendingLedger
from curator.models.port import Usage
from curator.models.proposal import Claim
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from support.depth import light_litellm
from support.endpoint import Endpoint
from support.fakes import Killed, ScriptedModel, ScriptedVerifier
from support.wikis import NOW, OOLONG, concept, drop, git, proposal, summary, take_in

GROWN = "Oolong is grown in Fujian and on Taiwan."
TURNED = Claim(text="Oolong is grown by Fujian and Taiwan.", quotes=(GROWN,))
SOUND = Claim(text="Oolong grows on Taiwan.", quotes=(GROWN,))
BREWED = Claim(text="It is brewed with hot water.", quotes=("brewed with water of 90 degrees",))
BOILED = Claim(text="It is brewed with water of 90 degrees.", quotes=("brewed with water of 90 degrees",))
DRAFTED = proposal(summary(), concept(SOUND, TURNED))


def page(root: Path) -> str:
    return (root / "concepts" / "oolong.md").read_text("utf-8")


def weaken(root: Path, grounding: str) -> None:
    """Another grounding for the wiki, in a commit."""
    file = root / "KNOWLEDGE.md"
    file.write_text(file.read_text("utf-8").replace("grounding: required", f"grounding: {grounding}"), "utf-8")
    settings = root / ".git" / "curator" / "curator.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('governance = "trust"\n', "utf-8")
    git(root, "commit", "-qam", "policy")


def test_what_the_reader_does_not_find_goes_back_once_and_is_then_left_out(root: Path, repository: Repository) -> None:
    model, reader = ScriptedModel((DRAFTED,)), ScriptedVerifier({"grown by": "not"})

    outcome = take_in(drop(root), repository, model, verifier=reader)

    assert [fault.code for fault in model.requests[1].faults] == ["reader_not"]
    assert [finding.code for finding in outcome.left_out] == ["reader_not"]
    assert "grows on" in page(root) and "grown by" not in page(root)
    assert "left out: the second reader does not find this stated" in (root / "_log.md").read_text()
    assert "Curator-Verifier: scripted/reader" in git(root, "log", "-1", "--format=%(trailers)")


def test_after_a_repair_only_new_claims_are_read(root: Path, repository: Repository) -> None:
    mended = proposal(summary(), concept(SOUND, BREWED))
    model, reader = ScriptedModel((DRAFTED, mended)), ScriptedVerifier({"grown by": "not"})

    outcome = take_in(drop(root), repository, model, verifier=reader)

    assert reader.asked[1:] == [[BREWED.text]] and len(reader.asked[0]) == 3
    assert outcome.left_out == () and "hot water" in page(root)


def test_claims_that_code_refuses_are_not_read(root: Path, repository: Repository) -> None:
    lie = Claim(text="Oolong cures colds.", quotes=("oolong is known to cure the common cold",))
    reader = ScriptedVerifier()

    take_in(drop(root), repository, ScriptedModel((proposal(summary(), concept(SOUND, lie)),)), verifier=reader)

    assert all(lie.text not in claims for claims in reader.asked)


@pytest.mark.parametrize("grade", ["partly", None])
def test_under_required_grounding_a_claim_in_doubt_is_left_out(root: Path, repository: Repository, grade: Any) -> None:
    reader = ScriptedVerifier({"grown by": grade})

    outcome = take_in(drop(root), repository, ScriptedModel((DRAFTED,)), verifier=reader)

    assert [finding.code for finding in outcome.left_out] == ["reader_partly" if grade else "reader_silent"]
    assert "grown by" not in page(root)


@pytest.mark.parametrize("grounding", ["recommended", "none"])
def test_elsewhere_it_goes_back_once_is_kept_and_the_log_says_so(root: Path, grounding: str) -> None:
    weaken(root, grounding)
    model, reader = ScriptedModel((DRAFTED,)), ScriptedVerifier({"grown by": "partly"})

    with Repository(root) as repository:
        outcome = take_in(drop(root), repository, model, verifier=reader)

    assert len(model.requests) == 2 and outcome.left_out == ()
    assert "grown by" in page(root)
    assert "in doubt in concepts/oolong.md: the second reader finds only a part" in (root / "_log.md").read_text()


def test_not_takes_a_claim_away_whatever_the_grounding(root: Path) -> None:
    weaken(root, "none")

    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((DRAFTED,)), verifier=ScriptedVerifier({"grown by": "not"}))

    assert "grown by" not in page(root)


def test_a_page_of_which_nothing_is_left_is_not_made_and_not_linked(root: Path, repository: Repository) -> None:
    told = Claim(text="Oolong is a tea of Fujian.", quotes=(GROWN,))
    reader = ScriptedVerifier({"grown by": "not"})

    take_in(drop(root), repository, ScriptedModel((proposal(summary(told), concept(TURNED)),)), verifier=reader)

    assert not (root / "concepts" / "oolong.md").exists()
    assert "[[oolong" not in (root / "summaries" / "oolong-notes.md").read_text()


def test_when_nothing_is_left_nothing_is_committed(root: Path, repository: Repository) -> None:
    before = git(root, "rev-parse", "HEAD")

    with pytest.raises(ProposalError, match="nothing is left"):
        take_in(drop(root), repository, ScriptedModel((OOLONG,)), verifier=ScriptedVerifier({"": "not"}))

    assert git(root, "rev-parse", "HEAD") == before


def test_its_cost_is_added(root: Path, repository: Repository) -> None:
    model = ScriptedModel((OOLONG,), usage=Usage(1000, 300, 0.01))

    outcome = take_in(drop(root), repository, model, verifier=ScriptedVerifier(usage=Usage(200, 30, 0.001)))

    assert outcome.reply.usage == Usage(1200, 330, 0.011)


def test_verdicts_survive_the_end_of_the_process_and_are_not_paid_for_twice(root: Path) -> None:
    def die(stage: str) -> None:
        if stage == "committing":
            raise Killed

    model, reader = ScriptedModel((DRAFTED,), usage=Usage(10, 5, 1.0)), ScriptedVerifier({"grown by": "not"})
    with Repository(root) as repository, pytest.raises(Killed):
        take_in(drop(root), repository, model, verifier=reader, on_stage=die)

    with Repository(root) as repository:
        outcome = take_in(drop(root), repository, model, verifier=reader)

    assert len(model.requests) == 2 and len(reader.asked) == 1
    assert "grown by" not in page(root) and [found.code for found in outcome.left_out] == ["reader_not"]


def test_another_reader_reads_for_itself(root: Path) -> None:
    down = ScriptedVerifier(name="other/reader")
    model = ScriptedModel((OOLONG,), usage=Usage(10, 5, 1.0))

    def busy(stage: str) -> None:
        if stage == "committing":
            raise Conflict("branch_busy", "somebody commits", "try again")

    with Repository(root) as repository, pytest.raises(Conflict):
        take_in(drop(root), repository, model, verifier=ScriptedVerifier(), on_stage=busy)
    with Repository(root) as repository:
        take_in(drop(root), repository, model, verifier=down)

    assert len(model.requests) == 1 and len(down.asked) == 1


def test_a_refused_claim_does_not_come_back_when_the_branch_moves(root: Path, repository: Repository) -> None:
    moved: list[str] = []

    def move(stage: str) -> None:
        if stage == "committing" and not moved:
            moved.append(stage)
            (root / "notes.txt").write_text("of the user", "utf-8")
            git(root, "add", "notes.txt")
            git(root, "commit", "-qm", "the user's own")

    reader = ScriptedVerifier({"grown by": "not"})
    take_in(drop(root), repository, ScriptedModel((DRAFTED,)), verifier=reader, on_stage=move)

    assert moved and "grown by" not in page(root) and len(reader.asked) == 1


def test_while_the_reader_is_down_the_source_waits_and_the_answer_is_kept(root: Path) -> None:
    class Down(ScriptedVerifier):
        def verify(self, verification: Any) -> Any:
            raise ModelError("model_unavailable", "connection refused", retryable=True)

    model = ScriptedModel((OOLONG,), usage=Usage(10, 5, 1.0))
    with Repository(root) as repository, pytest.raises(ModelError):
        take_in(drop(root), repository, model, verifier=Down())
    with Repository(root) as repository:
        take_in(drop(root), repository, model, verifier=ScriptedVerifier())

    assert len(model.requests) == 1 and (root / "concepts" / "oolong.md").exists()


def test_a_reader_who_answers_nothing_is_told_and_one_who_has_been_read_is_silent_on_what_is_new(root: Path) -> None:
    mended = proposal(summary(), concept(SOUND, BREWED, BOILED))
    model, mute = ScriptedModel((DRAFTED, mended), usage=Usage(10, 5, 1.0)), ScriptedVerifier({"": None})
    with Repository(root) as repository, pytest.raises(ModelError, match="about 3 claims, gave no answer"):
        take_in(drop(root), repository, model, verifier=mute)
    reader = ScriptedVerifier({"grown by": "not", "brewed": None})
    with Repository(root) as repository:
        outcome = take_in(drop(root), repository, model, verifier=reader)

    assert len(model.requests) == 2 and [len(claims) for claims in reader.asked] == [3, 2]
    assert [finding.code for finding in outcome.left_out] == ["reader_not"], (
        "of two answers the one with less against it"
    )


def test_the_settings_open_a_second_reader_whose_cost_is_booked(root: Path, tmp_path: Path) -> None:
    def answer(request: dict[str, Any]) -> str:
        if request["model"] == "author":
            return DRAFTED.dumps()
        verdicts = [{"claim": n, "lacks": "", "grade": "not" if n == 3 else "stated"} for n in (1, 2, 3)]
        return json.dumps({"verdicts": verdicts})

    with light_litellm(), Endpoint(answer) as endpoint:
        flags = {"model": "openai/author", "api_base": endpoint.url, "verify": "model", "verify_model": "openai/reader"}
        flags |= {"reply_format": "json"}
        environment = {
            "OPENAI_API_KEY": "sk-test",
            "HOME": str(tmp_path),
            "SOURCE_DATE_EPOCH": str(int(NOW.timestamp())),
        }
        settings = Settings(root, environment, flags)
        report = ingest.run(settings, [drop(root)], False, False, lambda _: None)

    (result,) = report.data["results"]
    assert result["status"] == "ingested" and result["verifier"] == "openai/reader"
    assert [request["model"] for request in endpoint.requests] == ["author", "reader", "author"]
    assert "grown by" not in page(root)
    ledger = SpendingLedger(root / ".git" / "curator" / "spend")
    assert ledger.spent("day", datetime.now(UTC)).tokens == 360 and result["tokens"] == {
        "prompt": 300,
        "completion": 60,
    }


def test_a_reader_that_is_not_there_is_told_before_the_author_is_paid(root: Path, tmp_path: Path) -> None:
    def listed(path: str, headers: dict[str, str]) -> tuple[int, Any] | None:
        return (200, {"data": [{"id": "author"}]}) if path == "/v1/models" else None

    with light_litellm(), Endpoint(lambda request: DRAFTED.dumps()) as endpoint:
        endpoint.listing = listed
        flags = {"model": "openai/author", "api_base": endpoint.url, "verify": "model", "verify_model": "openai/judge"}
        environment = {"OPENAI_API_KEY": "sk-test", "HOME": str(tmp_path)}
        report = ingest.run(Settings(root, environment, flags), [drop(root)], False, False, lambda _: None)

    (result,) = report.data["results"]
    assert (result["status"], result["code"], endpoint.requests) == ("parked", "model_not_found", [])
    assert "has no model 'judge'; it has author" in result["reason"]
    assert "choose one of these by curate config set verify_model openai/NAME" in result["next"]
    assert "curate ingest --model openai/author" in result["next"]
