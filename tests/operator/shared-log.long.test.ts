/** One process an SV, on one log on PostgreSQL: founded by draft, used by a validator, and one SV lost and back. */
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import type { RoleProcess } from "./role-process.ts";
import { SharedLogNetwork } from "./shared-log-network.ts";

const MINUTE = 60_000;
const atEnd = atEndOfFile();
let network: SharedLogNetwork;

beforeAllOrSkip(async (context) => {
  network = await SharedLogNetwork.prepare(atEnd, context);
}, 5 * MINUTE);

test(
  "an SV on an empty log waits for the founding and says so; then all SVs are ready",
  async () => {
    const [first, second] = network.svs as [RoleProcess, RoleProcess];
    const found = await network.sign();
    first.start();
    const isTold = async () => (await first.missing(fetch))?.includes("callsign network found") === true;
    await until(isTold, "the SV says that the founding is missing", MINUTE);
    const outcomes = await Promise.all([first, second].map((each) => network.succeed(each, ...found)));
    expect(outcomes.map((said) => said.split(":")[0]).toSorted()).toEqual([
      "The network is founded",
      "The network was founded before, by this draft",
    ]);
    await network.restrictScan();
    for (const each of network.processes()) if (!each.isRunning) each.start();
    for (const each of network.processes()) await each.ready(fetch);
  },
  3 * MINUTE,
);

test(
  "a name is bought, and every SV's scan has it",
  async () => {
    const owner = await network.buy("first");
    for (const number of [1, 2, 3, SharedLogNetwork.LONELY])
      expect(await network.ownerAt(number, "first.unverified.cns")).toBe(owner);
  },
  2 * MINUTE,
);

test(
  "SVs of different processes hear of each other, and agree",
  async () => {
    const lagsOf = async ({ machine }: RoleProcess) => {
      const text = await (await fetch(`http://${machine.address}:10013/metrics`)).text();
      return [...text.matchAll(/^callsign_peer_lag_entries\{.*peer="(sv-\d)::.*\} (\d+)$/gm)].map(
        ([, peer, lag]) => [peer, lag],
      );
    };
    for (const [i, sv] of network.svs.entries()) {
      const others = ["sv-1", "sv-2", "sv-3"].filter((name) => name !== `sv-${i + 1}`);
      const areHeard = async () =>
        isDeepStrictEqual(
          (await lagsOf(sv)).toSorted(),
          others.map((name) => [name, "0"]),
        );
      await until(areHeard, `sv-${i + 1} agrees with the others`, MINUTE);
    }
  },
  2 * MINUTE,
);

test(
  "a scan without an SV answers as the scans of SVs do",
  async () => {
    const answersOf = async (number: number) => {
      const scan = network.scan(number);
      return Promise.all([
        scan.lookupAnsEntryByName({ params: { name: "first.unverified.cns" } }),
        scan.listAnsEntries({ query: { page_size: 100 } }),
        scan.getDsoInfo(),
        scan.listDsoScans(),
        scan.getAnsRules({ body: {} }),
      ]);
    };
    // Each stands at the last entry that it has heard of.
    const areEqual = async () => {
      const [own, others] = await Promise.all([SharedLogNetwork.LONELY, 1].map(answersOf));
      return isDeepStrictEqual(own, others);
    };
    await until(areEqual, "both scans answer alike", MINUTE);
  },
  2 * MINUTE,
);

test(
  "names are bought while an SV is lost, and it has them when it is back",
  async () => {
    const [, , third] = network.svs as [RoleProcess, RoleProcess, RoleProcess];
    await third.stop("SIGKILL");
    const owner = await network.buy("second");
    third.start();
    await third.ready(fetch);
    expect(await network.ownerAt(3, "second.unverified.cns")).toBe(owner);
  },
  3 * MINUTE,
);

test(
  "a log that lost its tail gets it back from the SVs: bought names are there, and others are bought",
  async () => {
    const [first, second, third] = network.svs as [RoleProcess, RoleProcess, RoleProcess];
    const owner = await network.buy("third");
    for (const sv of network.svs) await sv.stop("SIGKILL");
    await network.loseTail(3);
    second.start();
    third.start();
    const isTold = async () => (await second.missing(fetch))?.includes("run `callsign log restore`") === true;
    await until(isTold, "the SV says how the log is restored", MINUTE);
    expect(await network.succeed(first, "log", "restore", "--yes")).toContain(
      "The log is whole. Start this SV.",
    );
    for (const sv of [second, third]) await sv.stop("SIGKILL");
    for (const sv of network.svs) sv.start();
    for (const sv of network.svs) await sv.ready(fetch);
    for (const number of [1, 2, 3]) expect(await network.ownerAt(number, "third.unverified.cns")).toBe(owner);
    expect(await network.buy("fourth")).toBe(owner);
  },
  3 * MINUTE,
);

test(
  "a process without an identity of the network is not ready, and says what to do",
  async () => {
    const [, , third] = network.svs as [RoleProcess, RoleProcess, RoleProcess];
    await third.stop("SIGKILL");
    third.change({ callsign: { dataFolder: `${network.folder}/stranger` } });
    third.start();
    const isTold = async () =>
      /sv-3::\w+ is none of the network's SVs: restore identity\.json/.test(
        (await third.missing(fetch)) ?? "",
      );
    await until(isTold, "the stranger says that it is none of the SVs", MINUTE);
  },
  2 * MINUTE,
);
