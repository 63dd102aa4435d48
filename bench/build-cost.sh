#!/usr/bin/env bash
# Measures what a crate costs that depends on nothing but the types: CPU seconds of a cold build, and
# crates in the tree, for mcprism-types beside rust-mcp-schema.
set -euo pipefail

usage() {
  cat <<'END'
Measures the CPU seconds (user and system) of cold builds of mcprism-types and rust-mcp-schema.

Usage: build-cost.sh [--quick]

  --quick   only release builds, of one revision and of all
  --help    this text

Prints a table in Markdown; ratios are to rust-mcp-schema with one revision, built in the same run.
END
}

quick=false
for word in "$@"; do
  case $word in
    --quick) quick=true ;;
    --help | -h) usage; exit ;;
    *) usage >&2; exit 2 ;;
  esac
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# No cache, no wrapper, no flags and no target folder of the caller's.
unset RUSTC_WRAPPER RUSTFLAGS CARGO_BUILD_TARGET
export CARGO_TARGET_DIR=$work/target CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never

# Writes a crate, called after the first word, that depends on the second, and fetches what it needs. It
# starts from the versions that the benchmark has, so that both sides have the same serde.
write_crate() {
  mkdir -p "$work/$1/src"
  cp "$here/Cargo.lock" "$work/$1/Cargo.lock"
  : >"$work/$1/src/lib.rs"
  cat >"$work/$1/Cargo.toml" <<END
[package]
name = "cost"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
$2
END
  cargo fetch --quiet --manifest-path "$work/$1/Cargo.toml"
}

ours() {
  printf 'mcprism-types = { path = "%s", default-features = false, features = [%s] }' "$here/../generated" "$1"
}

# CPU seconds of a cargo command on a crate, from an empty target folder.
cpu_seconds() {
  local crate=$1 times
  shift
  rm -rf "$CARGO_TARGET_DIR"
  TIMEFORMAT='%U %S'
  times=$({ time cargo "$@" --quiet --offline -j 2 --manifest-path "$work/$crate/Cargo.toml" >"$work/log" 2>&1; } 2>&1) || {
    cat "$work/log" >&2
    exit 1
  }
  awk '{ printf "%.1f", $1 + $2 }' <<<"$times"
}

# Crates in the tree without the one written here.
crates() {
  cargo tree --offline -e normal,build --prefix none --manifest-path "$work/$1/Cargo.toml" |
    awk '$1 != "cost" && NF { print $1, $2 }' | sort -u | wc -l
}

ratio() {
  awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

revisions=(v2024_11_05 v2025_03_26 v2025_06_18 v2025_11_25 v2026_07_28)
all=$(printf '"%s", ' "${revisions[@]}")
measured=("${revisions[@]}")
if $quick; then
  measured=(v2025_11_25)
fi

# The peer with its messages, as ours has them.
write_crate peer 'rust-mcp-schema = { version = "=2.0.0", default-features = false, features = ["2025_11_25", "schema_utils"] }'
for revision in "${measured[@]}"; do
  write_crate "$revision" "$(ours "\"$revision\"")"
done
write_crate all "$(ours "${all%, }")"
write_crate bridges "$(ours "$all\"bridges\"")"

row() {
  local crate=$1 name=$2 limit=$3 count release check=''
  echo "building $crate" >&2
  count=$(crates "$crate")
  release=$(cpu_seconds "$crate" build --release)
  : "${peer_release:=$release}"
  if ! $quick; then
    check=$(cpu_seconds "$crate" check)
    : "${peer_check:=$check}"
    check=" $check | $(ratio "$check" "$peer_check") |"
  fi
  echo "| $name | $count | $release | $(ratio "$release" "$peer_release") | $limit |$check"
}

if $quick; then
  echo '| depends on | crates | release, CPU s | × the peer | must be |'
  echo '|---|---:|---:|---:|---:|'
else
  echo '| depends on | crates | release, CPU s | × the peer | must be | check, CPU s | × the peer |'
  echo '|---|---:|---:|---:|---:|---:|---:|'
fi
row peer 'rust-mcp-schema 2.0, 2025-11-25' ''
for revision in "${measured[@]}"; do
  name=${revision#v}
  row "$revision" "mcprism-types, ${name//_/-}" '≤ 0.60'
done
row all 'mcprism-types, all five' '≤ 1.00'
row bridges 'mcprism-types, all five and the conversions' ''
