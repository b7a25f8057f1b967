"""Every way an endpoint can answer, or not, over real sockets: GET and POST alike."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import re
import socket
import ssl
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.clock import FakeClock
from tests.session.loopback import (
    EVENTS,
    FRAMES,
    STREAM,
    Asked,
    answering,
    chunk,
    ending_of,
    head,
    in_turn,
    reset,
    says,
    session_for,
    stalls,
    text_of,
    until,
)
from transcript_tui.errors import AnswerRefused, ConnectionFailed, FileUnreadable, UsageError
from transcript_tui.session.session import Session
from transcript_tui.session.sources.http import PATIENCE, HttpRequest, HttpSource, _backoff

BOTH = pytest.mark.parametrize("method", ["GET", "POST"])
RECORDED = pytest.mark.parametrize("recorded", [False, True])


def recording(session: Session, recorded: bool, tmp_path: Path) -> Path | None:
    if not recorded:
        return None
    path = tmp_path / "run.sse"
    session.record(path)
    return path


def recorded_payloads(path: Path) -> list[bytes]:
    from transcript_tui.wire import Frame, open_reader

    reader = open_reader()
    pieces = [*reader.feed(path.read_bytes()), *reader.end()]
    return [piece.payload for piece in pieces if isinstance(piece, Frame)]


def check_recording(session: Session, path: Path | None) -> None:
    """The recording equals what arrived; there is none where nothing answered with events."""
    if path is None:
        return
    assert session.recorder is not None
    assert session.recorder.state == "done"
    if not session.opened:
        assert not path.exists()
        return
    held = [session.tape.payload(number) for number in range(session.tape.length)]
    assert recorded_payloads(path) == held
    tail = session.tape.streams[-1].tail
    assert (b": cut +" in path.read_bytes()) == bool(tail)


# What is asked ------------------------------------------------------------------------------


async def test_get_asks_for_an_event_stream() -> None:
    async with answering(says(head(), STREAM)) as server:
        session = session_for(server.url, "GET")
        await session.run()
    (asked,) = server.asked
    assert asked.method == "GET"
    assert asked.headers["accept"] == "text/event-stream"
    assert text_of(session) == "Zürich rain"
    assert ending_of(session) == "finished"
    assert session.connection == "ended"
    assert session.error is None


async def test_post_sends_a_run_agent_input_and_shows_it() -> None:
    async with answering(says(head(), STREAM)) as server:
        session = session_for(server.url)
        await session.run()
    (asked,) = server.asked
    sent = json.loads(asked.body)
    assert asked.headers["content-type"] == "application/json"
    assert sent["protocolVersion"] == "1.1"
    assert sent["threadId"] == "t"
    assert sent["messages"][0]["content"] == "weather?"
    first = session.tape.transcript.messages()[0]
    assert (first["role"], first["content"]) == ("user", "weather?")


async def test_headers_are_sent_and_never_shown(tmp_path: Path) -> None:
    secret = "s3cr3t-value"
    async with answering(says(head("401 Unauthorized", "text/plain"), secret.encode())) as server:
        url = server.url.replace("http://", "http://user:pa55word@") + "?api_key=k3y&n=1"
        session = session_for(url, headers=(("X-Key", secret), ("X-Key", "two")))
        path = recording(session, True, tmp_path)
        await session.run()
        assert path is not None
        assert not path.exists()
    async with answering(says(head(), STREAM)) as other:
        address = url.replace(server.url.split("/")[2], other.url.split("/")[2])
        answered = session_for(address, headers=(("X-Key", secret),))
        recording(answered, True, tmp_path)
        await answered.run()
    (asked,) = server.asked
    assert asked.headers["x-key"] == f"{secret}, two"
    assert asked.headers["authorization"].startswith("Basic ")
    assert asked.path == "/agent?api_key=k3y&n=1"
    error = session.error
    assert error is not None
    assert "n=1" in path.read_text()
    shown = [session.label, str(error), error.hint, error.body, *session.notes, path.read_text()]
    for text in shown:
        assert secret not in text
        assert "pa55word" not in text
        assert "k3y" not in text
    assert "n=1" in session.label


# Refusals -----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    ("status", "says_", "hint"),
    [
        ("400 Bad Request", "finds the request wrong", ""),
        ("401 Unauthorized", "asks for credentials", "-H"),
        ("403 Forbidden", "refuses these credentials", ""),
        ("404 Not Found", "has nothing at this address", "path"),
        ("415 Unsupported Media Type", "does not take JSON", ""),
        ("422 Unprocessable Content", "finds the input invalid", "RunAgentInput"),
        ("500 Internal Server Error", "failed before the run began", "log"),
        ("503 Service Unavailable", "is not available", "later"),
        ("418 I'm a teapot", "refuses the request", ""),
        ("599 ", "failed before the run began", ""),
    ],
)
@pytest.mark.parametrize("kind", ["application/json", "text/html"])
async def test_a_refusal_is_a_sentence(
    method: str, status: str, says_: str, hint: str, kind: str
) -> None:
    body = (
        b'{"detail":"no such run"}'
        if kind == "application/json"
        else b"<!DOCTYPE html><html><head><title>Oops</title></head><p>no such run</html>"
    )
    async with answering(says(head(status, kind), body)) as server:
        session = session_for(server.url, method)
        await session.run()
    assert isinstance(session.error, AnswerRefused)
    assert says_ in str(session.error)
    assert status.split()[0] in str(session.error)
    assert "no such run" in str(session.error)
    assert server.url in str(session.error)
    assert hint in session.error.hint
    assert not session.opened
    assert session.connection == "failed"
    assert session.tape.complete


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("application/json", b'{"detail":"Not Found"}', ""),
        ("text/html", b"<title>404 Not Found</title><h1>Not Found</h1>", ""),
        ("text/html", b"<html><title>404 Not Found</title><p>nginx/1.2", " It says: nginx/1.2"),
        ("text/plain", b"Not Found: no agent of that name", " It says: no agent of that name"),
        ("text/plain", b"404s are common here", " It says: 404s are common here"),
        ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ""),
    ],
)
async def test_a_body_that_says_no_more_than_the_status_is_not_repeated(
    kind: str, body: bytes, said: str
) -> None:
    async with answering(says(head("404 Not Found", kind), body)) as server:
        session = session_for(server.url)
        await session.run()
    wanted = f"{server.url} has nothing at this address (404 Not Found).{said}"
    assert str(session.error) == wanted


async def test_405_suggests_the_other_method() -> None:
    async with answering(says(head("405 Method Not Allowed", "application/json"), b"{}")) as server:
        got, posted = session_for(server.url, "GET"), session_for(server.url, "POST")
        await got.run()
        await posted.run()
    assert got.error is not None
    assert "--message" in got.error.hint
    assert posted.error is not None
    assert "GET" in posted.error.hint


async def test_validation_errors_name_their_place() -> None:
    big = b"1" * 5000
    body = b'{"detail":[{"loc":["body","messages",0,"role"],"msg":"field required"}'
    body += b',{"loc":[{"a":%s},%s],"msg":"too large"}]}' % (big, big)
    async with answering(says(head("422 Nope", "application/json"), body)) as server:
        session = session_for(server.url)
        await session.run()
    assert "body.messages.0.role: field required" in str(session.error)


async def test_the_body_of_a_refusal_is_not_waited_for_for_ever() -> None:
    clock = FakeClock()
    answer = stalls(head("500 Oops", "text/plain"), b"half a bo")
    async with answering(answer) as server:
        session = session_for(server.url, clock=clock)
        running = asyncio.create_task(session.run())
        await clock.asleep()
        clock.advance(PATIENCE)
        await running
    assert "half a bo" in str(session.error)


# Other content types ------------------------------------------------------------------------


@BOTH
async def test_a_web_page_is_named_as_one(method: str) -> None:
    page = b"<html><title>Sign in</title><body>Please sign in</body></html>"
    async with answering(says(head(kind="text/html; charset=utf-8"), page)) as server:
        session = session_for(server.url, method)
        await session.run()
    assert isinstance(session.error, AnswerRefused)
    assert "web page" in str(session.error)
    assert "Sign in" in str(session.error)
    assert "sign-in" in session.error.hint


@BOTH
async def test_json_that_is_no_event_is_refused(method: str) -> None:
    body = b'{"error":{"type":"invalid_request","message":"model not found"}}'
    async with answering(says(head(kind="application/json"), body)) as server:
        session = session_for(server.url, method)
        await session.run()
    assert "application/json" in str(session.error)
    assert "model not found" in str(session.error)


@pytest.mark.parametrize("kind", [None, "text/plain", "application/octet-stream"])
async def test_events_under_another_name_are_read(kind: str | None) -> None:
    async with answering(says(head(kind=kind), STREAM[:3], STREAM[3:])) as server:
        session = session_for(server.url)
        await session.run()
    assert session.error is None
    assert text_of(session) == "Zürich rain"
    assert any(kind in note for note in session.notes) if kind else not session.notes


async def test_json_lines_are_read_over_http_too() -> None:
    body = b"\n".join(EVENTS) + b"\n"
    async with answering(says(head(kind="application/x-ndjson"), body)) as server:
        session = session_for(server.url, "GET")
        await session.run()
    assert text_of(session) == "Zürich rain"


@BOTH
async def test_text_that_is_no_stream_is_said_to_be_none(method: str) -> None:
    async with answering(says(head(), b"Internal error: no model\n")) as server:
        session = session_for(server.url, method)
        await session.run()
    assert isinstance(session.error, FileUnreadable)
    assert "no event stream" in str(session.error)


# Nothing answers ----------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


@BOTH
async def test_refused(method: str) -> None:
    session = session_for(f"http://127.0.0.1:{free_port()}/", method)
    await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert "refused" in str(session.error)
    assert not session.opened


@BOTH
async def test_unknown_host(method: str) -> None:
    session = session_for("http://nowhere.invalid/", method)
    await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert "no host of the name" in str(session.error)
    assert "nowhere.invalid" in str(session.error)


@BOTH
async def test_no_answer_in_time(method: str) -> None:
    with socket.socket() as full:
        # A listener whose queue is full answers nobody.
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(address)
        session = session_for(f"http://127.0.0.1:{address[1]}/", method, timeout=0.2)
        await session.run()
        for filler in fillers:
            filler.close()
    assert isinstance(session.error, ConnectionFailed)
    assert "0.2 s" in str(session.error)
    assert "--timeout" in session.error.hint


@BOTH
async def test_closed_without_an_answer(method: str) -> None:
    async with answering(says()) as server:
        session = session_for(server.url, method)
        await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert "without an answer" in str(session.error)


@pytest.mark.parametrize(
    "url", ["ftp://host/", "http://", "http://[::1", "http://host:99999999/", "ht tp://x"]
)
def test_an_address_that_is_none_is_said_at_once(url: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        HttpSource(HttpRequest(url=url))


def test_a_scheme_may_be_left_out() -> None:
    assert HttpSource(HttpRequest(url="127.0.0.1:8000/x")).label == "http://127.0.0.1:8000/x"


# TLS ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for 127.0.0.1, with its key in the same file."""
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    try:
        subprocess.run(
            f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
            f"-subj /CN=loopback -addext subjectAltName=IP:127.0.0.1 "
            f"-keyout {key} -out {cert}".split(),
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"openssl makes no certificate here: {error}")
    both = folder / "both.pem"
    both.write_text(key.read_text() + cert.read_text())
    return both


def server_tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@BOTH
async def test_an_unknown_authority_is_not_trusted(method: str, certificate: Path) -> None:
    async with answering(says(head(), STREAM), tls=server_tls(certificate)) as server:
        session = session_for(server.url, method)
        await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert "not trusted" in str(session.error)
    assert "--cacert" in session.error.hint


async def test_cacert_and_insecure(certificate: Path) -> None:
    async with answering(says(head(), STREAM), tls=server_tls(certificate)) as server:
        named = session_for(server.url, cacert=certificate)
        trusting = session_for(server.url, insecure=True)
        await named.run()
        await trusting.run()
    assert named.error is None
    assert trusting.error is None
    assert text_of(named) == text_of(trusting) == "Zürich rain"


async def test_plain_http_on_a_tls_address() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(head("400 Bad Request"))
        writer.close()

    async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        session = session_for(f"https://127.0.0.1:{port}/")
        await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert "TLS" in str(session.error)


def test_a_certificate_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no certificate file"):
        HttpSource(HttpRequest(url="https://h/", cacert=tmp_path / "absent.pem"))
    (tmp_path / "junk.pem").write_text("junk")
    with pytest.raises(UsageError, match="PEM"):
        HttpSource(HttpRequest(url="https://h/", cacert=tmp_path / "junk.pem"))


# Broken off ---------------------------------------------------------------------------------


@BOTH
@RECORDED
async def test_cut_in_the_middle_of_a_frame(method: str, recorded: bool, tmp_path: Path) -> None:
    async with answering(says(head(), FRAMES[0], FRAMES[1], FRAMES[2], FRAMES[3][:30])) as server:
        session = session_for(server.url, method)
        path = recording(session, recorded, tmp_path)
        await session.run()
    assert text_of(session) == "Zürich "
    assert ending_of(session) == "truncated"
    assert session.tape.streams[0].tail
    check_recording(session, path)


@BOTH
@RECORDED
async def test_cut_in_the_middle_of_a_character(
    method: str, recorded: bool, tmp_path: Path
) -> None:
    at = STREAM.index("ü".encode()) + 1
    async with answering(says(head(), STREAM[:at])) as server:
        session = session_for(server.url, method)
        path = recording(session, recorded, tmp_path)
        await session.run()
    assert ending_of(session) == "truncated"
    assert session.tape.streams[0].tail.endswith(b"\xc3")
    check_recording(session, path)


@BOTH
@RECORDED
async def test_chunked_and_broken_off(method: str, recorded: bool, tmp_path: Path) -> None:
    parts = [head(Transfer_Encoding="chunked"), *(chunk(frame) for frame in FRAMES[:3])]
    async with answering(says(*parts)) as server:
        session = session_for(server.url, method)
        path = recording(session, recorded, tmp_path)
        await session.run()
    assert session.opened
    assert isinstance(session.error, ConnectionFailed)
    assert "in the middle of the answer" in str(session.error)
    assert text_of(session) == "Zürich "
    assert ending_of(session) == "truncated"
    check_recording(session, path)


@BOTH
@RECORDED
async def test_reset(method: str, recorded: bool, tmp_path: Path) -> None:
    got_it = asyncio.Event()

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head() + b"".join(FRAMES[:3]))
        await got_it.wait()
        reset(writer)

    async with answering(answer) as server:
        session = session_for(server.url, method)
        path = recording(session, recorded, tmp_path)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.tape.length == 3)
        got_it.set()
        await running
    assert isinstance(session.error, ConnectionFailed)
    assert "reset" in str(session.error) or "lost" in str(session.error)
    assert text_of(session) == "Zürich "
    assert ending_of(session) == "truncated"
    check_recording(session, path)


@BOTH
@pytest.mark.parametrize("kind", ["text/event-stream", "text/plain"])
@pytest.mark.parametrize("packed", [False, True])
async def test_who_leaves_in_the_middle_leaves_no_generator_open(
    method: str, kind: str, packed: bool
) -> None:
    """None of ours: what httpx leaves behind is its own."""
    left: list[str] = []
    body = b"".join(FRAMES[:4])
    more = {"Content_Encoding": "gzip"} if packed else {}
    answer = stalls(head(kind=kind, **more), gzip.compress(body) if packed else body)
    async with answering(answer) as server:
        receiving = session_for(server.url, method).source.receive()
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(finalizer=lambda one: left.append(one.ag_code.co_filename))
        try:
            while not isinstance(await anext(receiving), bytes):
                pass
            await receiving.aclose()
            gc.collect()
        finally:
            sys.set_asyncgen_hooks(*hooks)
    assert not [file for file in left if "transcript_tui" in file]


@BOTH
@RECORDED
async def test_a_stall_waits_until_told_to_stop(
    method: str, recorded: bool, tmp_path: Path
) -> None:
    async with answering(stalls(head(), *FRAMES[:4])) as server:
        clock = FakeClock()
        session = session_for(server.url, method, clock=clock, timeout=0.05)
        path = recording(session, recorded, tmp_path)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.tape.length == 4)
        assert session.receiving
        assert session.silence == 0
        clock.advance(75)
        assert session.silence == 75
        session.stop()
        await running
    assert session.connection == "stopped"
    assert session.silence == 0
    assert session.error is None
    assert ending_of(session) == "truncated"
    assert text_of(session) == "Zürich rain"
    check_recording(session, path)


@BOTH
async def test_an_empty_body_is_an_empty_stream(method: str) -> None:
    async with answering(says(head(Content_Length="0"))) as server:
        session = session_for(server.url, method)
        await session.run()
    assert session.connection == "ended"
    assert session.error is None
    assert session.tape.length == 0
    warnings = [warned.rule for warned in session.tape.pipeline.streams[0].warnings]
    assert warnings == ["empty"]
    told = session.nothing_came()
    assert told is not None
    assert str(told) == f"{session.label} ended its answer without an event."
    assert ("--message" in told.hint) == (method == "GET")


@BOTH
@pytest.mark.parametrize("size", [1, 7])
async def test_bytes_may_split_anywhere(method: str, size: int) -> None:
    parts = [STREAM[start : start + size] for start in range(0, len(STREAM), size)]
    async with answering(says(head(), *parts)) as server:
        session = session_for(server.url, method)
        await session.run()
    assert text_of(session) == "Zürich rain"
    assert ending_of(session) == "finished"


# Compressed ---------------------------------------------------------------------------------


@BOTH
async def test_gzip_bodies(method: str) -> None:
    body = gzip.compress(STREAM)
    async with answering(says(head(Content_Encoding="gzip"), body[:40], body[40:])) as server:
        session = session_for(server.url, method)
        await session.run()
    assert text_of(session) == "Zürich rain"


@BOTH
@pytest.mark.parametrize("broken", ["is damaged", "broke off"])
async def test_a_broken_gzip_body_keeps_what_came_before(method: str, broken: str) -> None:
    body = gzip.compress(b"".join(FRAMES[:3]))[:-8]
    body += b"\xff" * 40 if broken == "is damaged" else b""
    async with answering(says(head(Content_Encoding="gzip"), body)) as server:
        session = session_for(server.url, method)
        await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert broken in str(session.error)
    assert text_of(session) == "Zürich "
    assert ending_of(session) == "truncated"


@pytest.mark.parametrize("wbits", [15, -15])
async def test_deflated_bodies_are_unpacked_in_portions(wbits: int) -> None:
    packer = zlib.compressobj(9, wbits=wbits)
    body = packer.compress(STREAM + b": " + b"x" * 2**26 + b"\n\n") + packer.flush()
    tracemalloc.start()
    try:
        async with answering(says(head(Content_Encoding="deflate"), body)) as server:
            session = Session(HttpSource(HttpRequest(url=server.url)), max_frame=100_000)
            await session.run()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert text_of(session) == "Zürich rain"
    assert session.error is None
    assert peak < 2**23


@pytest.mark.parametrize("status", ["200 OK", "500 Nope"])
async def test_what_is_packed_twice_is_not_unpacked(status: str) -> None:
    body = gzip.compress(gzip.compress(b"x" * 2**24))
    answer = head(status, Content_Encoding="gzip, gzip")
    tracemalloc.start()
    try:
        async with answering(says(answer, body)) as server:
            session = session_for(server.url)
            await session.run()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**23
    assert session.error is not None
    assert ("more than once" if "200" in status else "500") in str(session.error)


@pytest.mark.parametrize("packing", ["gzip, identity", "identity"])
async def test_identity_is_no_compression(packing: str) -> None:
    body = gzip.compress(STREAM) if "gzip" in packing else STREAM
    async with answering(says(head(Content_Encoding=packing), body)) as server:
        session = session_for(server.url)
        await session.run()
    assert (session.error, text_of(session)) == (None, "Zürich rain")


async def test_without_compression_is_what_the_hint_of_a_broken_gzip_body_says() -> None:
    async with answering(says(head(Content_Encoding="gzip"), gzip.compress(STREAM)[:-8])) as server:
        session = session_for(server.url)
        await session.run()
    assert session.error is not None
    option, value = re.findall(r"-H '(.+): (.+)'", session.error.hint)[0]
    async with answering(says(head(), STREAM)) as server:
        await session_for(server.url, headers=((option, value),)).run()
    assert server.asked[0].headers["accept-encoding"] == "identity"


async def test_the_binary_encoding_is_named() -> None:
    kind = "application/vnd.ag-ui.event+proto"
    async with answering(says(head(kind=kind), b"\0\0\0\4\x12\2hi" * 9)) as server:
        session = session_for(server.url)
        await session.run()
    assert isinstance(session.error, AnswerRefused)
    assert f"AG-UI's binary encoding ({kind})" in str(session.error)
    assert "text/event-stream" in session.error.hint


# Redirects ----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
async def test_credentials_stay_with_their_host(method: str, status: str) -> None:
    async with answering(says(head(), STREAM)) as target:
        onward = says(head(status, Location=target.url + "?token=sesame1"))
        async with answering(onward) as server:
            url = server.url.replace("http://", "http://user:pa55word@")
            session = session_for(url, method, headers=(("X-Key", "s3cr3t"),))
            await session.run()
    (first,), (second,) = server.asked, target.asked
    assert first.headers["x-key"] == "s3cr3t"
    assert "authorization" in first.headers
    assert "x-key" not in second.headers
    assert "authorization" not in second.headers
    assert second.method == method
    assert second.body == first.body
    assert text_of(session) == "Zürich rain"
    assert "Redirected" in session.notes[0]
    assert ("input was sent there" in session.notes[0]) == (method == "POST")
    assert "sesame1" not in session.notes[0]


async def test_credentials_follow_on_the_same_host() -> None:
    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        moved = asked.path == "/agent"
        writer.write(head("307 Temporary", Location="/agent/") if moved else head() + STREAM)

    async with answering(answer) as server:
        url = server.url.replace("http://", "http://user:pa55word@")
        session = session_for(url, headers=(("X-Key", "s3cr3t"),))
        await session.run()
    assert [asked.headers.get("x-key") for asked in server.asked] == ["s3cr3t", "s3cr3t"]
    assert all("authorization" in asked.headers for asked in server.asked)
    assert text_of(session) == "Zürich rain"


async def test_see_other_is_asked_with_get() -> None:
    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        first = asked.method == "POST"
        writer.write(head("303 See Other", Location="/else") if first else head() + STREAM)

    async with answering(answer) as server:
        session = session_for(server.url)
        await session.run()
    assert [asked.method for asked in server.asked] == ["POST", "GET"]
    assert server.asked[1].body == b""


async def test_a_redirect_to_what_is_no_address_is_no_other_protocol() -> None:
    async with answering(says(head("302 Found", Location="http://[::1"))) as server:
        session = session_for(server.url)
        await session.run()
    assert isinstance(session.error, AnswerRefused)
    assert "redirects to what is no address" in str(session.error)


async def test_a_proxy_is_not_to_blame_for_where_a_redirect_leads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with answering(says(head("302 Found", Location="http://[::1"))) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        session = session_for("http://agent.example/")
        await session.run()
    assert isinstance(session.error, AnswerRefused)
    assert "agent.example/ redirects to what is no address" in str(session.error)


@pytest.mark.parametrize("location", ["/agent", None, "ftp://host/"])
async def test_redirects_that_lead_nowhere(location: str | None) -> None:
    more = {"Location": location} if location else {}
    async with answering(says(head("302 Found", **more))) as server:
        session = session_for(server.url)
        await session.run()
    assert isinstance(session.error, AnswerRefused)
    assert "redirects" in str(session.error)
    assert len(server.asked) == (11 if location == "/agent" else 1)


async def test_a_redirect_to_another_protocol_says_where_to() -> None:
    onward = "ftp://me:s3cret@files.example/x?token=s3cret"
    async with answering(says(head("302 Found", Location=onward))) as server:
        session = session_for(server.url)
        await session.run()
    assert "redirects to ftp://files.example/x?token=…, which is no" in str(session.error)


# Proxies ------------------------------------------------------------------------------------


async def test_proxies_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(says(head(), STREAM)) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        session = session_for("http://agent.invalid/run")
        await session.run()
    assert proxy.asked[0].path == "http://agent.invalid/run"
    assert text_of(session) == "Zürich rain"


async def test_no_proxy_and_a_direct_request_go_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
    async with answering(says(head(), STREAM)) as server:
        direct = session_for(server.url, direct=True)
        await direct.run()
        monkeypatch.setenv("NO_PROXY", "agent.invalid, 127.0.0.1")
        excepted = session_for(server.url)
        await excepted.run()
    assert text_of(direct) == text_of(excepted) == "Zürich rain"


async def test_https_goes_through_a_tunnel(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, context = says(head(), STREAM), server_tls(certificate)
    async with answering(answer, tls=context) as server, tunnel() as (proxy, asked):
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        session = session_for(server.url, cacert=certificate)
        await session.run()
    assert session.error is None
    assert asked == [f"CONNECT 127.0.0.1:{server.port} HTTP/1.1"]
    assert text_of(session) == "Zürich rain"


@asynccontextmanager
async def tunnel() -> AsyncIterator[tuple[str, list[str]]]:
    """A real HTTP proxy that only knows CONNECT: its address, and the requests it got."""
    asked: list[str] = []

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
        target.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(request.splitlines()[0])
        host, _, port = request.split()[1].partition(":")
        beyond, back = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        await asyncio.gather(copy(reader, back), copy(beyond, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


@pytest.mark.parametrize(
    ("variable", "url"),
    [
        ("HTTP_PROXY", "http://agent.invalid/"),
        ("HTTPS_PROXY", "https://agent.invalid/"),
        ("ALL_PROXY", "http://agent.invalid/"),
    ],
)
async def test_a_proxy_that_does_not_answer_is_named(
    variable: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv(variable, f"http://user:pa55word@{proxy}")
    session = session_for(url)
    await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert (
        str(session.error)
        == f"The proxy http://{proxy} on the way to {url} refused the connection."
    )
    assert "NO_PROXY" in session.error.hint


async def test_a_proxy_that_refuses_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    wants = says(head("407 Proxy Authentication Required", None))
    async with answering(wants) as proxy:
        address = f"http://127.0.0.1:{proxy.port}"
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("HTTPS_PROXY", address)
        plain, tunnelled = (
            session_for("http://agent.invalid/"),
            session_for("https://agent.invalid/"),
        )
        await plain.run()
        await tunnelled.run()
    assert "proxy that asks for credentials (407" in str(plain.error)
    refused = "refused: 407 Proxy Authentication Required."
    assert str(tunnelled.error).endswith(f"on the way to https://agent.invalid/ {refused}")


@pytest.mark.parametrize(
    "proxy", ["nonsense://user:pa55word@proxy", "socks5://user:pa55word@proxy"]
)
async def test_a_proxy_that_cannot_be_used(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    session = session_for("http://agent.invalid/run")
    await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert "cannot be used" in str(session.error)
    assert "pa55word" not in str(session.error)


# Coming back --------------------------------------------------------------------------------


async def test_headers_are_sent_in_utf_8() -> None:
    async with answering(says(head(), STREAM)) as server:
        session = session_for(server.url, headers=(("X-Name", "Zoë"), ("accept", "text/plain")))
        await session.run()
    assert session.error is None
    (asked,) = server.asked
    assert asked.headers["x-name"].encode("latin-1").decode() == "Zoë"
    assert asked.headers["accept"] == "text/event-stream"


async def test_reconnect_is_a_new_stream_after_a_gap(tmp_path: Path) -> None:
    clock = FakeClock()
    answers = [
        says(head(Transfer_Encoding="chunked"), chunk(b"id: 41\n" + b"".join(FRAMES[:3]))),
        says(head("503 Busy", "text/plain"), b"busy"),
        says(head("204 No Content", None)),
    ]
    async with answering(in_turn(*answers)) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        path = tmp_path / "gap.sse"
        session.record(path)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.connection == "waiting")
        await clock.asleep()
        assert session.error is not None
        assert ending_of(session) == "truncated"
        clock.advance(60)
        await until(session, lambda: session.tries == 2)
        await clock.asleep()
        assert len(server.asked) == 2
        assert isinstance(session.error, AnswerRefused)
        clock.advance(60)
        await running
    assert session.connection == "ended"
    assert server.asked[0].headers.get("last-event-id") is None
    assert [asked.headers["last-event-id"] for asked in server.asked[1:]] == ["41", "41"]
    check_recording(session, path)


@pytest.mark.parametrize(
    ("parts", "asked_with"),
    [
        ((b"id: 12", b"34\n", STREAM), "1234"),
        ((b"id: 1\n", STREAM, b"id: 2\n"), "1"),
        ((b"id: 1\n", STREAM, b"id: 2\r", b"\n\r\n"), "2"),
        ((b"id: 1\n", STREAM, b"id\n\n"), None),
        # No header can hold this one.
        ((b"id: 1\n", STREAM, b"id: \x01\n\n"), None),
        (("id: Zürich\u00a012 \t\n".encode(), STREAM), "Zürich\u00a012"),
    ],
)
@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("kind", ["text/event-stream", "text/plain"])
async def test_the_next_connection_is_asked_for_what_follows_the_last_id(
    parts: tuple[bytes, ...], asked_with: str | None, broken: bool, kind: str
) -> None:
    clock = FakeClock()

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        if len(server.asked) > 1:
            await says(head("204 No Content", None))(asked, writer)
            return
        writer.write(head(kind=kind, Transfer_Encoding="chunked"))
        for part in parts:
            writer.write(chunk(part))
            await writer.drain()
        if not broken:
            writer.write(b"0\r\n\r\n")

    async with answering(answer) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.connection == "waiting")
        await clock.asleep()
        clock.advance(60)
        await running
    sent = server.asked[1].headers.get("last-event-id")
    assert (sent and sent.encode("latin-1").decode()) == asked_with


async def test_what_broke_off_is_shown_as_that_while_waiting() -> None:
    """Also where the server ended its answer as it should."""
    clock = FakeClock()
    async with answering(says(head(), *FRAMES[:3], b"data: {")) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.connection == "waiting")
        assert ending_of(session) == "truncated"
        assert session.tape.streams[0].tail == b"data: {"
        session.stop()
        await running


def test_waiting_grows_up_to_a_limit_however_long_nobody_answers() -> None:
    assert [_backoff(tries) for tries in (0, 1, 2, 10, 1024, 10**6)] == [0.5, 1, 2, 30, 30, 30]


async def test_an_event_and_an_end_for_ever_is_asked_for_less_and_less() -> None:
    """And at once again after a connection that held."""
    clock, go_on = FakeClock(), asyncio.Event()
    asked = 0

    async def answer(_: Asked, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        writer.write(head() + FRAMES[0])
        if asked == 8:
            await writer.drain()
            await go_on.wait()

    waits = []
    async with answering(answer) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        for number in range(1, 9):
            await until(session, lambda number=number: session.tape.length == number)
            if number == 8:
                clock.advance(40)
                go_on.set()
            await clock.asleep()
            waits.append(clock.next_in)
            clock.advance(60)
        session.stop()
        await running
    for wait, most in zip(waits, (0.5, 1, 2, 4, 8, 16, 30, 0.5), strict=True):
        assert most / 2 <= wait <= most


async def test_a_connection_that_held_is_asked_for_again_soon() -> None:
    """A long poll: after a while of nothing one event, and an end."""
    clock, asked, go_on = FakeClock(), asyncio.Semaphore(0), asyncio.Semaphore(0)

    async def answer(_: Asked, writer: asyncio.StreamWriter) -> None:
        asked.release()
        await go_on.acquire()
        writer.write(head() + FRAMES[0])

    async with answering(answer) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        for number in range(1, 6):
            await asked.acquire()
            clock.advance(20)
            go_on.release()
            await until(session, lambda number=number: session.tape.length == number)
            await until(session, lambda: session.connection == "waiting")
            await clock.asleep()
            assert clock.next_in <= 0.5
            clock.advance(1)
        session.stop()
        await running


async def test_the_next_try_can_be_had_at_once() -> None:
    clock = FakeClock()
    answers = in_turn(says(head(), *FRAMES[:3]), stalls(head(), *FRAMES))
    async with answering(answers) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.connection == "waiting")
        await clock.asleep()
        assert session.can_ask_again
        await session.ask_again()
        assert not session.can_ask_again  # until it has answered
        await until(session, lambda: session.tape.length == 3 + len(FRAMES))
        assert clock.now() == 0
        assert len(session.tape.streams) == 2
        assert not session.can_ask_again
        session.stop()
        await running


HOUR = "Tue, 01 Dec 2026 11:00:00 GMT"
"""Sixty minutes after the wall clock of :class:`FakeClock`."""


@pytest.mark.parametrize(
    ("asked", "wait"),
    [
        ("90", 90),
        (HOUR, 3600),
        (HOUR.replace("11:00", "10:05"), 300),
        ("Tue, 01 Dec 2026 09:00:00 GMT", 0),
        ("9" * 40, 3600),
        ("Tue, 01 Dec 2099 10:00:00", 3600),
        ("soon", 0),
        ("-5", 0),
        ("\u0663".encode().decode("latin-1"), 0),
    ],
)
async def test_a_server_may_put_off_the_next_try(asked: str, wait: float) -> None:
    clock = FakeClock()
    busy = says(head("503 Busy", "text/plain", Retry_After=asked))
    async with answering(in_turn(says(head(), *FRAMES[:3]), busy)) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.tries == 1)
        await clock.asleep()
        clock.advance(clock.next_in)
        started = clock.now()
        await until(session, lambda: session.tries == 2)
        assert session.again_at is not None
        waited = session.again_at - started
        assert waited == pytest.approx(wait, abs=1.0)
        session.stop()
        await running


async def test_what_is_so_of_each_connection_is_said_once() -> None:
    clock = FakeClock()
    async with answering(says(head(kind="text/plain"), STREAM)) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        for times in (1, 2, 3):
            await until(session, lambda times=times: session.tape.length == times * len(FRAMES))
            await clock.asleep()
            clock.advance(60)
        session.stop()
        await running
    assert len([note for note in session.notes if "text/plain" in note]) == 1


async def test_what_never_answered_is_not_asked_again() -> None:
    session = session_for(f"http://127.0.0.1:{free_port()}/", "GET", reconnect=True)
    await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert session.connection == "failed"


def test_reconnect_goes_with_get_only() -> None:
    with pytest.raises(UsageError, match="asking for it again"):
        HttpSource(HttpRequest(url="http://h/", run_input={}, reconnect=True))


async def test_reconnect_shows_the_gap_in_its_place() -> None:
    from transcript_tui.transcript.model import Cut

    clock = FakeClock()
    broken = says(head(Transfer_Encoding="chunked"), chunk(b"".join(FRAMES[:3])))
    whole = says(head(), STREAM)
    answers = [broken, whole]
    async with answering(in_turn(*answers)) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.connection == "waiting")
        await clock.asleep()
        clock.advance(60)
        await until(session, lambda: session.tape.length == 9)
        session.stop()
        await running
    runs = session.tape.transcript.runs
    assert [run.ending.now.kind for run in runs if run.ending.now] == ["truncated", "finished"]
    cuts = [entry for entry in session.tape.transcript.entries if isinstance(entry, Cut)]
    assert [entry.kind for entry in cuts] == ["truncated", "gap"]
    assert cuts[1].message.endswith("What follows began 60.0 s later.")
    assert [stream.first for stream in session.tape.streams] == [0, 3]


@pytest.mark.parametrize(
    ("end", "why"), [(b"", "in the middle of the answer"), (b"0\r\n\r\n", "The connection ended.")]
)
async def test_a_gap_tells_of_what_made_it_and_not_of_later_tries(end: bytes, why: str) -> None:
    clock = FakeClock()
    first = says(head(Transfer_Encoding="chunked"), chunk(b"".join(FRAMES[:3])) + end)
    busy = says(head("503 Busy", "text/plain"), b"busy")
    async with answering(in_turn(first, busy, says(head(), STREAM))) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)

        def waiting(times: int) -> bool:
            return session.tries == times

        running = asyncio.create_task(session.run())
        for times in (1, 2):
            await until(session, partial(waiting, times))
            await clock.asleep()
            clock.advance(60)
        await until(session, lambda: session.tape.length == 9)
        session.stop()
        await running
    assert why in session.tape.streams[1].reason


async def test_the_gap_stays_when_recorded_and_replayed(tmp_path: Path) -> None:
    """Also where the server ended its answer without an error."""
    from transcript_tui.session.sources.file import FileSource
    from transcript_tui.transcript.model import Cut

    clock, path = FakeClock(), tmp_path / "gap.sse"
    answers = [says(head(), *FRAMES[:3]), says(head(), STREAM)]
    async with answering(in_turn(*answers)) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        session.record(path)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.connection == "waiting")
        await clock.asleep()
        clock.advance(60)
        await until(session, lambda: session.tape.length == 9)
        session.stop()
        await running
    again = Session(FileSource(path), kind="replay")
    await again.run()
    told = [
        [
            (entry.born, entry.kind)
            for entry in one.tape.transcript.entries
            if isinstance(entry, Cut)
        ]
        for one in (session, again)
    ]
    assert told[0] == told[1] == [(2, "truncated"), (2, "gap")]
    assert again.tape.transcript.messages() == session.tape.transcript.messages()
