// A running SV appends the activation of protocol version 4 only as a quorum of the SVs has signed it.

import { expect, onTestFinished, test } from "vitest";
import { addDuration } from "../../packages/ledger/src/index.ts";
import type { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { signEntry } from "../../packages/node/src/identity/member-identity.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { fresh } from "../support/fresh.ts";
import { startSvNodes } from "../support/sv-nodes.ts";

test("an activation is refused for another network, of another kind, with forged or foreign signatures, and of an unknown version", async () => {
  const { svs } = await startSvNodes(4, onTestFinished, { protocolVersion: 3n });
  const [first, second, third, fourth] = svs as [SvNode, SvNode, SvNode, SvNode];
  const { state } = first.replica;
  const once = {
    ...{ network: state.network?.id ?? "", member: first.identity.id },
    ...{ submissionId: fresh("activation"), maxRecordTime: addDuration(first.now(), 10n * MINUTE) },
  };
  const activation = (change: object = {}): EntryContent => ({
    tag: "ActivateVersion",
    value: { ...once, version: 4n, ...change },
  });
  const keysOf = (...nodes: readonly SvNode[]) => nodes.map(({ identity }) => identity.signingKey);
  const signed = (content: EntryContent, keys = keysOf(first, second, third)) => signEntry(content, keys);
  const refusal = (envelope: ReturnType<typeof signed>) =>
    expect(first.activation.activate(envelope)).rejects;

  await refusal(signed(activation({ network: "f".repeat(64) }))).toThrow(/^the draft is for network ffff/);
  await refusal(signed({ tag: "Tick", value: once })).toThrow(
    "the entry does not activate a protocol version: give a file of network draft",
  );
  await refusal(signed(activation({ version: 6n }))).toThrow(
    "this SV's program applies protocol versions 1, 2, 3, 4, 5, and not 6: start a newer one",
  );
  const two = "3 of 4 SVs must sign, and 2 have: run network sign at ";
  const right = signed(activation());
  const other = signed(activation({ submissionId: fresh("activation") }));
  // The third SV has signed another draft.
  const mixed = [...right.signatures.slice(0, 2), ...other.signatures.slice(2)];
  await refusal({ ...right, signatures: mixed }).toThrow(two);
  await refusal(
    signed(activation(), [...keysOf(first, second), third.identity.namespaceKey, ...keysOf(first)]),
  ).toThrow(two);
  await refusal(signed(activation(), keysOf(second, third, fourth))).toThrow(
    `${first.identity.id} made the draft and has not signed it`,
  );
  expect(state.network?.protocolVersion).toBe(3n);

  const { entry, signedBy } = await first.activation.activate(right);
  expect([entry?.before, signedBy]).toEqual([3n, [first, second, third].map(({ identity }) => identity.id)]);
  expect(state.network?.protocolVersion).toBe(4n);
});
