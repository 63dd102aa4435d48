//! The standard streams of this process.
//!
//! Pipes and sockets are read where their events arrive. Anything else, such as a file or a terminal, and all
//! of it on systems without such pipes, is read by a thread.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Transport;

/// The standard streams: see [`stdio`].
pub struct Stdio {
    reader: Reader,
    writer: Writer,
}

/// A stream that is read without a thread where the system can do that.
type Reader = Pin<Box<dyn AsyncRead + Send>>;
type Writer = Pin<Box<dyn AsyncWrite + Send>>;

/// The standard streams of this process, on which a server talks to the client that has started it. Nothing else
/// may be written to the standard output.
///
/// It has to be called within a runtime of tokio's.
///
/// # Errors
/// If the system can't tell what the streams are.
///
/// Specification: `basic/transports`, stdio.
pub fn stdio() -> std::io::Result<Stdio> {
    Ok(Stdio { reader: system::reader()?, writer: system::writer()? })
}

impl Transport for Stdio {
    type Reader = Input;
    type Writer = Output;

    fn halves(self) -> (Input, Output) {
        (Input(self.reader), Output(self.writer))
    }
}

/// The standard input.
pub struct Input(Reader);

/// The standard output.
pub struct Output(Writer);

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        self.0.as_mut().poll_read(context, buffer)
    }
}

impl AsyncWrite for Output {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.0.as_mut().poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        self.0.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        self.0.as_mut().poll_shutdown(context)
    }
}

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixStream as StdStream;

    use tokio::net::UnixStream;
    use tokio::net::unix::pipe;

    use super::{Reader, Writer};

    /// What kind of stream a descriptor is, with a copy of it.
    enum Kind {
        Pipe(OwnedFd),
        Socket(StdStream),
        Other,
    }

    fn kind(descriptor: impl AsFd) -> std::io::Result<Kind> {
        let owned = descriptor.as_fd().try_clone_to_owned()?;
        let file = File::from(owned);
        let kind = file.metadata()?.file_type();
        Ok(match (kind.is_fifo(), kind.is_socket()) {
            (true, _) => Kind::Pipe(file.into()),
            (_, true) => Kind::Socket(OwnedFd::from(file).into()),
            _ => Kind::Other,
        })
    }

    pub(super) fn reader() -> std::io::Result<Reader> {
        Ok(match kind(std::io::stdin())? {
            Kind::Pipe(pipe) => Box::pin(pipe::Receiver::from_owned_fd(pipe)?),
            Kind::Socket(stream) => Box::pin(socket(stream)?),
            Kind::Other => super::thread::reader(),
        })
    }

    pub(super) fn writer() -> std::io::Result<Writer> {
        Ok(match kind(std::io::stdout())? {
            Kind::Pipe(pipe) => Box::pin(pipe::Sender::from_owned_fd(pipe)?),
            Kind::Socket(stream) => Box::pin(socket(stream)?),
            Kind::Other => super::thread::writer(),
        })
    }

    fn socket(stream: StdStream) -> std::io::Result<UnixStream> {
        stream.set_nonblocking(true)?;
        UnixStream::from_std(stream)
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Reader, Writer};

    pub(super) fn reader() -> std::io::Result<Reader> {
        Ok(super::thread::reader())
    }

    pub(super) fn writer() -> std::io::Result<Writer> {
        Ok(super::thread::writer())
    }
}

/// Streams that a thread each reads and writes.
mod thread {
    use std::io::{Read, Write};

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::{Reader, Writer};

    /// How much may wait between the thread and the runtime.
    const CAPACITY: usize = 64 * 1024;

    pub(super) fn reader() -> Reader {
        let (inner, outer) = duplex(CAPACITY);
        let runtime = tokio::runtime::Handle::current();
        // A thread, so that a read that never returns doesn't keep the process alive.
        std::thread::spawn(move || {
            let (mut inner, mut chunk) = (inner, vec![0; CAPACITY]);
            while let Ok(count @ 1..) = std::io::stdin().lock().read(&mut chunk) {
                if runtime.block_on(inner.write_all(&chunk[..count])).is_err() {
                    break;
                }
            }
        });
        Box::pin(outer)
    }

    pub(super) fn writer() -> Writer {
        let (inner, outer) = duplex(CAPACITY);
        let runtime = tokio::runtime::Handle::current();
        let thread = std::thread::spawn(move || {
            let (mut inner, mut chunk) = (inner, vec![0; CAPACITY]);
            while let Ok(count @ 1..) = runtime.block_on(inner.read(&mut chunk)) {
                let mut out = std::io::stdout().lock();
                if out.write_all(&chunk[..count]).and_then(|()| out.flush()).is_err() {
                    break;
                }
            }
        });
        Box::pin(Joined { outer, thread: Some(thread) })
    }

    /// Waits at the end until the thread has written everything.
    struct Joined {
        outer: tokio::io::DuplexStream,
        thread: Option<std::thread::JoinHandle<()>>,
    }

    impl tokio::io::AsyncWrite for Joined {
        fn poll_write(
            mut self: std::pin::Pin<&mut Self>,
            context: &mut std::task::Context<'_>,
            bytes: &[u8],
        ) -> std::task::Poll<std::io::Result<usize>> {
            std::pin::Pin::new(&mut self.outer).poll_write(context, bytes)
        }

        fn poll_flush(
            mut self: std::pin::Pin<&mut Self>,
            context: &mut std::task::Context<'_>,
        ) -> std::task::Poll<std::io::Result<()>> {
            std::pin::Pin::new(&mut self.outer).poll_flush(context)
        }

        fn poll_shutdown(
            mut self: std::pin::Pin<&mut Self>,
            context: &mut std::task::Context<'_>,
        ) -> std::task::Poll<std::io::Result<()>> {
            let _ = std::pin::Pin::new(&mut self.outer).poll_shutdown(context);
            match &self.thread {
                Some(thread) if !thread.is_finished() => {
                    // The thread wakes nobody when it ends; it does so soon.
                    let waker = context.waker().clone();
                    tokio::spawn(async move {
                        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
                        waker.wake();
                    });
                    std::task::Poll::Pending
                }
                _ => {
                    self.thread = None;
                    std::task::Poll::Ready(Ok(()))
                }
            }
        }
    }
}
