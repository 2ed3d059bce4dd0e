#!/usr/bin/env bash
# get-token.sh USER: prints a token for the validator's API, signed with the word `unsafe`, for a start without -a.
set -euo pipefail
[ $# -eq 1 ] || { echo 'Usage: get-token.sh USER' >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")"
audience=${VALIDATOR_AUTH_AUDIENCE:-$(sed -n 's/^VALIDATOR_AUTH_AUDIENCE=//p' .env)}

part() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
body=$(printf '{"alg":"HS256","typ":"JWT"}' | part).$(printf '{"sub":"%s","aud":"%s"}' "$1" "$audience" | part)
echo "$body.$(printf %s "$body" | openssl dgst -sha256 -hmac unsafe -binary | part)"
