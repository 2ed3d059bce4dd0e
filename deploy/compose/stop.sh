#!/usr/bin/env bash
# Stops what start.sh has started. Data stays in the volumes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[ $# -eq 0 ] || { echo "stop.sh: takes no option, and was given $1" >&2; exit 2; }

# Compose wants every variable that its file names, though it starts nothing.
export MIGRATION_ID=${MIGRATION_ID:-0} SPONSOR_SV_ADDRESS='' ONBOARDING_SECRET='' SCAN_ADDRESS=''
exec docker compose -f compose.yaml down
