#!/usr/bin/env bash
# Starts a validator, its participant and their database with docker compose. The options are those of Splice's start.sh, without -C and -l.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: start.sh -s URL -o SECRET -p HINT -m ID [options]
  -s URL     the sponsor SV
  -o SECRET  the onboarding secret of the sponsor; "" once the validator has its license
  -p HINT    party hint, organization-function-enumerator, as acme-validator-1
  -m ID      the network's migration id
  -P ID      the participant's identifier; the party hint if omitted
  -a         tokens of an identity provider, as .env says; without it the ledger API needs no token
  -c URL     the scan to begin with; the sponsor's URL with scan in place of sv if omitted
  -b         believe one SV alone: the scan of -c and the sequencer of -q
  -q URL     that sequencer
  -n NAME    a docker network that exists
  -M         a start as part of a migration to the id of -m
  -i FILE    a lost machine: restore the participant of this identity (callsign identity export); needs -P
  -w         wait until the validator is ready, for ten minutes at most
  -E         publish ports on every address of this machine, not on 127.0.0.1 alone
  -h         this text
TEXT
}

refuse() {
  echo "start.sh: $1" >&2
  exit 2
}

sponsor='' secret='' has_secret=false hint='' migration_id='' identifier='' scan='' sequencer='' dump=''
with_auth=false trust_single=false migrating=false wait=false
while getopts ':s:o:p:m:P:ac:Cbq:n:Mi:wElh' option; do
  case $option in
    s) sponsor=$OPTARG ;;
    o) secret=$OPTARG has_secret=true ;;
    p) hint=$OPTARG ;;
    m) migration_id=$OPTARG ;;
    P) identifier=$OPTARG ;;
    a) with_auth=true ;;
    c) scan=$OPTARG ;;
    b) trust_single=true ;;
    q) sequencer=$OPTARG ;;
    n) export DOCKER_NETWORK=$OPTARG ;;
    M) migrating=true ;;
    i) dump=$OPTARG ;;
    w) wait=true ;;
    E) export HOST_BIND_IP=0.0.0.0 ;;
    C) refuse '-C (the scan as this machine sees it) is not needed: the validator itself asks a scan for the names of the network. Leave it out' ;;
    l) refuse '-l (the SV of a local compose file) is not offered: found a network with "callsign sv", and give its URLs by -s and -c' ;;
    h) usage; exit 0 ;;
    :) refuse "-$OPTARG needs a value; -h lists the options" ;;
    *) refuse "-$OPTARG is no option; -h lists them" ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || refuse "$1 is no option; -h lists them"

[ -n "$sponsor" ] || refuse 'the sponsor SV is missing: -s URL'
$has_secret || refuse 'the onboarding secret is missing: -o SECRET, or -o "" once the validator has its license'
[ -n "$hint" ] || refuse 'the party hint is missing: -p HINT, as acme-validator-1'
[ -n "$migration_id" ] || refuse 'the migration id is missing: -m ID'
[[ $migration_id =~ ^[0-9]+$ ]] || refuse "the migration id \"$migration_id\" is no whole number: -m ID"
if $trust_single && [ -z "$sequencer" ]; then refuse '-b needs the URL of the sequencer: -q URL'; fi
if [ -n "$dump" ]; then
  [ -n "$identifier" ] || refuse '-i needs the identifier of the participant that is restored: -P ID'
  [ -f "$dump" ] || refuse "there is no file $dump: -i FILE"
fi

[ -z "$dump" ] || dump=$(realpath "$dump")
cd "$(dirname "${BASH_SOURCE[0]}")"

export SPONSOR_SV_ADDRESS=$sponsor ONBOARDING_SECRET=$secret PARTY_HINT=$hint MIGRATION_ID=$migration_id
export PARTICIPANT_IDENTIFIER=${identifier:-$hint}
export SCAN_ADDRESS=${scan:-${sponsor/https:\/\/sv/https:\/\/scan}} SEQUENCER_ADDRESS=$sequencer

files=(-f compose.yaml -f compose-traffic-topups.yaml)
$with_auth || files+=(-f compose-disable-auth.yaml)
if $trust_single; then files+=(-f compose-trust-single.yaml); fi
if $migrating; then files+=(-f compose-migrate.yaml); fi
if [ -n "$dump" ]; then
  export IDENTITY_FILE=$dump
  files+=(-f compose-restore-from-id.yaml)
fi
if [ -n "${DOCKER_NETWORK:-}" ]; then files+=(-f compose-network.yaml); fi

up=(up --detach)
if $wait; then up+=(--wait --wait-timeout 600); fi
$with_auth || echo 'start.sh: without -a nobody needs a token at the ledger API. Use it on one machine alone.' >&2
# An identity is imported into an empty place: where there is one already, the import says so, and nothing is started.
if [ -n "$dump" ]; then
  docker compose "${files[@]}" run --rm participant identity import --from /etc/callsign/identity.json
fi
exec docker compose "${files[@]}" "${up[@]}"
