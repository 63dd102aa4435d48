#!/usr/bin/env bash
# Builds the echo servers and their driver, and runs the driver with the arguments given.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# Each by itself: built together, all would have the features that any of them asks for.
for server in servers/*/; do
  cargo build --release --quiet --package "echo-$(basename "$server")"
done
exec cargo run --release --quiet --package mcprism-bench-stdio -- "$@"
