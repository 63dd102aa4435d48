#!/usr/bin/env bash
# Measures what an echo server costs who builds it: CPU seconds of a cold build, crates in the tree, the
# size of the binary, and how long a change of the server itself takes, for rmcp and for ours.
set -euo pipefail

usage() {
  cat <<'END'
Measures what it costs to build the echo servers of bench/servers in release: CPU seconds (user and
system) of a cold build, crates in the tree, size of the stripped binary, and seconds of the clock and of
the CPU from a touch of main.rs to the binary (the shortest of three).

Usage: server-cost.sh [--strict]

  --strict  exit with 1 if ours misses a limit, or isn't there
  --help    this text

Prints a table in Markdown; ratios are to rmcp, built in the same run.
END
}

strict=false
for word in "$@"; do
  case $word in
    --strict) strict=true ;;
    --help | -h) usage; exit ;;
    *) usage >&2; exit 2 ;;
  esac
done

cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# No cache, no wrapper, no flags and no target folder of the caller's.
unset RUSTC_WRAPPER RUSTFLAGS CARGO_BUILD_TARGET
export CARGO_TARGET_DIR=$work/target CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never CARGO_PROFILE_RELEASE_STRIP=true
cargo fetch --quiet --locked

# The servers, the peer first. `ours` is measured as soon as there is a package echo-ours in servers/ours.
servers=(rmcp ours)

# Builds a server, and prints what that took, as the format of `time` says.
build() {
  local times
  TIMEFORMAT=$2
  times=$({ time cargo build --release --quiet --locked --offline -j 2 -p "echo-$1" >"$work/log" 2>&1; } 2>&1) || {
    cat "$work/log" >&2
    exit 1
  }
  echo "$times"
}

# CPU seconds from an empty target folder.
cold() {
  rm -rf "$CARGO_TARGET_DIR"
  build "$1" '%U %S' | awk '{ printf "%.1f", $1 + $2 }'
}

# Seconds of the clock, and of the CPU, after a change of the server alone. The shortest: others on the
# machine only ever add to the clock.
touched() {
  local turn
  for turn in 1 2 3; do
    touch "servers/$1/src/main.rs"
    build "$1" '%R %U %S'
  done | sort -n | awk 'NR == 1 { printf "%.1f %.1f", $1, $2 + $3 }'
}

# Crates in the tree without the server itself.
crates() {
  cargo tree --locked --offline -e normal,build --prefix none -p "echo-$1" |
    awk -v server="echo-$1" 'NF && $1 != server { print $1, $2 }' | sort -u | wc -l
}

# A figure, for ours with its limit.
cell() {
  local server=$1 figure=$2 limit=$3
  if [[ $server != ours ]]; then
    echo "$figure"
  elif awk -v figure="$figure" -v limit="$limit" 'BEGIN { exit !(figure <= limit) }'; then
    echo "$figure (≤ $limit)"
  else
    : >"$work/missed"
    echo "$figure (≤ $limit, missed)"
  fi
}

ratio() {
  awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

row() {
  local server=$1 count cpu bytes clock touched_cpu
  echo "building echo-$server" >&2
  count=$(crates "$server")
  cpu=$(cold "$server")
  bytes=$(stat -c %s "$CARGO_TARGET_DIR/release/echo-$server")
  read -r clock touched_cpu <<<"$(touched "$server")"
  : "${peer_cpu:=$cpu}" "${peer_bytes:=$bytes}"
  printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "$server" \
    "$(cell "$server" "$count" 40)" \
    "$cpu" "$(cell "$server" "$(ratio "$cpu" "$peer_cpu")" 0.45)" \
    "$(awk -v bytes="$bytes" 'BEGIN { printf "%.2f", bytes / 1e6 }')" \
    "$(cell "$server" "$(ratio "$bytes" "$peer_bytes")" 0.40)" \
    "$(cell "$server" "$clock" 3)" "$touched_cpu"
}

echo '| server | crates | cold, CPU s | × rmcp | stripped, MB | × rmcp | touched, s | touched, CPU s |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|'
for server in "${servers[@]}"; do
  if [[ -d servers/$server ]]; then
    row "$server"
  else
    echo "servers/$server isn't there, so it was left out" >&2
    : >"$work/missed"
  fi
done
if $strict && [[ -e $work/missed ]]; then
  exit 1
fi
