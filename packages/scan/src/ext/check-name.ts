/** Whether a name can be had, at which price, and which live names look like it. */
import type { NameAvailability, AnsEntry as ShownEntry } from "@callsign/api";
import { AnsRules, completeName, divide, formatDecimal, OpenMiningRound } from "@callsign/ledger";
import { MAX_LOOK_ALIKES } from "../limits/limits.ts";
import { skeletonOf } from "../names/skeleton.ts";
import type { ScanIndex } from "../rows/scan-index.ts";

export function checkName(index: ScanIndex, given: string): NameAvailability {
  const { names, now, network } = index;
  const completed = completeName(given, network?.acronym);
  const name = completed.ok ? completed.value : given;
  const found = names.findByName(name, now);
  const entry = found.kind === "found" ? (JSON.parse(found.answer) as { entry: ShownEntry }).entry : null;
  return {
    name,
    valid: completed.ok,
    problem: completed.ok ? null : completed.error,
    available: completed.ok && entry === null,
    entry,
    taken_until: entry?.expires_at ?? null,
    price: findPrice(index),
    look_alikes: [...listLookAlikes(index, name)],
  };
}

/** The fee of the present rules at the price of the highest round that is open. */
function findPrice({ contracts, now }: ScanIndex): NameAvailability["price"] {
  const rules = contracts.find(AnsRules);
  const round = contracts.list(OpenMiningRound).findLast(({ payload }) => payload.opensAt <= now);
  if (rules === undefined || round === undefined) return null;
  const { entryFee, entryLifetime } = rules.payload.config;
  const { amuletPrice } = round.payload;
  return {
    usd: formatDecimal(entryFee),
    amulet: amuletPrice === 0n ? null : formatDecimal(divide(entryFee, amuletPrice)),
    amulet_price: formatDecimal(amuletPrice),
    round: Number(round.payload.round.number),
    lifetime_microseconds: Number(entryLifetime.microseconds),
  };
}

function listLookAlikes({ namePages, wellKnown, now }: ScanIndex, name: string): readonly ShownEntry[] {
  if (!name.isWellFormed()) return [];
  const skeleton = skeletonOf(name);
  if (skeleton === "") return [];
  // One more than is shown, because the name itself may be among them.
  const registered = namePages.listBySkeleton(skeleton, { now, limit: MAX_LOOK_ALIKES + 1 });
  const known = (wellKnown.find()?.entries ?? []).filter((entry) => skeletonOf(entry.name) === skeleton);
  return [...known, ...registered]
    .filter((other) => other.name !== name)
    .slice(0, MAX_LOOK_ALIKES)
    .map(({ json }) => JSON.parse(json) as ShownEntry);
}
