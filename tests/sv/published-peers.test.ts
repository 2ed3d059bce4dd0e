/** SVs that know each other by the URLs on the ledger alone, as in processes of their own. */
import { sha256, systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { SignatureChecks } from "../../packages/node/src/identity/signature-checks.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { HttpPeer } from "../../packages/synchronizer/src/peers/http-peer.ts";
import { svSignatures } from "../../packages/synchronizer/src/peers/sv-signatures.ts";
import { AppliedHeads } from "../../packages/synchronizer/src/replica/applied-heads.ts";
import { changeNetworkRow } from "../support/network-row.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { startOnChangingLog } from "./changing-log.ts";

const TIMEOUT = { timeout: 120_000 };
const patience = () => AbortSignal.timeout(60_000);

/** One SV as another one reaches it. */
function peerOf(asker: SvNode, { identity, sequencerUrl }: SvNode, send: typeof fetch = fetch): HttpPeer {
  const { state } = asker.replica;
  return new HttpPeer({
    ...{
      id: identity.id,
      url: sequencerUrl,
      asker: asker.identity.id,
      fetch: send,
      timers: systemHost.timers,
    },
    heads: new AppliedHeads(asker.replica),
    network: () => state.network?.id ?? "",
    signingKey: () => asker.identity.signingKey,
    holds: svSignatures(state, new SignatureChecks()),
  });
}

test("they wait for a quorum, clear a new term, and find the one that differs", TIMEOUT, async () => {
  const { log, svs } = await startOnChangingLog("published");
  const [first, second, third] = svs;
  await first.moveClock(6_000_000n);
  log.change("term 2");
  await second.moveClock(1_000_000n);
  expect(log.terms.at(-1)).toBe("term 2");
  changeNetworkRow(third.replica.state, "7000000", "6000000");
  await first.submit({ content: "nonsense", signatures: [] });
  await until(() => third.failure() !== null, "the SV halts");
  expect(third.failure()?.message).toContain("it differs from the replicas of");
  await first.moveClock(1n);
  for (const sv of [first, second]) expect(sv.failure()).toBeNull();
});

test("entries of a copy are for SVs alone, and an SV without a copy says so", TIMEOUT, async () => {
  const { svs } = await startOnChangingLog("published");
  const [first, second] = svs;
  const asked = { sequence: 0, entryHash: "00".repeat(32), term: "", nonce: "5e".repeat(16) };
  await expect(peerOf(first, second).showCopy(asked, patience())).rejects.toThrow(
    "This SV has no copy of the log",
  );
  const stranger = { ...first, identity: identityNamed("stranger") };
  await expect(peerOf(stranger, second).showCopy(asked, patience())).rejects.toThrow(
    "SVs alone may read the log",
  );
  const impostor = new Proxy(first.identity, {
    get: (identity, key) =>
      key === "signingKey" ? identityNamed("stranger").signingKey : Reflect.get(identity, key),
  });
  await expect(peerOf({ ...first, identity: impostor }, second).showCopy(asked, patience())).rejects.toThrow(
    "SVs alone may read the log",
  );
});

test("an answer that the SV's key did not sign is not heard", TIMEOUT, async () => {
  const { svs } = await startOnChangingLog("published");
  const [first, second] = svs;
  const { sequence } = await peerOf(first, second).head(-1, patience());
  expect(sequence).toBeGreaterThan(0);
  const forge: typeof fetch = async (...given) => {
    const text = await (await fetch(...given)).text();
    return new Response(text.replace(/"digest":"[0-9a-f]{64}"/, `"digest":"${sha256("forged")}"`));
  };
  await expect(peerOf(first, second, forge).head(-1, patience())).rejects.toThrow(
    "is not signed by a key of sv2::",
  );
  const renamed = { ...second, identity: identityNamed("sv3") };
  await expect(peerOf(first, renamed).head(-1, patience())).rejects.toThrow(
    "is not signed by a key of sv3::",
  );
});

test("an SV ticks for another SV, once for each entry, and for nobody else", TIMEOUT, async () => {
  const { svs } = await startOnChangingLog("published");
  const [first, second] = svs;
  const requests: { readonly url: string; readonly init: RequestInit }[] = [];
  const record: typeof fetch = (url, init) => {
    requests.push({ url: String(url), init: { ...init, signal: null } });
    return fetch(url, init);
  };
  const tick = await peerOf(first, second, record).tick(patience());
  await first.replica.reach(tick, patience());
  const [request] = requests as [(typeof requests)[number]];
  const again = await fetch(request.url, request.init);
  expect(again.status).toBe(403);
  expect(await again.text()).toContain("an SV asks by its key, with an entry it has applied lately");
  const stranger = { ...first, identity: identityNamed("stranger") };
  await expect(peerOf(stranger, second).tick(patience())).rejects.toThrow("403");
});
