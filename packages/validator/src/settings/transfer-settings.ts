/**
 * The checks of `walletSweep` and `autoAcceptTransfers`. Splice checks neither: a mistyped party switches its row off
 * without a word.
 */
import { type Decimal, parseDecimal, parsePartyId } from "@callsign/ledger";
import { MAX_ACCEPTED_SENDERS, MAX_RECEIVER_NAME } from "../limits/limits.ts";
import { type SettingFinding, shown } from "./setting-finding.ts";

export interface WalletSweepConfig {
  /** In dollars. More than this is sent on. */
  readonly maxBalanceUSD: number | string;
  /** In dollars. This much stays. */
  readonly minBalanceUSD: number | string;
  /** A party id, or a whole name: the party that holds it when coin is sent. */
  readonly receiver: string;
  /** Coin is sent by the receiver's preapproval, not by an offer. */
  readonly useTransferPreapproval?: boolean;
}

export interface AutoAcceptConfig {
  readonly fromParties: readonly string[];
}

/** By the sender's party. */
export type WalletSweeps = Readonly<Record<string, WalletSweepConfig>>;
/** By the receiver's party. */
export type AutoAccepts = Readonly<Record<string, AutoAcceptConfig>>;

export function findSweepProblems(sweeps: WalletSweeps): readonly SettingFinding[] {
  return Object.entries(sweeps).flatMap(([sender, sweep]) => {
    const key = `walletSweep.${sender}`;
    const findings = [...partyProblem(key, sender), ...receiverProblem(`${key}.receiver`, sweep.receiver)];
    if (sweep.receiver === sender)
      findings.push({
        key: `${key}.receiver`,
        value: sweep.receiver,
        problem: "the sender would send to itself",
        fix: "name another party",
      });
    const [least, most] = [parseDollars(sweep.minBalanceUSD), parseDollars(sweep.maxBalanceUSD)];
    for (const name of ["minBalanceUSD", "maxBalanceUSD"] as const)
      if (parseDollars(sweep[name]) === null)
        findings.push({
          key: `${key}.${name}`,
          value: String(sweep[name]),
          problem: `${shown(sweep[name])} is no amount in US dollars`,
          fix: "give a number that is not negative, with at most ten places behind the point",
        });
    if (least !== null && most !== null && least > most)
      findings.push({
        key: `${key}.minBalanceUSD`,
        value: String(sweep.minBalanceUSD),
        problem: `${sweep.minBalanceUSD} is more than maxBalanceUSD, which is ${sweep.maxBalanceUSD}`,
        fix: "give at most maxBalanceUSD",
      });
    return findings;
  });
}

export function findAutoAcceptProblems(rules: AutoAccepts): readonly SettingFinding[] {
  return Object.entries(rules).flatMap(([receiver, { fromParties }]) => {
    const key = `autoAcceptTransfers.${receiver}`;
    const findings = [...partyProblem(key, receiver)];
    if (fromParties.length === 0)
      findings.push({
        key: `${key}.fromParties`,
        problem: "the list is empty, so that nothing would be accepted",
        fix: "name the parties whose transfers are accepted, or leave the receiver out",
      });
    if (fromParties.length > MAX_ACCEPTED_SENDERS)
      findings.push({
        key: `${key}.fromParties`,
        problem: `the list has ${fromParties.length} parties`,
        fix: `give at most ${MAX_ACCEPTED_SENDERS}`,
      });
    for (const [i, sender] of fromParties.entries()) {
      findings.push(...partyProblem(`${key}.fromParties[${i}]`, sender));
      if (sender === receiver)
        findings.push({
          key: `${key}.fromParties[${i}]`,
          value: sender,
          problem: "nobody sends to themselves",
          fix: "name another party",
        });
    }
    return findings;
  });
}

function partyProblem(key: string, party: string): SettingFinding[] {
  const parsed = parsePartyId(party);
  if (parsed.ok) return [];
  const fix = "give the whole party id, as in alice::1220 and 64 hexadecimal digits";
  return [{ key, value: party, problem: `${shown(party)} is no party id`, fix }];
}

/**
 * Two or more parts with a dot between them, each of lower-case letters a-z, digits, "_" and "-", as in
 * `treasury.unverified.cns`. The network's acronym is not known yet.
 */
const WHOLE_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;

function receiverProblem(key: string, receiver: string): SettingFinding[] {
  if (parsePartyId(receiver).ok) return [];
  if (WHOLE_NAME.test(receiver) && receiver.length <= MAX_RECEIVER_NAME) return [];
  const problem = `${shown(receiver)} is neither a party id nor a whole name`;
  const fix = "give the whole party id, or a name with its suffix, as in treasury.unverified.cns";
  return [{ key, value: receiver, problem, fix }];
}

/** An amount in dollars; null if it is none. */
export function parseDollars(value: number | string): Decimal | null {
  const amount = parseDecimal(String(value));
  return amount.ok && amount.value >= 0n ? amount.value : null;
}
