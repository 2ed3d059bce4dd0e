import { join } from "node:path";
import { createClient, scanApi } from "@callsign/api";
import { describe, expect, test } from "vitest";
import { ValidatorLicense } from "../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import { createCommand } from "../../packages/ledger/src/engine/command.ts";
import { parseBlob } from "../../packages/ledger/src/engine/contract.ts";
import { accept, EconomyDso } from "../../packages/ledger/testing/economy-dso.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import type { SimulatedMember } from "../../packages/ledger/testing/simulated-network.ts";
import { ScannedWorld } from "./name-world.ts";
import { FORMER_INDEX, openScanReplica, type ScanReplica } from "./scan-replica.ts";
import { ServedWorld, worldOfFile } from "./served-world.ts";

const shared = worldOfFile();
const PATH = "/v0/admin/validator/licenses";

function onboard(world: ScannedWorld, ...names: readonly string[]): readonly SimulatedMember[] {
  const members = names.map((name) => world.network.registerMember(name));
  for (const { party } of members) new EconomyDso(world.dso).onboard(party);
  return members;
}

async function listed(world: ServedWorld, query: { after?: bigint; limit?: number } = {}) {
  await world.scan();
  const client = createClient(scanApi, { fetch, baseUrl: world.url });
  const { validator_licenses: licenses, next_page_token: token } = await client.listValidatorLicenses({
    query,
  });
  const names = licenses.map(({ payload }) => `${payload["validator"]}`.replace(/::.*/, ""));
  return { licenses, token, names };
}

describe("the licences of validators", () => {
  test("are none, without a token, before anybody has one", async () => {
    const world = shared();
    const body = { validator_licenses: [], next_page_token: null };
    for (const path of [PATH, `/api/scan${PATH}`]) {
      expect(await world.getJson(path)).toEqual({ status: 200, body });
    }
  });

  test("come newest first, in pages that each have a token, also the last", async () => {
    const world = await ServedWorld.start();
    const members = onboard(world, "one", "two", "three");
    const all = await listed(world);
    expect(all.names).toEqual(["three", "two", "one"]);
    const first = await listed(world, { limit: 2 });
    expect(first.names).toEqual(["three", "two"]);
    const second = await listed(world, { limit: 2, after: BigInt(first.token ?? 0) });
    expect(second.names).toEqual(["one"]);
    expect(second.token).toBe(all.token);
    const third = await listed(world, { after: BigInt(second.token ?? 0) });
    expect(third).toEqual({ licenses: [], token: null, names: [] });
    // A validator that says it is up has a new licence.
    accept(new EconomyWallet(world.network, members[0] as SimulatedMember).reportLiveness());
    expect((await listed(world)).names).toEqual(["one", "three", "two"]);
    expect((await listed(world, { after: BigInt(first.token ?? 0) })).names).toEqual([]);
  });

  test("are the ledger's own contracts, with what the sponsor said", async () => {
    const world = await ServedWorld.start();
    const [member] = onboard(world, "one") as [SimulatedMember];
    const { contractId, payload } = world.network.only(ValidatorLicense);
    const [license] = (await listed(world)).licenses;
    const blob = Buffer.from(license?.created_event_blob ?? "", "base64").toString();
    expect(parseBlob(sha256, blob)).toMatchObject({ ok: true, value: { contractId } });
    expect(license?.template_id).toMatch(/^[0-9a-f]{64}:Splice\.ValidatorLicense:ValidatorLicense$/);
    expect(license?.payload).toMatchObject({
      validator: member.party,
      sponsor: payload.sponsor,
      dso: world.network.dso,
      faucetState: null,
      metadata: { version: "0.1.0", contactPoint: "" },
    });
  });

  test("of a DSO of somebody's own are left out", async () => {
    const world = await ServedWorld.start();
    const { network, validator } = world;
    const { party } = validator;
    const license = { validator: party, sponsor: party, dso: party };
    const more = { faucetState: null, metadata: null, lastActiveAt: null };
    accept(
      network.submit(validator, {
        actAs: [party],
        commands: [createCommand(ValidatorLicense, { ...license, ...more })],
      }),
    );
    expect((await listed(world)).names).toEqual([]);
  });

  test.each([
    ["limit=0", 400, "Limit must be at least 1."],
    ["limit=1001", 400, "Exceeded limit maximum (1001 > 1000)."],
    ["limit=1000&after=-5", 200, ""],
    ["after=x", 400, "'x' is not a valid 64-bit signed integer value"],
  ])("asked for with %s are answered with %i", async (query, status, problem) => {
    const world = shared();
    const answer = await world.get(`${PATH}?${query}`);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(problem);
  });

  test("are found by an index that did not keep them, and each once", async () => {
    const world = new ScannedWorld();
    onboard(world, "one", "two");
    await world.scan();
    const path = join(world.folder, "old.db");
    const old = openScanReplica(world.log.log, path);
    await old.catchUp();
    old.database.exec(FORMER_INDEX);
    old.database.prepare("delete from current_contract where template_id = ?").run(ValidatorLicense.id);
    old.close();
    onboard(world, "three");
    await world.scan();
    for (let i = 0; i < 2; i++) {
      const again = openScanReplica(world.log.log, path);
      await again.catchUp();
      const ids = (node: ScanReplica) =>
        node.index.contracts
          .listNewest(ValidatorLicense, { before: 2n ** 62n, limit: 10 })
          .map(({ contract }) => contract.contractId);
      expect(ids(again)).toEqual(ids(world.node));
      expect(ids(again)).toHaveLength(3);
      again.close();
    }
  });
});
