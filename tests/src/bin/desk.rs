//! A server that does a bit of everything, over its standard streams.

#[tokio::main(flavor = "current_thread")]
async fn main() -> mcprism::Result<()> {
    let modern = std::env::args().any(|argument| argument == "--modern");
    eprintln!("the desk is open");
    let builder = if modern { mcprism_tests::desk::modern_desk() } else { mcprism_tests::desk::desk() };
    builder.serve_stdio().await
}
