/** The commands about the local network. */
import { misbehave, SCAN_BEHAVIOURS } from "../local-network/misbehave.ts";
import { moveClockForward, showClock } from "../local-network/move-clock.ts";
import { showLogs } from "../local-network/show-logs.ts";
import {
  showCredentials,
  showEnvironment,
  showNetworkStatus,
  showParties,
} from "../local-network/show-network.ts";
import {
  deleteNetworkSnapshot,
  listNetworkSnapshots,
  restoreNetworkSnapshot,
  saveNetworkSnapshot,
} from "../local-network/snapshots.ts";
import { startNetwork } from "../local-network/start-network.ts";
import { stopNetwork } from "../local-network/stop-network.ts";
import { ANSWER_OPTIONS, DATA_OPTION, type NetworkCommand } from "../networks/network-command.ts";
import type { OptionTable } from "../settings/source-options.ts";

const OPTIONS: OptionTable = { ...DATA_OPTION, ...ANSWER_OPTIONS };

/** Those of `callsign localnet`, which says more about each. */
const START_OPTIONS: OptionTable = {
  fresh: { type: "boolean", meaning: "forget what an earlier run has left" },
  "any-ports": { type: "boolean", meaning: "listen on whatever ports are free" },
  acronym: { type: "string", form: "<word>", meaning: "what names end in, for a new network (cns)" },
  pause: { type: "string", form: "<names>", meaning: "automations that do not run, with commas between" },
  rebuild: { type: "string", form: "<part>", meaning: "move the store of a part aside and rebuild it" },
  "allow-host": { type: "string", form: "<names>", meaning: "further host names by which it may be called" },
  "allow-origin": { type: "string", form: "<origins>", meaning: "further origins whose pages may call it" },
  log: {
    type: "string",
    form: "<level>",
    meaning: "debug, info, warn or error (info)",
    choices: ["debug", "info", "warn", "error"],
  },
};

export const LOCAL_NETWORK_COMMANDS: Readonly<Record<string, NetworkCommand>> = {
  up: {
    form: "",
    summary: "starts the local network in the background, and waits until it answers",
    details: "Its output goes to <folder>.log and <folder>.out beside the data folder.",
    examples: [
      "callsign up",
      "callsign up --fresh --acronym ans",
      "callsign up --data /tmp/second --any-ports",
    ],
    options: { ...START_OPTIONS, ...OPTIONS },
    run: startNetwork,
  },
  down: {
    form: "",
    summary: "stops the local network; its data is kept",
    examples: ["callsign down"],
    options: OPTIONS,
    run: stopNetwork,
  },
  status: {
    form: "[<role>]",
    summary: "is the network ready; with a configuration: asks the running process of that role",
    details:
      "Of a role it tells where it listens and how far it has come. The configuration is named by -f, --set and --secrets, or " +
      "by environment variables, as for the role itself.",
    examples: ["callsign status", "callsign status -f validator-values.yaml"],
    options: OPTIONS,
    run: showNetworkStatus,
  },
  logs: {
    form: "",
    summary: "the last lines of the local network's log",
    examples: ["callsign logs", "callsign logs -n 200", "callsign logs --follow"],
    options: {
      follow: { type: "boolean", meaning: "goes on with new lines until Ctrl-C" },
      lines: { type: "string", short: "n", form: "<count>", meaning: "so many lines (50)" },
      ...OPTIONS,
    },
    run: showLogs,
  },
  env: {
    form: "",
    summary: "addresses, tokens and parties of the local network as variables",
    details: "Piped or with --json they are one JSON object, with --shell lines for a shell.",
    examples: ['eval "$(callsign env --shell)"', "callsign env --json"],
    options: { shell: { type: "boolean", meaning: "lines that a shell evaluates" }, ...OPTIONS },
    run: showEnvironment,
  },
  credentials: {
    form: "",
    summary: "users, tokens and secrets of the local network",
    examples: ["callsign credentials"],
    options: OPTIONS,
    run: showCredentials,
  },
  parties: {
    form: "",
    summary: "the parties of the local network's users",
    examples: ["callsign parties"],
    options: OPTIONS,
    run: showParties,
  },
  clock: {
    form: "",
    summary: "the local network's time",
    examples: ["callsign clock"],
    options: OPTIONS,
    run: showClock,
  },
  "clock forward": {
    form: "<length>",
    summary: "moves the local network's clock forward, such as 90s, 30m, 12h or 60d",
    details:
      "The clock stops wherever an automation has something due, so that names are renewed and expire on the way.",
    examples: ["callsign clock forward 60d", "callsign clock forward 1h --every-round"],
    options: {
      "every-round": { type: "boolean", meaning: "stops in each round, so that rewards are earned" },
      ...OPTIONS,
    },
    words: [1, 1],
    run: moveClockForward,
  },
  misbehave: {
    form: "<scan> <behaviour>",
    summary: "makes a scan lie, lag, hang, fail, hang up, or be honest again",
    examples: ["callsign misbehave 3 lie", "callsign misbehave 3 honest"],
    options: OPTIONS,
    words: [2, 2],
    choices: [["1", "2", "3", "4"], SCAN_BEHAVIOURS],
    run: misbehave,
  },
  "snapshot save": {
    form: "<name>",
    summary: "saves the whole local network as it is now, while it goes on",
    examples: ["callsign snapshot save before-races"],
    options: OPTIONS,
    words: [1, 1],
    run: saveNetworkSnapshot,
  },
  "snapshot list": {
    form: "",
    summary: "the snapshots of the local network, the oldest first",
    examples: ["callsign snapshot list"],
    options: OPTIONS,
    run: listNetworkSnapshots,
  },
  "snapshot restore": {
    form: "<name>",
    summary: "puts the whole local network back to a snapshot, on the same ports",
    details: "Offsets and contract ids are those of the moment when it was saved, and so is the clock.",
    examples: ["callsign snapshot restore before-races"],
    options: OPTIONS,
    words: [1, 1],
    run: restoreNetworkSnapshot,
  },
  "snapshot delete": {
    form: "<name>",
    summary: "deletes a snapshot of the local network",
    examples: ["callsign snapshot delete before-races"],
    options: OPTIONS,
    words: [1, 1],
    run: deleteNetworkSnapshot,
  },
};
