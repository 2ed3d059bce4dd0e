/** `resolve`, `whois`, `search` and `history`: what a network knows of names. */
import type { AnsEntry, NameChange } from "@callsign/api";
import { plainText } from "@callsign/node";
import { openConnection } from "../networks/connection.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { readCount } from "../networks/read-count.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { describeChange, describeEntries, describeEntry } from "./describe-entry.ts";
import { fullNameOf, openLookups } from "./lookups.ts";

const PAGE_SIZE = 500;
const DEFAULT_LIMIT = 100;
const MOST = 100_000;

export async function resolveName(call: CommandCall): Promise<number> {
  const [given = ""] = call.words;
  const lookups = openLookups(await openConnection(call));
  const name = await fullNameOf(lookups, given);
  const entry = await lookups.findByName(name);
  if (entry === null) throw new CommandFailure(EXIT.notFound, `nobody has the name ${plainText(name)} now`);
  call.printer.print({ entry }, (paint) => describeEntry(entry, paint));
  return EXIT.done;
}

export async function showNamesOfParty(call: CommandCall): Promise<number> {
  const [party = ""] = call.words;
  const lookups = openLookups(await openConnection(call));
  const entries: AnsEntry[] = [];
  let primary: AnsEntry | null = null;
  for (let after: string | null = ""; after !== null && entries.length < MOST; ) {
    const page: Awaited<ReturnType<typeof lookups.listOfParty>> = await lookups.listOfParty(party, {
      page_size: PAGE_SIZE,
      after,
    });
    entries.push(...page.entries);
    ({ primary, next: after } = page);
  }
  if (entries.length === 0)
    throw new CommandFailure(EXIT.notFound, `the party ${plainText(party)} has no name now`);
  call.printer.print({ primary, entries }, (paint) => {
    const called = primary === null ? "" : `called ${paint("bold", plainText(primary.name))}\n`;
    return `${called}${describeEntries(entries, paint)}`;
  });
  return EXIT.done;
}

export async function searchNames(call: CommandCall): Promise<number> {
  const [prefix = ""] = call.words;
  const limit = readCount("limit", call) ?? DEFAULT_LIMIT;
  const lookups = openLookups(await openConnection(call));
  const entries: AnsEntry[] = [];
  let next: string | null = String(call.own["after"] ?? "");
  while (next !== null && entries.length < limit) {
    const query = { page_size: Math.min(PAGE_SIZE, limit - entries.length), after: next };
    const page = await lookups.list(prefix, query);
    entries.push(...page.entries);
    next = page.next;
  }
  if (entries.length === 0)
    throw new CommandFailure(EXIT.notFound, `no name starts with ${plainText(prefix)}`);
  call.printer.print({ entries, next }, (paint) => {
    const more = next === null ? "" : `${paint("dim", `more: callsign search ${prefix} --after ${next}`)}\n`;
    return describeEntries(entries, paint) + more;
  });
  return EXIT.done;
}

export async function showHistory(call: CommandCall): Promise<number> {
  const [given = ""] = call.words;
  const lookups = openLookups(await openConnection(call));
  const name = await fullNameOf(lookups, given);
  const changes: NameChange[] = [];
  let completeFrom: string | null = null;
  for (let after: string | null = "0"; after !== null && changes.length < MOST; ) {
    const page: Awaited<ReturnType<typeof lookups.history>> = await lookups.history(name, {
      page_size: PAGE_SIZE,
      after: BigInt(after),
    });
    changes.push(...page.changes);
    ({ next: after, complete_from: completeFrom } = page);
  }
  if (changes.length === 0)
    throw new CommandFailure(EXIT.notFound, `the name ${plainText(name)} has no history`);
  call.printer.print({ name, changes, complete_from: completeFrom }, (paint) =>
    changes.map((change) => describeChange(change, paint)).join(""),
  );
  return EXIT.done;
}
