/** The commands about names and coin, on the local network or on another one. */
import { resolveName, searchNames, showHistory, showNamesOfParty } from "../names/look-up.ts";
import {
  cancelName,
  choosePrimary,
  renewName,
  setRenewal,
  showOwnNames,
  takeUpName,
} from "../names/own-names.ts";
import { registerName } from "../names/register-name.ts";
import { watchNames } from "../names/watch-names.ts";
import {
  ANSWER_OPTIONS,
  type NetworkCommand,
  SCAN_OPTION,
  TARGET_OPTIONS,
  USER_OPTION,
} from "../networks/network-command.ts";
import type { OptionTable } from "../settings/source-options.ts";
import { showBalance, tapCoin } from "../wallet/coin.ts";
import { sendCoin } from "../wallet/send-coin.ts";

const READ_OPTIONS: OptionTable = { ...USER_OPTION, ...TARGET_OPTIONS, ...SCAN_OPTION, ...ANSWER_OPTIONS };
const WALLET_OPTIONS: OptionTable = { ...USER_OPTION, ...TARGET_OPTIONS, ...ANSWER_OPTIONS };
const ENDING = "A name without a dot gets the network's ending.";

export const NAME_COMMANDS: Readonly<Record<string, NetworkCommand>> = {
  resolve: {
    form: "<name>",
    summary: "the owner of a name, as several scans agree",
    details: ENDING,
    examples: ["callsign resolve alice", "callsign resolve alice.unverified.cns --json"],
    options: READ_OPTIONS,
    words: [1, 1],
    run: resolveName,
  },
  whois: {
    form: "<party>",
    summary: "the names of a party, and the one it is called by",
    examples: ['callsign whois "$PARTY"'],
    options: READ_OPTIONS,
    words: [1, 1],
    run: showNamesOfParty,
  },
  search: {
    form: "<prefix>",
    summary: "the names that start with a prefix",
    examples: ["callsign search al", "callsign search sv --limit 2"],
    options: {
      limit: { type: "string", form: "<count>", meaning: "so many names at most (100)" },
      after: { type: "string", form: "<name>", meaning: "names behind this one" },
      ...READ_OPTIONS,
    },
    words: [1, 1],
    run: searchNames,
  },
  history: {
    form: "<name>",
    summary: "the changes of a name: owners, renewals, refunds",
    details: ENDING,
    examples: ["callsign history alice"],
    options: READ_OPTIONS,
    words: [1, 1],
    run: showHistory,
  },
  watch: {
    form: "[<name>|<party>]",
    summary: "changes of names while they happen, until Ctrl-C",
    details:
      "One line a change. A lost connection goes on behind the last change, with another scan if there are several. " +
      "Each change has an offset: --after goes on behind it.",
    examples: ["callsign watch", "callsign watch alice --after 0"],
    options: {
      after: {
        type: "string",
        form: "<offset>",
        meaning: "begins behind this change; 0 is the first of all",
      },
      ...READ_OPTIONS,
    },
    words: [0, 1],
    run: watchNames,
  },
  register: {
    form: "<name>",
    summary: "buys a name, and waits until it is live",
    details:
      "The suffix may be left out. The price is locked at first, and comes back if the name is lost to somebody faster.",
    examples: [
      'callsign register alice --url https://example.com --description "Hello"',
      "callsign register bob --as app-provider",
    ],
    options: {
      url: { type: "string", form: "<url>", meaning: "an http or https address of the owner" },
      description: { type: "string", form: "<text>", meaning: "a few words about the owner" },
      ...WALLET_OPTIONS,
    },
    words: [1, 1],
    run: registerName,
  },
  names: {
    form: "",
    summary: "the user's names, their renewal, and requests that wait",
    examples: ["callsign names", "callsign names --as app-provider"],
    options: WALLET_OPTIONS,
    run: showOwnNames,
  },
  renew: {
    form: "<name>",
    summary: "pays a renewal that is due, by hand",
    details: "Wallets renew names by themselves in the last 30 days, unless auto-renewal is off.",
    examples: ["callsign renew alice"],
    options: WALLET_OPTIONS,
    words: [1, 1],
    run: renewName,
  },
  "auto-renewal": {
    form: "<name> on|off",
    summary: "switches the renewal of a name by itself on or off",
    examples: ["callsign auto-renewal alice off", "callsign auto-renewal alice on"],
    options: WALLET_OPTIONS,
    words: [2, 2],
    choices: [[], ["on", "off"]],
    run: setRenewal,
  },
  cancel: {
    form: "<name>",
    summary: "ends the renewal of a name: it lapses when it expires",
    examples: ["callsign cancel alice"],
    options: WALLET_OPTIONS,
    words: [1, 1],
    run: cancelName,
  },
  "take-up": {
    form: "<name>",
    summary: "takes up a cancelled name again",
    examples: ["callsign take-up alice"],
    options: WALLET_OPTIONS,
    words: [1, 1],
    run: takeUpName,
  },
  primary: {
    form: "<name>|--none",
    summary: "chooses the name that the user is called by",
    examples: ["callsign primary alice", "callsign primary --none"],
    options: { none: { type: "boolean", meaning: "takes the choice back" }, ...WALLET_OPTIONS },
    words: [0, 1],
    run: choosePrimary,
  },
};

export const COIN_COMMANDS: Readonly<Record<string, NetworkCommand>> = {
  balance: {
    form: "",
    summary: "the coin of the user's wallet, and its dollars",
    examples: ["callsign balance", "callsign balance --as app-provider --json"],
    options: WALLET_OPTIONS,
    run: showBalance,
  },
  tap: {
    form: "<dollars>",
    summary: "takes free coin for so many dollars, on a network for development",
    examples: ["callsign tap 100"],
    options: WALLET_OPTIONS,
    words: [1, 1],
    run: tapCoin,
  },
  send: {
    form: "<coin> <name>|<party>",
    summary: "sends coin to a party, or to the owner of a name",
    details:
      "The name is resolved as several scans agree. The command shows the party and asks, unless --yes is given, and warns " +
      "if the name has another owner than the last time.",
    examples: ["callsign send 5 bob --yes", 'callsign send 0.5 "$PARTY" --as app-provider --yes'],
    options: {
      yes: { type: "boolean", meaning: "does not ask" },
      description: { type: "string", form: "<text>", meaning: "a few words for the receiver" },
      ...WALLET_OPTIONS,
    },
    words: [2, 2],
    run: sendCoin,
  },
};
