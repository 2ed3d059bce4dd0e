import type { LogEntry, Outcome } from "@callsign/ledger";
import { Metrics, systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { SHOWN_MEMBERS } from "../limits/limits.ts";
import { SenderMetrics } from "./replica-metrics.ts";

const entryOf = (member: string) => ({ content: `["Submit",["network","${member}",` }) as LogEntry;
const outcomeOf = (kind: "accepted" | "ignored") => ({ verdict: { kind } }) as Outcome;

test("made-up senders of ignored entries, and senders beyond the bound, are counted as others", async () => {
  const metrics = new Metrics();
  const senders = new SenderMetrics(metrics);
  const count = (kind: "accepted" | "ignored", members: readonly string[]) =>
    senders.countEntries({ entries: members.map(entryOf), outcomes: members.map(() => outcomeOf(kind)) });
  count("ignored", ["mallory::1220", "malory::1220"]);
  count(
    "accepted",
    Array.from({ length: SHOWN_MEMBERS + 5 }, (_, i) => `member-${i}::1220`),
  );
  count("ignored", ["member-0::1220"]);
  const families = await metrics.gather(systemHost.timers);
  const samples = families.find(({ name }) => name === "daml_sequencer_block_events_total")?.samples ?? [];
  expect(samples).toHaveLength(SHOWN_MEMBERS + 1);
  const of = (member: string) => samples.find(({ labels }) => labels["member"] === member)?.value;
  expect([of("others"), of("PAR::member-0::1220"), of("PAR::member-1::1220")]).toEqual([7, 2, 1]);
});
