"""What goes into a request: headers, the input, and addresses without their secrets."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.errors import UsageError
from transcript_tui.session.redaction import header_secrets, hide, safe_url, url_secrets
from transcript_tui.session.session import Session
from transcript_tui.session.sources.headers import parse_headers, read_header_file
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.session.sources.run_input import build_run_input, read_run_input

# Headers ------------------------------------------------------------------------------------


def test_headers_from_the_command_line() -> None:
    environ = {"KEY": "s3cr3t "}
    lines = ["X-One: 1", "Authorization: env:KEY", "Other:Bearer env:KEY", "Empty:"]
    assert parse_headers(lines, environ) == (
        ("X-One", "1"),
        ("Authorization", "s3cr3t"),
        ("Other", "Bearer s3cr3t"),
        ("Empty", ""),
    )


@pytest.mark.parametrize(
    "line", ["no colon s3cr3t", ": s3cr3t", "na me: s3cr3t", "X: s3cr3t\r\nY: 1"]
)
def test_a_wrong_header_is_said_without_its_value(line: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_headers([line], {})
    assert "s3cr3t" not in str(raised.value) + raised.value.hint


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(UsageError, match="API_KEY, which is not set"):
        parse_headers(["X: env:API_KEY"], {})


def test_header_files(tmp_path: Path) -> None:
    path = tmp_path / "headers"
    path.write_text("# for the agent\n\nX-One: 1\r\nX-Two: env:KEY\n")
    assert read_header_file(path, {"KEY": "k"}) == (("X-One", "1"), ("X-Two", "k"))
    path.write_text("X-One: 1\ns3cr3t\n")
    with pytest.raises(UsageError, match="line 2") as raised:
        read_header_file(path, {})
    assert "s3cr3t" not in str(raised.value)
    with pytest.raises(UsageError, match="There is no header file"):
        read_header_file(tmp_path / "absent", {})
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="UTF-8"):
        read_header_file(path, {})


# The input ----------------------------------------------------------------------------------


def test_what_is_missing_is_filled_in() -> None:
    built = build_run_input(["one", "two"])
    assert built["protocolVersion"] == "1.1"
    assert [message["content"] for message in built["messages"]] == ["one", "two"]
    assert len({message["id"] for message in built["messages"]}) == 2
    for name in ("threadId", "runId"):
        assert built[name] != build_run_input()[name]
    assert {"state", "tools", "context", "forwardedProps"} <= set(built)


def test_what_is_given_stands() -> None:
    given_input = {
        "threadId": "t",
        "runId": "r",
        "state": {"n": 1},
        "extra": True,
        "messages": [
            {"id": "a", "role": "activity", "activityType": "plan", "content": {}},
            {"id": "u", "role": "user", "content": "first"},
        ],
    }
    built = build_run_input(["second"], given_input)
    assert (built["threadId"], built["runId"], built["extra"]) == ("t", "r", True)
    assert [message["content"] for message in built["messages"]] == ["first", "second"]
    assert build_run_input((), given_input, thread="other")["threadId"] == "other"
    assert len(given_input["messages"]) == 2


def test_messages_without_an_id_get_one() -> None:
    read = read_run_input(
        '{"messages": [{"role": "user", "content": "a"}, {"id": "m", "role": 1}]}'
    )
    first, second = read["messages"]
    assert first["id"].startswith("message-")
    assert second["id"] == "m"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON: .* at character 2"),
        ('{\n"a":', "line 2, column 5"),
        ("[]", "not a JSON object"),
        ('{"messages": 7}', "not a list"),
    ],
)
def test_an_input_that_is_none(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read_run_input(text)


def test_what_a_transcript_cannot_hold_is_said_and_sent_all_the_same() -> None:
    odd = {"id": "w", "role": "wizard", "content": "abracadabra"}
    run_input = build_run_input(["hello"], {"messages": [odd]})
    session = Session(HttpSource(HttpRequest(url="http://127.0.0.1:9/", run_input=run_input)))
    assert session.notes == [
        "/messages/0 of the input is left out of the transcript: role 'wizard' is not known."
    ]
    assert run_input["messages"][0] == odd


@given(st.text())
def test_any_text_is_an_input_or_a_sentence(text: str) -> None:
    try:
        assert isinstance(read_run_input(text), dict)
    except UsageError as error:
        assert str(error).endswith((".", ")"))  # noqa: PT017 - either outcome is right


# Addresses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://h/p", "http://h/p"),
        ("https://user:pw@h:8/p?a=1", "https://h:8/p?a=1"),
        ("http://h/?token=x&n=2&API_KEY=y", "http://h/?token=…&n=2&API_KEY=…"),
        (
            "http://h/?X-Amz-Signature=x&sig=y&design=z",
            "http://h/?X-Amz-Signature=…&sig=…&design=z",
        ),
        ("http://h/?client_secret=x&PassWord=y", "http://h/?client_secret=…&PassWord=…"),
        ("http://h/p#access_token=x", "http://h/p"),
        ("http://u:p@[::1", "[::1"),
        ("http://[::1?a=b@c&token=x", "…"),
        ("http://[::1?token=x", "http://[::1"),
        ("http://user:pa?ss@h/", "…"),
        ("http://user:pa/ss@h/", "h/"),
        ("http://h:port/", "http://h:port/"),
    ],
)
def test_addresses_without_secrets(url: str, shown: str) -> None:
    assert safe_url(url) == shown


@given(
    user=st.from_regex(r"[a-z0-9]{8,12}", fullmatch=True),
    name=st.sampled_from(["token", "key", "secret", "password", "sig", "access_token", "apikey"]),
    value=st.from_regex(r"Z[a-z0-9]{8,12}", fullmatch=True),
)
def test_no_secret_survives(user: str, name: str, value: str) -> None:
    shown = safe_url(f"http://{user}:{value}@host/path?a=b&{name}={value}&{name.upper()}={value}")
    assert value not in shown
    assert f"{user}@" not in shown


def test_what_is_secret_of_a_request() -> None:
    sent = (("Authorization", "Bearer sk-12345678"), ("X-Agent", "my assistant"))
    secrets = [
        *header_secrets(sent),
        *url_secrets("http://ada:l%6fvelace@h/?api_key=qu%65ry-key&page=seven77"),
    ]
    assert hide("wrong key sk-12345678 of my assistant", secrets) == "wrong key … of …"
    assert hide("Bearer sk-12345678; Bearer wanted", secrets) == "…; Bearer wanted"
    assert hide("assistant lovelace, query-key, seven77", secrets) == "assistant …, …, seven77"
    assert hide("Basic YWRhOmxvdmVsYWNl", secrets) == "Basic …"


def test_hiding_what_an_answer_echoes() -> None:
    assert hide("you sent s3cr3t!", ["s3cr3t", "!"]) == "you sent …!"
