/** Noise in the log: old entries again, late ones, the same command twice, nonsense. */

import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { AnsRules } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import type { Command } from "../../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import { addDuration } from "../../../packages/ledger/src/values/time.ts";
import { hold } from "../audit/violation.ts";
import { listHosted, listParties, type World } from "../world.ts";
import { type Action, mustBeRejected, NOTHING, verdictOf } from "./action.ts";

import { tapFor } from "./tap-for.ts";

/** An entry that was in the log comes again, perhaps by another sequencer: it has no effect a second time. */
function replayEntry({ random, network }: World): string {
  const { content, signatures } = random.pick(network.log);
  const outcome = network.deliver({ content, signatures });
  const wasFounding = network.log[0]?.content === content;
  if (wasFounding) return `founding: ${mustBeRejected("a second founding", outcome)}`;
  // An entry refused at the gate, such as for a key that was not delegated yet, may be accepted now.
  return verdictOf(outcome);
}

function lateSubmission(world: World): string {
  const { random, network, wallets } = world;
  const wallet = random.pick(wallets);
  const maxRecordTime = addDuration(network.now, -random.bigBelow(1_000_000n));
  const outcome = network.submit(wallet.member, {
    actAs: [wallet.party],
    ...tapFor(world, wallet.party),
    maxRecordTime,
  });
  return mustBeRejected("a late submission", outcome, ["NOT_SEQUENCED_TIMEOUT"]);
}

/** The same command twice: the second is a duplicate, unless its deduplication period begins after the first. */
function duplicateCommand(world: World): string {
  const { random, network, wallets } = world;
  const wallet = random.pick(wallets);
  const commandId = `tap ${random.below(4)}`;
  const submission = { actAs: [wallet.party], ...tapFor(world, wallet.party), commandId };
  const first = network.submit(wallet.member, submission);
  const second = network.submit(wallet.member, submission);
  if (first.verdict.kind === "accepted") {
    const allowed = ["DUPLICATE_COMMAND", "SEQUENCER_BACKPRESSURE"];
    mustBeRejected("a duplicate command", second, allowed);
  }
  return `${commandId}: ${verdictOf(first)}, then ${verdictOf(second)}`;
}

/** Well-formed commands with arguments of other commands, by any wallet. */
function garbage(world: World): string {
  const { random, network, validators, scraps } = world;
  const member = random.chance(0.3) ? random.pick(network.svs) : random.pick(validators);
  const isSv = network.svs.includes(member);
  const own = isSv ? [member.party] : listHosted(world, member);
  const parties = [...listParties(world), network.dso];
  const commands = Array.from({ length: random.between(1, 2) }, () => {
    const kind = random.below(4);
    if (kind === 0) return scraps.garbledCreate(random, parties);
    return kind === 1
      ? scraps.forgedCreate(random, own, network.dso)
      : scraps.garbledExercise(random, parties);
  });
  if (isSv && commands.some(isOpinion)) return NOTHING;
  const actAs = random.chance(0.5) ? own : [random.pick(own)];
  const readAs = isSv ? [network.dso] : own;
  const outcome = network.submit(member, { actAs, readAs, commands, disclose: disclosures(world) });
  return `${commands.map(({ tag, value }) => `${tag} ${"choice" in value ? value.choice : value.templateId.split(":")[2]}`).join(", ")}: ${verdictOf(outcome)}`;
}

/** An SV confirms only what it decided, and votes for a price that makes sense: nothing but itself makes it. */
function isOpinion({ tag, value }: Command): boolean {
  return tag === "Exercise" && /^DsoRules_(ConfirmAction|UpdateAmuletPriceVote)$/.test(value.choice);
}

/** The contracts that scan would disclose, and a few that it would not. */
function disclosures({ random, network, scraps }: World): readonly ContractId[] {
  const { dso } = network;
  const common = [AmuletRules, AnsRules, OpenMiningRound].flatMap((template) => {
    return network.active(template, dso).map(({ contractId }) => contractId);
  });
  const others = scraps
    .someContracts(random)
    .filter((contractId) => network.state.findContract(contractId) !== undefined);
  return [...new Set([...common, ...others])];
}

/** Random text, unsigned, signed by a member, or signed by an invalid key. */
function nonsense({ random, network }: World): string {
  const { content } = random.pick(network.log);
  const cut = random.below(content.length);
  const text = random.pick([
    content.slice(0, cut),
    `${content} `,
    content.replaceAll('"', "'"),
    "",
    "[".repeat(random.pick([4, 100_000])),
    `"${"\u{1f600}".repeat(1000)}"`,
  ]);
  const key = random.pick(network.svs).signingKey;
  const signatures = random.pick([
    [],
    [{ publicKey: key.publicKey, signature: key.sign(text) }],
    [{ publicKey: random.pick(["0", "f"]).repeat(64), signature: "0".repeat(128) }],
    Array.from({ length: 100 }, () => ({ publicKey: key.publicKey, signature: "f".repeat(128) })),
  ]);
  return mustBeRejected("nonsense", network.deliver({ content: text, signatures }));
}

/** Some of what is on its way arrives: late, in another order, some of it twice. */
function deliver({ random, network }: World): string {
  const arriving = random.some(network.onTheWay);
  const told = arriving.map((envelope) => {
    const outcome = network.deliver(envelope);
    if (random.chance(0.2)) {
      const again = network.deliver(envelope);
      hold("an entry counts once", again.verdict.kind !== "accepted", () => verdictOf(again));
    }
    network.onTheWay.splice(network.onTheWay.indexOf(envelope), 1);
    return verdictOf(outcome);
  });
  return `${told.length} arrive: ${told.join(", ")}`;
}

export const noise: readonly Action[] = [
  { name: "replay", weight: 4, run: replayEntry },
  { name: "late submission", weight: 1, run: lateSubmission },
  { name: "duplicate command", weight: 2, run: duplicateCommand },
  { name: "garbage", weight: 24, run: garbage },
  { name: "nonsense", weight: 1, run: nonsense },
  { name: "deliver", weight: 8, run: deliver },
];
