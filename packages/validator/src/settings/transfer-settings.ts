/**
 * The checks of `walletSweep` and `autoAcceptTransfers`. Splice checks neither: a mistyped party switches its row off
 * without a word.
 */
import { parseDecimal, parsePartyId } from "@callsign/ledger";
import { type SettingFinding, shown } from "./setting-finding.ts";

export interface WalletSweepConfig {
  /** In dollars. More than this is sent on. */
  readonly maxBalanceUSD: number | string;
  /** In dollars. This much stays. */
  readonly minBalanceUSD: number | string;
  readonly receiver: string;
  readonly useTransferPreapproval?: boolean;
}

export interface AutoAcceptConfig {
  readonly fromParties: readonly string[];
}

/** By the sender's party. */
export function findSweepProblems(
  sweeps: Readonly<Record<string, WalletSweepConfig>>,
): readonly SettingFinding[] {
  return Object.entries(sweeps).flatMap(([sender, sweep]) => {
    const key = `walletSweep.${sender}`;
    const findings = [...partyProblem(key, sender), ...partyProblem(`${key}.receiver`, sweep.receiver)];
    if (sweep.receiver === sender)
      findings.push({
        key: `${key}.receiver`,
        value: sweep.receiver,
        problem: "the sender would send to itself",
        fix: "name another party",
      });
    const [least, most] = [dollars(sweep.minBalanceUSD), dollars(sweep.maxBalanceUSD)];
    for (const name of ["minBalanceUSD", "maxBalanceUSD"] as const)
      if (dollars(sweep[name]) === null)
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

/** By the receiver's party. */
export function findAutoAcceptProblems(
  rules: Readonly<Record<string, AutoAcceptConfig>>,
): readonly SettingFinding[] {
  return Object.entries(rules).flatMap(([receiver, { fromParties }]) => {
    const key = `autoAcceptTransfers.${receiver}`;
    const findings = [...partyProblem(key, receiver)];
    if (fromParties.length === 0)
      findings.push({
        key: `${key}.fromParties`,
        problem: "the list is empty, so that nothing would be accepted",
        fix: "name the parties whose transfers are accepted, or leave the receiver out",
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

function dollars(value: number | string): bigint | null {
  const amount = parseDecimal(String(value));
  return amount.ok && amount.value >= 0n ? amount.value : null;
}
