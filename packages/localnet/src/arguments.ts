/** The options of `callsign localnet` and `npm start`. */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { explainArguments, findNearestWord } from "@callsign/node";
import { AcronymRefused, checkAcronym } from "./acronym.ts";
import { listParts, type ReplicasOption } from "./data-parts.ts";
import { AUTOMATION_NAMES, type LocalnetAutomation } from "./paused-automations.ts";

export const USAGE = `Usage: callsign localnet [<options>], in a clone npm start [-- <options>]
  --fresh          forget what an earlier run has left
  --data <folder>  where the network keeps its data (.data/localnet)
  --any-ports      listen on whatever ports are free, so that several networks can run
  --allow-host <names>
                   host names besides localhost by which it may be called, such as host.docker.internal
  --allow-origin <origins>
                   origins besides localhost whose pages may call it, such as chrome-extension://…
  --acronym <word> what names end in, for a new network (cns)
  --pause <names>  what SVs and validators do not do by themselves, with commas between
  --rebuild <part> move the store of a part aside and rebuild it: svs, app-user/participant, app-user/validator, …
  --separate-replicas
                   a replica for each SV, as on machines of their own, instead of one that they share
  --json           print addresses and tokens as one line of JSON, for programs
  --log <level>    debug, info, warn or error (info)
  -h, --help       this text`;

const LEVELS = ["debug", "info", "warn", "error"] as const;

const OPTIONS = {
  fresh: { type: "boolean", default: false },
  data: { type: "string", default: join(".data", "localnet") },
  "any-ports": { type: "boolean", default: false },
  "allow-host": { type: "string", default: "" },
  "allow-origin": { type: "string", default: "" },
  acronym: { type: "string", default: "" },
  pause: { type: "string", default: "" },
  rebuild: { type: "string", default: "" },
  "separate-replicas": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  log: { type: "string", default: "info" },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Commands look here as well. */
export const USUAL_DATA_FOLDER = OPTIONS.data.default;

/** The command line cannot be meant. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function readArguments(args: readonly string[]) {
  const parsed = parse(args);
  const {
    acronym,
    pause,
    rebuild,
    log,
    data,
    "allow-host": hosts,
    "allow-origin": origins,
    "separate-replicas": separateReplicas,
    ...values
  } = parsed;
  const level = LEVELS.find((known) => known === log);
  if (level === undefined) throw new UsageError(`--log is one of ${LEVELS.join(", ")}, not ${log}`);
  if (data === "") throw new UsageError("--data needs the name of a folder");
  return {
    ...values,
    level,
    dataFolder: resolve(data),
    pausedAutomations: split(pause).map(readAutomation),
    rebuild: split(rebuild).map((name) => readPart(name, { separateReplicas })),
    separateReplicas,
    allowedCallers: { hosts: split(hosts).map(readHost), origins: split(origins).map(readOrigin) },
    ...(acronym === "" ? {} : { acronym: readAcronym(acronym) }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(explainArguments(error, Object.keys(OPTIONS)), { cause: error });
  }
}

function readAcronym(text: string): string {
  try {
    return checkAcronym(text);
  } catch (error) {
    if (error instanceof AcronymRefused)
      throw new UsageError(`--acronym: ${error.message}`, { cause: error });
    throw error;
  }
}

function split(text: string): readonly string[] {
  const words = text.split(",").map((word) => word.trim());
  return words.filter((word) => word !== "");
}

function readHost(text: string): string {
  if (/^[a-z\d_]([a-z\d._-]*[a-z\d_])?$/i.test(text)) return text;
  throw new UsageError(
    `--allow-host takes host names without scheme and port, such as localnet, not ${text}`,
  );
}

function readOrigin(text: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/\s]+$/i.test(text)) return text;
  throw new UsageError(`--allow-origin takes origins such as https://app.example.com, not ${text}`);
}

function readPart(name: string, replicas: ReplicasOption): string {
  const names = listParts(replicas).map((part) => part.name);
  if (names.includes(name)) return name;
  if (/^log(\.db)?$/.test(name)) {
    throw new UsageError(
      "--rebuild: the log cannot be rebuilt, because everything else is made from it. " +
        "Restore log.db from a copy, or begin anew with --fresh",
    );
  }
  const nearest = findNearestWord(name, names);
  const meant = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw new UsageError(`--rebuild knows no ${name}: it takes ${names.join(", ")}.${meant}`);
}

function readAutomation(name: string): LocalnetAutomation {
  const known = AUTOMATION_NAMES.find((each) => each === name);
  if (known !== undefined) return known;
  const nearest = findNearestWord(name, AUTOMATION_NAMES);
  const meant = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw new UsageError(`--pause knows no ${name}: it takes ${AUTOMATION_NAMES.join(", ")}.${meant}`);
}
