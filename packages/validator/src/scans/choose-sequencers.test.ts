import { parseTime, type Time } from "@callsign/ledger";
import { silentLog } from "@callsign/node";
import { expect, test } from "vitest";
import { chooseSequencers, type ListedSequencer } from "./choose-sequencers.ts";

function time(text: string): Time {
  const parsed = parseTime(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

const now = time("2026-03-01T00:00:00Z");
const at = { now, migrationId: 1, log: silentLog };

function listed(svName: string, change: Partial<ListedSequencer> = {}): ListedSequencer {
  return {
    ...{ migrationId: 1, synchronizerSerial: null, url: `https://${svName}.example.com`, svName },
    availableAfter: "2026-02-28T23:59:59Z",
    ...change,
  };
}

test("a sequencer is used with the network's migration id, from its time on, and with a URL that can be called", () => {
  const sequencers = [
    listed("a"),
    listed("b", { availableAfter: "2026-03-01T00:00:00Z" }),
    listed("c", { availableAfter: "2026-03-01T00:00:00.000001Z" }),
    listed("d", { migrationId: 0 }),
    listed("e", { migrationId: -1, synchronizerSerial: 4 }),
    listed("f", { url: "ftp://f.example.com" }),
    listed("g", { url: "https://a.example.com/" }),
  ];
  expect(chooseSequencers({ kind: "from-scan" }, sequencers, at)).toEqual({
    urls: ["https://a.example.com", "https://b.example.com"],
    threshold: null,
  });
});

test("an empty list is an error, not a change", () => {
  expect(() => chooseSequencers({ kind: "from-scan" }, [listed("d", { migrationId: 0 })], at)).toThrow(
    "the scans list 1 sequencers, and none with migration id 1 can be used now",
  );
});

test("of chosen SVs there must be as many as the threshold", () => {
  const sequencers = [listed("a"), listed("b"), listed("c", { migrationId: 2 })];
  const source = { kind: "bft-custom", svNames: ["b", "a", "c"] } as const;
  expect(chooseSequencers({ ...source, threshold: 2 }, sequencers, at)).toEqual({
    urls: ["https://a.example.com", "https://b.example.com"],
    threshold: 2,
  });
  expect(() => chooseSequencers({ ...source, threshold: 3 }, sequencers, at)).toThrow(
    "2 sequencers of the SVs b, a, c can be used, and the threshold is 3; this network has sequencers of a, b",
  );
});
