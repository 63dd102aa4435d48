//! The loop that moves the bytes of a connection.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::link::Link;
use super::outbox::Turn;
use crate::framing::{Line, Lines};

/// How much is read at once.
const CHUNK: usize = 16 * 1024;

/// What is made of the lines of a connection.
pub(crate) trait Receive {
    /// Takes a line. It doesn't wait: what takes time goes on elsewhere.
    fn line(&mut self, line: Line<'_>);

    /// Something has changed on this side.
    fn news(&mut self) {}

    /// Whether more is to be read although many answers wait to be written. If neither end did, two that both
    /// write much would wait for each other for ever.
    fn reads_on(&self) -> bool {
        false
    }

    /// The answers that waited are on their way.
    fn relieved(&mut self) {}

    /// The peer has closed its end: nothing more comes.
    fn ended(&mut self);
}

/// What the loop woke up for.
enum Event {
    Wrote(usize),
    Read(usize),
    News,
    /// The time that running requests have after the end has passed.
    Late,
}

/// Reads lines and writes what is in the outbox, until the peer closes the stream or it breaks. Once it is
/// closed, requests that are being served have `grace` to be answered.
///
/// # Errors
/// If reading or writing fails for another reason than that the peer has closed its end.
pub(crate) async fn drive(
    mut reader: impl AsyncRead + Unpin,
    mut writer: impl AsyncWrite + Unpin,
    link: &Arc<Link>,
    receiver: &mut (dyn Receive + Send),
    limit: usize,
    grace: Duration,
) -> std::io::Result<()> {
    let mut lines = Lines::new(limit);
    let mut chunk = vec![0; CHUNK];
    let (mut out, mut written, mut flushed) = (Vec::new(), 0, true);
    let (mut ended, mut aborted) = (false, false);
    let mut late = pin!(None);
    let outcome = loop {
        if written == out.len() {
            out.clear();
            out.shrink_to(CHUNK);
            written = 0;
        }
        let Turn { congested, closed, news } = link.outbox.turn(&mut out);
        if news {
            receiver.news();
        }
        if !congested {
            receiver.relieved();
        }
        let reads = !congested || receiver.reads_on();
        let idle = out.is_empty() && flushed;
        if idle && (closed || (ended && link.is_idle())) {
            break Ok(());
        }
        let event = poll_fn(|context| {
            if written < out.len() {
                if let Poll::Ready(wrote) = Pin::new(&mut writer).poll_write(context, &out[written..]) {
                    return Poll::Ready(wrote.map(Event::Wrote));
                }
            } else if !flushed && let Poll::Ready(done) = Pin::new(&mut writer).poll_flush(context) {
                flushed = true;
                if let Err(error) = done {
                    return Poll::Ready(Err(error));
                }
            }
            if !ended && reads {
                let mut buffer = ReadBuf::new(&mut chunk);
                if let Poll::Ready(read) = Pin::new(&mut reader).poll_read(context, &mut buffer) {
                    return Poll::Ready(read.map(|()| Event::Read(buffer.filled().len())));
                }
            }
            if link.outbox.poll_news(context).is_ready() {
                return Poll::Ready(Ok(Event::News));
            }
            match late.as_mut().as_pin_mut().map(|late: Pin<&mut tokio::time::Sleep>| late.poll(context)) {
                Some(Poll::Ready(())) => Poll::Ready(Ok(Event::Late)),
                _ => Poll::Pending,
            }
        })
        .await;
        match event {
            Ok(Event::Wrote(0)) => break Err(std::io::ErrorKind::WriteZero.into()),
            Ok(Event::Wrote(count)) => {
                written += count;
                flushed = false;
            }
            Ok(Event::Read(0)) => {
                if let Some(line) = lines.finish() {
                    receiver.line(line);
                }
                ended = true;
                receiver.ended();
                link.peer_is_gone();
                late.set(Some(tokio::time::sleep(grace)));
            }
            Ok(Event::Read(count)) => {
                lines.push(&chunk[..count]);
                while let Some(line) = lines.next() {
                    receiver.line(line);
                }
            }
            // The next turn sees what it is.
            Ok(Event::News) => {}
            // A peer that reads nothing is not waited for another time.
            Ok(Event::Late) if aborted => break Ok(()),
            Ok(Event::Late) => {
                aborted = true;
                link.abort();
                late.set(Some(tokio::time::sleep(grace)));
            }
            Err(error) => break Err(error),
        }
    };
    link.close();
    // Whether the other end still listens doesn't matter any more.
    let _ = poll_fn(|context| Pin::new(&mut writer).poll_shutdown(context)).await;
    match outcome {
        Err(error) if is_gone(error.kind()) => Ok(()),
        outcome => outcome,
    }
}

/// Whether an error means that the peer has gone.
fn is_gone(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
}
