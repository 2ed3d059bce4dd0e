/** The terms of names that a network is founded with: Splice's `initialAnsConfig`. They never change afterwards. */
import { DEFAULT_TICK_DURATION, decimal, defaultAnsConfig } from "@callsign/ledger";
import { formatSettingDuration } from "../keys/setting-duration.ts";
import type { KeyReader } from "./key-reader.ts";
import type { AnsTerms } from "./setups.ts";

const PATH = "network.initialAnsConfig";
const [FEE, LIFETIME, RENEWAL, TICK] = [
  `${PATH}.entryFee`,
  `${PATH}.entryLifetime`,
  `${PATH}.renewalDuration`,
  "network.tickDuration",
] as const;
const DEFAULTS = {
  [LIFETIME]: defaultAnsConfig.entryLifetime.microseconds,
  [RENEWAL]: defaultAnsConfig.renewalDuration.microseconds,
  [TICK]: DEFAULT_TICK_DURATION.microseconds,
};
type TimeKey = keyof typeof DEFAULTS;

export function readAnsConfig(reader: KeyReader): AnsTerms {
  const fee = reader.text(FEE);
  const [lifetime, renewal] = [readMicroseconds(reader, LIFETIME), readMicroseconds(reader, RENEWAL)];
  // The ledger would accept a longer window. Every wallet would then pay for a second lifetime as soon as it has a name.
  checkOrder(reader, RENEWAL, LIFETIME, "a name is renewed in the last part of its life");
  // Wallets go by the ledger's time. On a quiet network it moves once in a tick, when a round opens.
  checkOrder(reader, TICK, RENEWAL, "a wallet that looks once in a tick would miss names to renew");
  return {
    ...(fee === undefined ? {} : { entryFee: decimal(fee) }),
    ...(lifetime === undefined ? {} : { entryLifetimeMicroseconds: lifetime }),
    ...(renewal === undefined ? {} : { renewalMicroseconds: renewal }),
  };
}

export function readMicroseconds(reader: KeyReader, path: string): bigint | undefined {
  const seconds = reader.number(path);
  return seconds === undefined ? undefined : BigInt(Math.round(seconds * 1_000_000));
}

/** A finding if the one time is not shorter than the other, as given or by default. */
function checkOrder(reader: KeyReader, shorter: TimeKey, longer: TimeKey, reason: string): void {
  const keys = [shorter, longer] as const;
  const given = keys.filter((path) => reader.has(path));
  const key = given.find((path) => path === RENEWAL) ?? given[0];
  // A value of a wrong type is told already.
  if (key === undefined || given.some((path) => reader.number(path) === undefined)) return;
  const timeOf = (path: TimeKey) => readMicroseconds(reader, path) ?? DEFAULTS[path];
  if (timeOf(shorter) < timeOf(longer)) return;
  const [first, second] = keys.map(
    (path) => `${path} is ${formatSettingDuration(timeOf(path))}${given.includes(path) ? "" : " by default"}`,
  );
  const problem = `contradicts another key: ${first}, and ${second}`;
  reader.adopt([{ key, problem, fix: `Give a shorter ${shorter} or a longer ${longer}: ${reason}` }]);
}
