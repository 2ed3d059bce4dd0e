/** Attacks that must fail: acting for others, with the wrong key, on contracts that were never shown. */

import { RenewalPreference } from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { AnsRules } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { WalletAppInstall } from "../../../packages/ledger/src/contracts/splice-wallet/declarations/install.ts";
import { SubscriptionRequest } from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { createCommand, exerciseCommand } from "../../../packages/ledger/src/engine/command.ts";
import { partyHint, partyNamespace } from "../../../packages/ledger/src/values/party-id.ts";
import { memberKey } from "../../../packages/ledger/testing/member-key.ts";
import { testParty } from "../../../packages/ledger/testing/sandbox.ts";
import { listParties, type World } from "../world.ts";
import { type Action, mustBeRejected, NOTHING, verdictOf } from "./action.ts";

import { tapFor } from "./tap-for.ts";

/** For a party of another member, or for the DSO, with or without one's own. */
function foreignAuthority(world: World): string {
  const { random, network, validators } = world;
  const member = random.pick([...validators, ...network.svs]);
  const others = listParties(world).filter((party) => {
    return network.state.findHosting(party)?.hosts.includes(member.id) !== true;
  });
  const foreign = random.pick([network.dso, ...others]);
  const actAs = random.chance(0.5) ? [foreign] : [member.party, foreign];
  const outcome = network.submit(member, { actAs, ...tapFor(world, foreign) });
  const code = "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT";
  const allowed = [code, "SEQUENCER_BACKPRESSURE"];
  return mustBeRejected("a submission for somebody else's party", outcome, allowed);
}

/** Acting as oneself for another party: the ledger's own authorisation refuses it. */
function missingAuthority(world: World): string {
  const { random, network, wallets } = world;
  const [thief, victim] = random.shuffle(wallets);
  if (thief === undefined || victim === undefined) return NOTHING;
  const outcome = network.submit(thief.member, { actAs: [thief.party], ...tapFor(world, victim.party) });
  return mustBeRejected("a tap for another", outcome, ["DAML_AUTHORIZATION_ERROR", "SEQUENCER_BACKPRESSURE"]);
}

/**
 * A user's wallet is used on what belongs to another user, who agrees and acts too: inside the choice only the
 * wallet's own parties have authority, whoever called it.
 */
function borrowedAuthority(world: World): string {
  const { random, network } = world;
  const [request] = random.shuffle(network.active(SubscriptionRequest, network.dso));
  const owner = world.wallets.find(({ party }) => party === request?.payload.subscriptionData.sender);
  const install = network.active(WalletAppInstall).find(({ payload }) => {
    return payload.validatorParty === owner?.member.party && payload.endUserParty !== owner.party;
  });
  if (request === undefined || owner === undefined || install === undefined) return NOTHING;
  const choice = "WalletAppInstall_SubscriptionRequest_Reject";
  const outcome = network.submit(owner.member, {
    actAs: [owner.member.party, owner.party, install.payload.endUserParty],
    commands: [exerciseCommand(WalletAppInstall, install.contractId, choice, { cid: request.contractId })],
  });
  const allowed = [
    "DAML_AUTHORIZATION_ERROR",
    "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
    "SEQUENCER_BACKPRESSURE",
  ];
  return mustBeRejected("a use of somebody else's wallet", outcome, allowed);
}

/** I15: only the DSO sees AnsRules; without disclosure, or with a wrong blob, no other party can use it. */
function withoutDisclosure({ random, network, wallets }: World): string {
  const wallet = random.pick(wallets);
  const rules = network.only(AnsRules).contractId;
  const argument = { name: "x.unverified.cns", url: "", description: "", user: wallet.party };
  const commands = [exerciseCommand(AnsRules, rules, "AnsRules_RequestEntry", argument)];
  const content = network.submitContent(wallet.member, { actAs: [wallet.party], commands });
  if (content.tag !== "Submit") return NOTHING;
  const blobHash = "0".repeat(64);
  const disclosed = random.chance(0.5) ? [] : [{ contractId: rules, blobHash }];
  const outcome = network.append({ tag: "Submit", value: { ...content.value, disclosed } }, [
    wallet.member.signingKey,
  ]);
  const allowed = ["LOCAL_VERDICT_INACTIVE_CONTRACTS", "SEQUENCER_BACKPRESSURE"];
  return mustBeRejected("a use of AnsRules without disclosure", outcome, allowed);
}

function wrongKey(world: World): string {
  const { random, network, wallets } = world;
  const wallet = random.pick(wallets);
  const content = network.submitContent(wallet.member, {
    actAs: [wallet.party],
    ...tapFor(world, wallet.party),
  });
  const others = [...network.svs, ...world.validators].filter((member) => member !== wallet.member);
  const key = random.pick([
    random.pick(others).signingKey,
    wallet.member.namespaceKey,
    memberKey(`nobody ${random.below(3)}`),
    { ...wallet.member.signingKey, sign: (text: string) => wallet.member.signingKey.sign(`${text} `) },
  ]);
  return mustBeRejected("an entry with a wrong signature", network.append(content, [key]), [
    "UNAUTHENTICATED",
  ]);
}

function unknownParty(world: World): string {
  const { random, network, wallets } = world;
  const wallet = random.pick(wallets);
  const nobody = testParty(`nobody-${random.below(3)}`);
  const preference = {
    subscriber: wallet.party,
    walletProvider: nobody,
    reference: network.only(AnsRules).contractId,
    autoRenew: false,
  };
  const submission = random.chance(0.5)
    ? { actAs: [wallet.party], commands: [createCommand(RenewalPreference, preference)] }
    : { actAs: [wallet.party, nobody], ...tapFor(world, nobody) };
  const allowed = ["UNKNOWN_INFORMEES", "UNKNOWN_SUBMITTERS", "SEQUENCER_BACKPRESSURE"];
  return mustBeRejected("an unknown party", network.submit(wallet.member, submission), allowed);
}

/** A party of another namespace, or the DSO, cannot be hosted, with any signatures. */
function stealParty(world: World): string {
  const { random, network, validators } = world;
  const member = random.pick(validators);
  const others = listParties(world).filter((party) => partyNamespace(party) !== partyNamespace(member.party));
  const party = random.pick([network.dso, ...others]);
  const serial = (network.state.findHosting(party)?.serial ?? 0n) + 1n;
  const entry = { ...network.once(member.id), party, hosts: [member.id], serial };
  const keys = [member.signingKey, member.namespaceKey];
  const allowed = ["PERMISSION_DENIED", "SEQUENCER_BACKPRESSURE"];
  return mustBeRejected(
    "hosting of another's party",
    network.append({ tag: "HostParty", value: entry }, keys),
    allowed,
  );
}

/** A user's party moves in with a second validator, which signs too, or out again. */
function shareParty({ random, network, wallets, validators }: World): string {
  const { member, party } = random.pick(wallets);
  const other = random.pick(validators);
  const hosts = [...new Set([member.id, ...(random.chance(0.6) ? [other.id] : [])])];
  const serial = (network.state.findHosting(party)?.serial ?? 0n) + 1n;
  const entry = { ...network.once(member.id), party, hosts, serial };
  const keys = [...new Set([member.signingKey, other.signingKey])];
  return `${hosts.length} hosts: ${verdictOf(network.append({ tag: "HostParty", value: entry }, keys))}`;
}

/** A member registers once; it cannot be registered again with other keys. */
function registerAgain({ random, network, validators }: World): string {
  const { id, namespaceKey } = random.pick(validators);
  const key = memberKey(`again ${random.below(3)}`);
  const nodeIdentifier = partyHint(id);
  const entry = { ...network.once(id), nodeIdentifier, signingKeys: [key.publicKey] };
  const [owner, content] = random.pick([
    [namespaceKey, { ...entry, namespaceKey: namespaceKey.publicKey }],
    [key, { ...entry, namespaceKey: key.publicKey }],
  ] as const);
  const outcome = network.append({ tag: "RegisterMember", value: content }, [owner, key]);
  return mustBeRejected("a second registration", outcome);
}

/** The protocol changes only to what a quorum of SVs signed, and only forward. */
function activateVersion({ random, network }: World): string {
  const svs = random.some(network.svs);
  const sv = svs[0] ?? random.pick(network.svs);
  const value = { ...network.once(sv.id), version: BigInt(random.between(0, 1)) };
  const keys = [...new Set([sv, ...svs])].map(({ signingKey }) => signingKey);
  const outcome = network.append({ tag: "ActivateVersion", value }, keys);
  return mustBeRejected("an old protocol version", outcome, ["PERMISSION_DENIED", "INVALID_ARGUMENT"]);
}

/** New signing keys; what was signed with the old ones and is still on its way is worth nothing. */
function rotateKey({ random, network, validators }: World): string {
  const member = random.pick([...validators, ...network.svs]);
  const old = member.signingKey;
  const outcome = network.rotateKey(member, `${member.id} key ${network.state.head.sequence}`);
  if (outcome.verdict.kind !== "accepted") return verdictOf(outcome);
  const stale = network.append({ tag: "Tick", value: network.once(member.id) }, [old]);
  return mustBeRejected("an entry with the old key", stale, ["UNAUTHENTICATED"]);
}

export const falseAuthority: readonly Action[] = [
  { name: "foreign authority", weight: 2, run: foreignAuthority },
  { name: "missing authority", weight: 1, run: missingAuthority },
  { name: "borrowed authority", weight: 2, run: borrowedAuthority },
  { name: "without disclosure", weight: 1, run: withoutDisclosure },
  { name: "wrong key", weight: 1, run: wrongKey },
  { name: "unknown party", weight: 1, run: unknownParty },
  { name: "steal party", weight: 1, run: stealParty },
  { name: "share party", weight: 2, run: shareParty },
  { name: "register again", weight: 1, run: registerAgain },
  { name: "activate version", weight: 1, run: activateVersion },
  { name: "rotate key", weight: 2, run: rotateKey },
];
