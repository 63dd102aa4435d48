//! A connection within the process.

use tokio::io::{DuplexStream, ReadHalf, WriteHalf, split};

use super::Transport;

/// How many bytes may be under way in each direction.
const CAPACITY: usize = 64 * 1024;

/// Two ends of a connection within this process, for tests and for servers that are embedded.
pub fn memory() -> (DuplexStream, DuplexStream) {
    tokio::io::duplex(CAPACITY)
}

impl Transport for DuplexStream {
    type Reader = ReadHalf<DuplexStream>;
    type Writer = WriteHalf<DuplexStream>;

    fn halves(self) -> (Self::Reader, Self::Writer) {
        split(self)
    }
}
