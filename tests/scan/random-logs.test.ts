import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { CURRENT_TEMPLATES } from "../../packages/scan/src/contracts/current-templates.ts";
import type { Action } from "../simulation/actions/action.ts";
import { raceActions } from "../simulation/actions/race-actions.ts";
import { svActions } from "../simulation/actions/sv-actions.ts";
import { timeActions } from "../simulation/actions/time-actions.ts";
import { walletActions } from "../simulation/actions/wallet-actions.ts";
import { foundWorld, listParties, type World } from "../simulation/world.ts";
import { Random } from "../support/random.ts";
import { NaiveIndex } from "./naive-index.ts";
import { shown } from "./name-world.ts";
import { NetworkLog, openScanReplica, type ScanReplica } from "./scan-replica.ts";

const SEEDS = [2, 5, 11];
const STEPS = 220;
const COMPARE_EVERY = 8;

const actions: readonly Action[] = [...walletActions, ...svActions, ...timeActions, ...raceActions];

/** A world, its log, and a node that compares what it answers with what a slow search gives. */
class ComparedWorld {
  readonly #world: World;
  readonly #random: Random;
  readonly #log: NetworkLog;
  readonly #node: ScanReplica;
  readonly #names = new Set<string>(["dso.cns", "sv-1.sv.cns", "nobody.unverified.cns", ""]);
  registrations = 0;

  constructor(seed: number) {
    const folder = temporaryFolder();
    this.#world = foundWorld(seed);
    this.#random = new Random(seed + 1);
    this.#log = new NetworkLog(join(folder, "log.db"), this.#world.network);
    this.#node = openScanReplica(this.#log.log, join(folder, "replica.db"), { cachedNames: 6 });
  }

  async run(steps: number): Promise<void> {
    for (let step = 1; step <= steps; step++) {
      this.#world.random.pickByWeight(actions).run(this.#world);
      this.#expireOne();
      if (step % COMPARE_EVERY === 0) await this.#compare();
    }
    this.#node.close();
    await this.#log.close();
  }

  /** Now and then the clock stops at the very end of an entry, or just behind it. */
  #expireOne(): void {
    const { network } = this.#world;
    if (!this.#random.chance(0.05)) return;
    const entry = this.#random.find(network.active(AnsEntry, network.dso));
    if (entry === undefined) return;
    const moment = addDuration(entry.payload.expiresAt, this.#random.chance(0.5) ? 0n : 1n);
    if (moment > network.now) network.advanceTo(moment);
  }

  async #compare(): Promise<void> {
    await this.#log.append();
    await this.#node.catchUp();
    this.#collectNames();
    const { index, replica } = this.#node;
    const { state } = this.#world.network;
    expect(index.state.head.sequence).toBe(state.head.sequence);
    expect(index.now).toBe(state.head.recordTime);
    expect(replica.state.head.digest).toBe(state.head.digest);
    const naive = new NaiveIndex(state);
    const { now } = index;
    for (const name of this.#names)
      expect(shown(index.names.findByName(name, now))).toEqual(naive.findByName(name));
    for (const party of [...listParties(this.#world), this.#world.network.dso] as readonly PartyId[])
      expect(shown(index.names.findByParty(party, now))).toEqual(naive.findByParty(party));
    for (const name of this.#random.shuffle([...this.#names]).slice(0, 5)) {
      const prefix = name.slice(0, this.#random.below(name.length + 1));
      const limit = this.#random.pick([1, 2, 5, 1000]);
      const page = index.names.listByPrefix(prefix, now, limit).map((json) => JSON.parse(json));
      expect(page).toEqual(naive.list(prefix, limit));
    }
    for (const template of CURRENT_TEMPLATES) {
      const ids = index.contracts.list(template).map(({ contract }) => contract.contractId);
      expect([...ids].sort()).toEqual([...naive.contracts(template)].sort());
    }
  }

  #collectNames(): void {
    const { network } = this.#world;
    for (const { payload } of network.active(AnsEntry)) {
      if (!this.#names.has(payload.name)) this.registrations++;
      this.#names.add(payload.name);
    }
  }
}

describe("the index answers what a search through all contracts gives", () => {
  test.each(SEEDS)("at every point of a random log, from seed %i", async (seed) => {
    const world = new ComparedWorld(seed);
    await world.run(STEPS);
    expect(world.registrations).toBeGreaterThan(0);
  });
});
