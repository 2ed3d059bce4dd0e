/** Entries and changes of names as lines for people. Urls and descriptions are others' text. */
import type { AnsEntry, NameChange } from "@callsign/api";
import { formatTable, plainText } from "@callsign/node";
import type { Paint } from "../output/answer-printer.ts";

/** `2027-01-14 07:45 UTC` */
export function formatMoment(time: string | Date): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function describeEntry(entry: AnsEntry, paint: Paint): string {
  const { name, user, url, description, expires_at } = entry;
  const rows = [
    ["owner", user],
    ["expires", expires_at === null ? "never" : formatMoment(expires_at)],
    ["url", url],
    ["description", description],
  ].filter(([, text]) => text !== "");
  const lines = formatTable(rows.map(([what = "", text = ""]) => [what, plainText(text)]));
  return `${paint("bold", plainText(name))}\n${lines.replace(/^/gm, "  ")}\n`;
}

/** A table with a line for each. */
export function describeEntries(entries: readonly AnsEntry[], paint: Paint): string {
  const rows = entries.map(({ name, user, expires_at }) => [
    plainText(name),
    expires_at === null ? "never" : formatMoment(expires_at),
    plainText(user),
  ]);
  const [head = "", ...lines] = formatTable([["name", "expires", "owner"], ...rows]).split("\n");
  return `${[paint("bold", head), ...lines].join("\n")}\n`;
}

export function describeChange(change: NameChange, paint: Paint): string {
  const { record_time, kind, name, owner, expires_at, amulet } = change;
  const coin =
    amulet === null ? "" : `, ${trimZeros(amulet)} coin ${kind === "refunded" ? "back" : "burned"}`;
  const until = expires_at === null ? "" : `, until ${formatMoment(expires_at)}`;
  const style = kind === "expired" || kind === "refunded" ? "yellow" : "green";
  const what = `${paint(style, kind)} ${paint("bold", plainText(name))}`;
  return `${paint("dim", formatMoment(record_time))}  ${what}${until}${coin}  ${paint("dim", plainText(owner))}\n`;
}

/** `200.0` for `200.0000000000`. */
export function trimZeros(amount: string): string {
  return amount.replace(/(\.\d+?)0+$/, "$1");
}
