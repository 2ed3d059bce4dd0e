#!/usr/bin/env bash
# Starts a local network in the background, waits until it is ready, and writes its URLs to GITHUB_OUTPUT and GITHUB_ENV.
# The runner ends the network with the job.
set -euo pipefail

folder=${RUNNER_TEMP:-$(mktemp -d)}/callsign
mkdir -p "$folder"
if [ -z "${CALLSIGN_COMMAND:-}" ]; then
  npm install --ignore-scripts --no-save --prefix "$folder" "${CALLSIGN_PACKAGE:-callsign}" >&2
  CALLSIGN_COMMAND=$folder/node_modules/.bin/callsign
fi

# Words of the options, and of the command, are split on purpose.
# shellcheck disable=SC2086
nohup $CALLSIGN_COMMAND localnet --json --any-ports --data "$folder/data" ${CALLSIGN_OPTIONS:-} \
  > "$folder/network.json" 2> "$folder/network.log" < /dev/null &
network=$!
for ((waited = 0; waited < 1200; waited++)); do
  [ ! -s "$folder/network.json" ] || break
  kill -0 "$network" 2> /dev/null || { cat "$folder/network.log" >&2; echo 'The network has ended.' >&2; exit 1; }
  sleep 0.1
done
[ -s "$folder/network.json" ] || { echo 'The network is not ready after two minutes.' >&2; exit 1; }

node - "$folder/network.json" "$network" <<'SCRIPT'
const { appendFileSync, readFileSync } = require("node:fs");
const [file, pid] = process.argv.slice(2);
const network = JSON.parse(readFileSync(file, "utf8"));
const user = network.nodes.find(({ name }) => name === "app-user");
const outputs = {
  network: JSON.stringify(network),
  "validator-url": user.validatorUrl,
  "ledger-url": user.ledgerUrl,
  "scan-url": network.svs[0].scanUrl,
  token: user.token,
};
const environment = {
  CALLSIGN_VALIDATOR_URL: user.validatorUrl,
  CALLSIGN_LEDGER_URL: user.ledgerUrl,
  CALLSIGN_SCAN_URL: network.svs[0].scanUrl,
  CALLSIGN_TOKEN: user.token,
  CALLSIGN_NETWORK_PID: pid,
};
const write = (target, values) =>
  appendFileSync(target, Object.entries(values).map(([name, value]) => `${name}=${value}\n`).join(""));
write(process.env.GITHUB_OUTPUT, outputs);
write(process.env.GITHUB_ENV, environment);
SCRIPT
