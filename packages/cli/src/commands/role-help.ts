/** The help of the commands that read a configuration, and of those beside them. */
import type { CommandHelp } from "../output/command-help.ts";

const VALUES = "-f validator-values.yaml";

const RUN: Readonly<Record<string, CommandHelp>> = {
  validator: {
    form: "",
    summary: "runs a validator until it is told to stop",
    examples: [`callsign validator ${VALUES} --secrets /etc/secrets`],
  },
  participant: {
    form: "",
    summary: "runs a participant until it is told to stop",
    examples: ["callsign participant -f participant-values.yaml"],
  },
  sv: {
    form: "[--workers <n>]",
    summary: "runs SVs: all of a network, or some on a shared log",
    details: "A network is founded at its first start. With workers, scans are served by n processes each.",
    examples: ["callsign sv -f sv-values.yaml", "callsign sv -f sv-values.yaml --workers 4"],
  },
  scan: {
    form: "[--workers <n>]",
    summary: "runs a scan that follows a shared log, without an SV",
    examples: ["callsign scan -f scan-values.yaml"],
  },
  localnet: {
    form: "[<options>]",
    summary: "runs a local network in the foreground; its options: callsign localnet --help",
    examples: ["callsign localnet --any-ports --json"],
  },
};

const LOOK: Readonly<Record<string, CommandHelp>> = {
  "config check": {
    form: "[<role>]",
    summary: "tells all mistakes of a configuration at once",
    examples: [`callsign config check ${VALUES}`],
  },
  "config show": {
    form: "[<role>]",
    summary: "prints the merged configuration, without secrets",
    examples: [`callsign config show ${VALUES}`],
  },
  "config explain": {
    form: "[<role>] [<key>]",
    summary: "tells what a key, an environment variable or a HOCON path means",
    examples: ["callsign config explain persistence.host"],
  },
  doctor: {
    form: "[<role>]",
    summary: "tries from outside what the configuration of a validator or participant names",
    examples: [`callsign doctor ${VALUES}`],
  },
};

const KEEP: Readonly<Record<string, CommandHelp>> = {
  backup: {
    form: "[<role>] --to <folder>",
    summary: "copies a role's store and identity while it runs",
    examples: [`callsign backup ${VALUES} --to backup`],
  },
  restore: {
    form: "[<role>] --from <folder> [--verify] [--replace]",
    summary: "restores a stopped role",
    details: "Without a configuration, --verify checks the back-up alone.",
    examples: [`callsign restore ${VALUES} --from backup`, "callsign restore --from backup --verify"],
  },
  "store move": {
    form: "[<role>] --to <file> [--replace]",
    summary: "moves a stopped role's store to the place that another values file names",
    examples: [`callsign store move ${VALUES} --to other-values.yaml`],
  },
  "store resync": {
    form: "[--yes]",
    summary: "says what a stopped participant whose stream was pruned gives up; with --yes it does",
    details: "Its next start loads the active contracts of its parties from the SVs.",
    examples: ["callsign store resync -f participant-values.yaml"],
  },
  "keys show": {
    form: "[<role>]",
    summary: "the signing keys of a participant or of SVs, here and on the network",
    examples: ["callsign keys show -f sv-values.yaml"],
  },
  "keys rotate": {
    form: "[<role>] [--replace-unknown]",
    summary: "gives them new signing keys, while they work",
    examples: ["callsign keys rotate -f sv-values.yaml"],
  },
  "identity export": {
    form: "--to <file>",
    summary: "a participant's private keys, for the loss of its machine",
    examples: ["callsign identity export -f participant-values.yaml --to identity.json"],
  },
  "identity import": {
    form: "--from <file>",
    summary: "puts them into an empty place; the next start reads everything else from the network",
    examples: ["callsign identity import -f participant-values.yaml --from identity.json"],
  },
};

const FOUND: Readonly<Record<string, CommandHelp>> = {
  "identity show": {
    form: "[--json]",
    summary:
      "the public side of the SVs' identities, made if there are none; --json: cards for network draft",
    examples: ["callsign identity show -f sv-values.yaml --json"],
  },
  "network draft": {
    form: "<cards>… --to <file> | --activation --to <file>",
    summary: "the founding of a network of several organisations, from their SVs' cards",
    details: "With --activation: the activation of the newest protocol version that the running SV knows.",
    examples: [
      "callsign network draft a.json b.json c.json d.json -f sv-values.yaml --to draft.json",
      "callsign network draft --activation -f sv-values.yaml --to draft.json",
    ],
  },
  "network sign": {
    form: "<draft> --to <file>",
    summary: "signs a draft for this configuration's SVs: a founding with its terms, or an activation",
    examples: ["callsign network sign draft.json -f sv-values.yaml --to signature.json"],
  },
  "network found": {
    form: "<draft> <signatures>…",
    summary: "appends the draft that all SVs have signed to the configured log; once",
    examples: ["callsign network found draft.json a.json b.json -f sv-values.yaml"],
  },
  "network activate": {
    form: "[<draft> <signatures>…]",
    summary: "has the running SV append an activation that SVs have signed; earlier programs cannot follow",
    details: "Without files: the same on a stopped network whose SVs are all in one data folder.",
    examples: ["callsign network activate draft.json a.json b.json c.json -f sv-values.yaml"],
  },
  "network migrate": {
    form: "",
    summary: "carries a stopped network of SVs over to the next migration id",
    examples: ["callsign network migrate -f sv-values.yaml"],
  },
  "log copy": {
    form: "--to <file>",
    summary: "copies a stopped network's log to the place that another values file names, and verifies it",
    examples: ["callsign log copy -f sv-values.yaml --to other-values.yaml"],
  },
  "log restore": {
    form: "[--yes] [--lost <SV>,…] [--keep <number>:<hash>,…]",
    summary: "says which entries a shared log that lost its tail gets back from the SVs' copies",
    details:
      "It runs beside a stopped SV. With --yes it appends them, and cuts dropped entries from the SV's own copy.",
    examples: ["callsign log restore -f sv-values.yaml"],
  },
};

const OTHER: Readonly<Record<string, CommandHelp>> = {
  completion: {
    form: "bash|zsh|fish",
    summary: "prints the completion of commands, options and values for a shell",
    examples: ["source <(callsign completion bash)"],
  },
  version: {
    form: "",
    summary: "the version of this program, also as --version",
    examples: ["callsign version"],
  },
  help: {
    form: "[<command>]",
    summary: "this text, or the options and examples of a command",
    examples: ["callsign help register"],
  },
};

/** Groups of commands by their headings, in the order of the overview. */
export const ROLE_HELP_GROUPS: Readonly<Record<string, Readonly<Record<string, CommandHelp>>>> = {
  "Roles as processes": RUN,
  "Look at a configuration, or at a running role": LOOK,
  "Stores, keys and back-ups": KEEP,
  "Networks of SVs": FOUND,
  Other: OTHER,
};
