// Traffic as its users meet it: participants and SVs over real HTTP, with coin that is tapped and burned for it.

import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, scanApi } from "../../packages/api/src/index.ts";
import { relTime } from "../../packages/ledger/src/contracts/rel-time.ts";
import { withFreeTraffic } from "../../packages/ledger/src/contracts/splice-amulet/rules/default-amulet-config.ts";
import type { ActionRequiringConfirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import {
  AmuletRules,
  addDuration,
  type Command,
  Confirmation,
  type ContractId,
  DsoRules,
  decodeText,
  exerciseCommand,
  MemberTraffic,
  type Outcome,
  type PartyId,
} from "../../packages/ledger/src/index.ts";
import { signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { until } from "../../packages/node/testing/until.ts";
import { svPartyOf } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { refusalOf } from "../participant/call.ts";
import { buyTraffic, tap } from "../participant/coins.ts";
import { createPreference } from "../participant/preferences.ts";
import { type Actor, newActor, newParticipant, ready } from "../support/participants.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";

const MINUTE = 60_000_000n;
const WINDOW = 20n * MINUTE;
/** Some ten submissions. */
const FREE_BYTES = 10_000n;

/** A member with one user, who sends small submissions. */
class Sender {
  readonly network: SvNodes;
  readonly actor: Actor;
  readonly member: string;
  /** Its submissions that came into the log. */
  readonly outcomes: Outcome[] = [];

  private constructor(network: SvNodes, actor: Actor, nodeIdentifier: string) {
    this.network = network;
    this.actor = actor;
    this.member = `${nodeIdentifier}::${actor.party.split("::")[1]}`;
    const { replica } = this.sv;
    onTestFinished(
      replica.onApplied((outcomes) => {
        for (const outcome of outcomes)
          if (outcome.completion?.member === this.member) this.outcomes.push(outcome);
      }),
    );
  }

  static async start(network: SvNodes, nodeIdentifier: string): Promise<Sender> {
    const participant = await newParticipant(network.sequencers, { nodeIdentifier });
    await ready(participant);
    return new Sender(network, await newActor(participant, "alice"), nodeIdentifier);
  }

  get sv(): SvNode {
    return this.network.svs[0] as SvNode;
  }

  get account() {
    const account = this.sv.replica.state.findTraffic(this.member);
    if (account === undefined) throw new Error(`${this.member} never paid`);
    return account;
  }

  send(): Promise<unknown> {
    const { client, party } = this.actor;
    return client.submitAndWait({ body: createPreference(party) });
  }

  /** Until nothing is taken any more; how that was said. */
  async useUp(): ReturnType<typeof refusalOf> {
    for (let i = 0; i < 100; i++) {
      try {
        await this.send();
      } catch (error) {
        return await refusalOf(Promise.reject(error));
      }
    }
    throw new Error("traffic never ends");
  }

  async buy(memberId: string, trafficAmount: number): Promise<void> {
    const { network } = this;
    const { client, party } = this.actor;
    const coin = await tap(network, client, party, "1000.0");
    const synchronizerId = this.sv.replica.state.network?.synchronizerId ?? "";
    await buyTraffic(network, client, { provider: party, coin, memberId, synchronizerId, trafficAmount });
  }

  /** As scan shows it. */
  async status() {
    const scan = createClient(scanApi, { fetch, baseUrl: `${this.sv.scanUrl}/api/scan` });
    const params = {
      domain_id: this.sv.replica.state.network?.synchronizerId ?? "",
      member_id: `PAR::${this.member}`,
    };
    const { actual, target } = (await scan.getMemberTrafficStatus({ params })).traffic_status;
    return { ...actual, ...target };
  }
}

async function start(count = 1): Promise<Sender> {
  const network = await startSvNodes(count, onTestFinished, { freeTrafficBytes: FREE_BYTES });
  return Sender.start(network, "participant");
}

describe("a member out of traffic", () => {
  test("is told how much is missing and what to do, to be tried again, and nothing comes into the log", async () => {
    const sender = await start(2);
    const refused = await sender.useUp();
    expect(refused).toMatchObject({
      status: 409,
      code: "SEQUENCER_BACKPRESSURE",
      errorCategory: 2,
      retryInfo: "1 second",
      definiteAnswer: false,
    });
    const [, cost, left, missing] =
      /costs (\d+) bytes of traffic and \S+ has (\d+) left, so (\d+) are missing\. /.exec(refused.cause) ??
      [];
    expect(Number(cost) - Number(left)).toBe(Number(missing));
    expect(Number(missing)).toBeGreaterThan(0);
    expect(refused.cause).toMatch(/Wait about \d+ seconds for the free allowance to refill, or buy traffic/);
    expect(refused.cause).toContain(`PAR::${sender.member} with AmuletRules_BuyMemberTraffic`);
    expect(sender.outcomes.length).toBeGreaterThan(3);
    expect(sender.outcomes.every(({ verdict }) => verdict.kind === "accepted")).toBe(true);
    expect(await sender.status()).toEqual({ total_consumed: 0, total_limit: 0, total_purchased: 0 });
  });

  test("may send again as soon as what somebody bought for it is active, and uses that up", async () => {
    const sender = await start(2);
    const donor = await Sender.start(sender.network, "donor");
    await sender.useUp();
    await donor.buy(`PAR::${sender.member}`, 200_000);
    await sender.send();
    // The SV that is looked at may be a little behind the one that answered.
    await until(() => sender.account.consumed > 0n, "the SV has the submission");
    const used = Number(sender.account.consumed);
    expect(await sender.status()).toEqual({
      total_consumed: used,
      total_limit: 200_000,
      total_purchased: 200_000,
    });
    for (let i = 0; i < 20; i++) await sender.send();
    expect(sender.account.consumed).toBeGreaterThan(FREE_BYTES);
  });

  test("has its allowance back when the window has passed, and half of it after half", async () => {
    const sender = await start();
    const { cause } = await sender.useUp();
    const cost = Number(/costs (\d+) bytes/.exec(cause)?.[1]);
    const sentAfter = async (microseconds: bigint) => {
      await sender.sv.moveClock(microseconds);
      const before = sender.outcomes.length;
      await sender.useUp();
      return sender.outcomes.length - before;
    };
    // The balance that was left, with refills during the test, may be enough for one more.
    const affordable = (bytes: bigint) => Math.floor(Number(bytes) / cost);
    const half = affordable(FREE_BYTES / 2n);
    expect(half).toBeGreaterThan(3);
    expect([half, half + 1]).toContain(await sentAfter(WINDOW / 2n));
    const whole = affordable(FREE_BYTES);
    expect([whole, whole + 1]).toContain(await sentAfter(WINDOW));
    expect([whole, whole + 1]).toContain(await sentAfter(3n * WINDOW));
  });
});

test("the SVs merge what was bought, and the balance stays", async () => {
  const sender = await start(2);
  const { network } = sender;
  const donor = await Sender.start(network, "donor");
  const { state } = sender.sv.replica;
  const purchases = 6;
  const active = new Map<ContractId, bigint>();
  onTestFinished(
    sender.sv.replica.onApplied((outcomes) => {
      for (const { created, archived } of outcomes) {
        for (const { contract } of created) {
          if (contract.templateId !== MemberTraffic.id) continue;
          active.set(contract.contractId, decodeText(MemberTraffic.record, contract.payload).numPurchases);
        }
        for (const { contractId } of archived) active.delete(contractId);
      }
    }),
  );
  await sender.useUp();
  // Purchases take more of the donor's own traffic than is free.
  await donor.buy(`PAR::${donor.member}`, 200_000);
  for (let i = 0; i < purchases; i++) await donor.buy(`PAR::${sender.member}`, 200_000 + i);
  await until(() => active.size === 2, "the SVs have merged the traffic");
  expect([...active.values()]).toEqual([1n, BigInt(purchases)]);
  expect(state.findTraffic(sender.member)?.purchased).toBe(1_200_015n);
  expect(await sender.status()).toMatchObject({ total_limit: 1_200_015, total_purchased: 1_200_015 });
});

test("new limits count from the transaction on that makes them the rules", async () => {
  const sender = await start();
  await sender.useUp();
  const { state } = sender.sv.replica;
  const rules = await onlyContract(sender, AmuletRules.id);
  const config = decodeText(AmuletRules.record, rules.payload).configSchedule.initialValue;
  const limits = { burstAmount: 400_000n, burstWindow: relTime(1_000_000n) };
  const newConfig = withFreeTraffic(config, limits);
  const value = { newConfig, baseConfig: config };
  const action: ActionRequiringConfirmation = {
    tag: "ARC_AmuletRules",
    value: { amuletRulesAction: { tag: "CRARC_SetConfig", value } },
  };
  const dsoRulesCid = (await onlyContract(sender, DsoRules.id)).contractId;
  const sv = svPartyOf({ identity: sender.sv.identity });
  const argument = { confirmer: sv, action };
  const confirmed = await actAsSv(
    sender,
    exerciseCommand(DsoRules, dsoRulesCid, "DsoRules_ConfirmAction", argument),
  );
  const [confirmation] = confirmed.created.filter(({ contract }) => contract.templateId === Confirmation.id);
  const confirmationCids = [confirmation?.contract.contractId as ContractId];
  const executed = await actAsSv(
    sender,
    exerciseCommand(DsoRules, dsoRulesCid, "DsoRules_ExecuteConfirmedAction", {
      action,
      amuletRulesCid: rules.contractId,
      confirmationCids,
      sv,
    }),
  );
  expect(executed.verdict.kind).toBe("accepted");
  expect(state.network).toMatchObject({ burstAmount: 400_000n, burstWindow: 1_000_000n });
  // A window of a second: what a submission takes is back long before the next one.
  for (let i = 0; i < 20; i++) await sender.send();
});

/** The one active contract of a template, from the replica's own rows. */
async function onlyContract(sender: Sender, templateId: string) {
  const scan = createClient(scanApi, { fetch, baseUrl: `${sender.sv.scanUrl}/api/scan` });
  const { amulet_rules, dso_rules } = await scan.getDsoInfo();
  const shown = [amulet_rules, dso_rules].find(({ contract }) => contract.template_id === templateId);
  const found = sender.sv.replica.state.findContract(shown?.contract.contract_id as ContractId);
  if (found === undefined) throw new Error(`there is no ${templateId}`);
  return found;
}

async function actAsSv(sender: Sender, command: Command): Promise<Outcome> {
  const { identity, replica, submit, now } = sender.sv;
  const { network } = replica.state;
  if (network === null) throw new Error("there is no network");
  const id = crypto.randomUUID();
  const value = {
    ...{ network: network.id, member: identity.id, submissionId: id, commandId: id },
    ...{ userId: "sv", workflowId: "", maxRecordTime: addDuration(now(), MINUTE) },
    ...{ actAs: [svPartyOf({ identity })] as readonly PartyId[], readAs: [network.dso] },
    ...{ deduplicateFrom: null, minLedgerTime: null, commands: [command], disclosed: [] },
  };
  const outcomes: Outcome[] = [];
  const stop = replica.onApplied((applied) => outcomes.push(...applied));
  const sequence = await submit(signEntry({ tag: "Submit", value }, [identity.signingKey]));
  await replica.reach(sequence, AbortSignal.timeout(60_000));
  stop();
  const outcome = outcomes.find(({ head }) => head.sequence === sequence);
  if (outcome === undefined) throw new Error("the entry was not applied");
  return outcome;
}
