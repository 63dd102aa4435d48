//! Where the bytes come from and go to: a pair of streams, in memory, of this process, or of another.

mod memory;
#[cfg(feature = "process")]
mod process;
mod stdio;

use tokio::io::{AsyncRead, AsyncWrite};

pub use memory::memory;
#[cfg(feature = "process")]
pub use process::Process;
#[cfg(feature = "process")]
pub(crate) use process::Running;
pub use stdio::{Stdio, stdio};

/// A way to the peer, in two halves. Any pair of async byte streams is one: the messages stand on a line each.
///
/// Specification: `basic/transports`, Custom Transports.
pub trait Transport {
    /// Where messages come from.
    type Reader: AsyncRead + Send + Unpin + 'static;
    /// Where messages go to.
    type Writer: AsyncWrite + Send + Unpin + 'static;

    /// Both halves.
    fn halves(self) -> (Self::Reader, Self::Writer);
}

impl<R, W> Transport for (R, W)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Reader = R;
    type Writer = W;

    fn halves(self) -> (R, W) {
        self
    }
}
