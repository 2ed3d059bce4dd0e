// SVs come and go on one network: a fifth joins by its token, another is voted out, and the others go on.
import { createClient, HttpError, scanApi, svApi } from "@callsign/api";
import { beforeAll, describe, expect, test } from "vitest";
import {
  BACKED_TIME_VERSION,
  DsoRules,
  decodeText,
  SvOnboardingRequest,
} from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { svPartyOf } from "../../packages/sv/src/founding/sign-founding.ts";
import { signSvToken } from "../../packages/sv/src/onboarding/sv-onboarding-token.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { dsoPartyId } from "../../packages/validator/src/scans/scan-lookups.ts";
import { newCandidateKeys } from "../support/candidate-keys.ts";
import { openScanDirectory } from "../support/scan-directory.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";
import { voteOutSv } from "../support/vote-out-sv.ts";

const keys = newCandidateKeys();
const approvedSvs = ["sv-5", "sv-2"].map((name) => ({
  ...{ name, publicKey: keys.publicKey, rewardWeightBps: 20_000n },
}));
let network: SvNodes;
let fifth: SvNode;
const first = () => network.svs[0] as SvNode;
const appOf = (node: SvNode) => createClient(svApi, { fetch, baseUrl: `${node.appUrl}/api/sv` });
const idsOf = (...nodes: readonly SvNode[]) => nodes.map(({ identity }) => identity.id);
const setOf = ({ replica }: SvNode) => replica.state.network?.svs;
const statusOf = (candidate: string) =>
  appOf(first()).getSvOnboardingStatus({ params: { candidate_party_id_or_name: candidate } });
const rules = () => decodeText(DsoRules.record, network.list(DsoRules)[0]?.payload ?? "");

async function settle(nodes: readonly SvNode[]): Promise<void> {
  const sequence = Math.max(...nodes.map(({ replica }) => replica.state.head.sequence));
  for (const { replica } of nodes) await replica.reach(sequence, AbortSignal.timeout(60_000));
}

const atEnd = atEndOfFile();

beforeAll(async () => {
  network = await startSvNodes(
    4,
    atEnd,
    { protocolVersion: BACKED_TIME_VERSION, isDevNet: false },
    { approvedSvs, app: { auth: { kind: "none" } } },
  );
  const joining = { ...keys, sponsorUrl: `${first().appUrl}/api/sv` };
  fifth = await network.reopen(4, { joining });
  await until(() => fifth.missing() === null, "the fifth SV is ready", 60_000);
  await settle([...network.svs, fifth]);
}, 120_000);

describe("a candidate with an approved key", () => {
  test("becomes the fifth SV, with the weight that the SVs have agreed on", async () => {
    expect(setOf(first())).toEqual(idsOf(...network.svs, fifth));
    expect(rules().svs.find(([, { name }]) => name === "sv-5")?.[1].svRewardWeight).toBe(20_000n);
    expect(await statusOf("sv-5")).toMatchObject({ state: "completed", name: "sv-5" });
    expect(await statusOf("nobody")).toMatchObject({ state: "unknown", name: null });
  });

  test("acts like the others: it moves the clock, and its stamps count", async () => {
    const before = first().now();
    await fifth.moveClock(1_000_000n);
    await settle([...network.svs, fifth]);
    expect(first().now() - before).toBeGreaterThanOrEqual(1_000_000n);
    expect(first().replica.state.findStamp(fifth.identity.id)).toBeDefined();
  });

  test("is attested by a quorum of the SVs before it", async () => {
    await until(
      () => first().replica.state.findSvSet(1n)?.attestations.length === 3,
      "three SVs attested",
      60_000,
    );
    expect(first().replica.state.findSvSet(1n)?.before).toEqual(idsOf(...network.svs));
  });

  test("leaves no request behind", async () => {
    await until(() => network.list(SvOnboardingRequest).length === 0, "its request is archived", 60_000);
  });

  test("stays an SV after a restart, also without its onboarding keys", async () => {
    await fifth.close();
    fifth = await network.reopen(4, { joining: { ...keys, sponsorUrl: "http://127.0.0.1:9/api/sv" } });
    await until(() => fifth.missing() === null, "the fifth SV is ready with its keys", 60_000);
    await fifth.close();
    fifth = await network.reopen(4);
    await until(() => fifth.missing() === null, "the fifth SV is ready again", 60_000);
    expect(setOf(fifth)).toEqual(setOf(first()));
  });
});

describe("a candidate that nobody has approved", () => {
  test("is refused, and says so", async () => {
    const own = newCandidateKeys();
    const stranger = await network.reopen(5, { joining: { ...own, sponsorUrl: `${first().appUrl}/api/sv` } });
    await until(() => stranger.missing()?.includes("401") === true, "the sponsor refuses it", 60_000);
    expect(stranger.missing()).toContain('no approved SV has the name "sv-6"');
    expect(setOf(first())).not.toContain(stranger.identity.id);
    await stranger.close();
  });

  test.each(["nonsense", "a.b.c"])("has no token %s", async (token) => {
    const asked = appOf(first()).startSvOnboarding({ body: { token } });
    await expect(asked).rejects.toSatisfy((error) => error instanceof HttpError && error.status === 400);
  });
});

describe("an SV that is voted out", () => {
  let validator: Awaited<ReturnType<typeof openScanDirectory>>;
  const second = () => network.svs[1] as SvNode;
  const others = () => [...network.svs.filter((node) => node !== second()), fifth];

  beforeAll(async () => {
    validator = await openScanDirectory(first().scanUrl, atEnd);
    await validator.directory.discover();
    expect(validator.group.urls).toHaveLength(5);
    const voters = others().map(({ identity, appUrl }) => ({ party: svPartyOf({ identity }), appUrl }));
    await voteOutSv(svPartyOf(second()), voters);
    await until(() => setOf(first())?.length === 4, "the vote is closed", 60_000);
  }, 120_000);

  test("leaves four SVs, which go on and attest the set", async () => {
    expect(setOf(first())).toEqual(
      idsOf(...others().toSorted((a, b) => (a === fifth ? 1 : b === fifth ? -1 : 0))),
    );
    await first().moveClock(1_000_000n);
    await until(
      () => (first().replica.state.findSvSet(2n)?.attestations.length ?? 0) === 4,
      "it is attested",
      60_000,
    );
  });

  test("is no longer among the scans that validators read from", async () => {
    await validator.directory.refresh();
    const scanUrls = others().map(({ scanUrl }) => `${scanUrl}/api/scan`);
    expect(validator.group.urls.toSorted()).toEqual(scanUrls.toSorted());
    const { dso } = first().replica.state.network ?? {};
    expect(await validator.group.read(dsoPartyId)).toEqual({ dso_party_id: dso });
  });

  test("is not ready, says why, and takes no entries", async () => {
    await until(() => second().missing() !== null, "it has heard of it");
    expect(second().missing()).toContain("was offboarded: it has no vote");
    await expect(second().moveClock(1_000_000n)).rejects.toThrow("Only SVs may do this");
  });

  test("is refused when it asks to join again", async () => {
    const { identity } = second();
    const { dso = "" } = first().replica.state.network ?? {};
    const candidate = { name: "sv-2", key: keys.publicKey, participantId: `PAR::${identity.id}`, dso };
    const token = signSvToken({ ...candidate, party: svPartyOf({ identity }) }, keys.privateKey);
    await expect(appOf(first()).startSvOnboarding({ body: { token } })).rejects.toSatisfy(
      (error) => error instanceof HttpError && error.message.includes("was an SV before"),
    );
  });

  test("says so at its next start", async () => {
    await second().close();
    const again = await network.reopen(1);
    await until(() => again.missing()?.includes("was offboarded") === true, "it says so", 60_000);
    await again.close();
    expect(again.failure()).toBeNull();
  });

  test("stands among the vote results, of scan and of the SV apps", async () => {
    const body = { actionName: "OffboardSv", accepted: true, requester: "sv-1", limit: 10 };
    const scan = createClient(scanApi, { fetch, baseUrl: `${first().scanUrl}/api/scan` });
    const { dso_rules_vote_results: results } = await scan.listVoteRequestResults({ body });
    expect(results).toMatchObject([
      { request: { requester: "sv-1" }, abstainingSvs: ["sv-2"], outcome: { tag: "VRO_Accepted" } },
    ]);
    expect((await appOf(fifth).listVoteRequestResults({ body })).dso_rules_vote_results).toEqual(results);
    for (const other of [
      { accepted: false },
      { actionName: "AddSv" },
      { requester: "sv-3" },
      { effectiveTo: "2020-01-01T00:00:00Z" },
    ])
      expect(
        (await scan.listVoteRequestResults({ body: { ...body, ...other } })).dso_rules_vote_results,
      ).toEqual([]);
  });
});
