/**
 * A sweep: coin of a wallet above a limit is sent to the sweep's receiver, by an offer or by the receiver's preapproval.
 *
 * A sweep that was cut off is not made twice. A sender's offers are numbered by their tracking ids, and the number of
 * the next follows from the history, which shows every earlier one: a repeated sweep has the number, and so the command
 * id, of the first attempt, whatever coin has arrived since. A sweep by preapproval uses up the coins that it was
 * decided by, and its command id is a digest of them.
 */
import { hash } from "node:crypto";
import {
  AcceptedTransferOffer,
  Amulet,
  addDuration,
  type Decimal,
  type PartyId,
  TransferOffer,
} from "@callsign/ledger";
import type { WalletHistory } from "../history/wallet-history.ts";
import { isDuplicateCommand } from "../ledger/participant-errors.ts";
import { readParty } from "../ledger/read-party.ts";
import { MAX_COINS, SWEEP_IDS_READ, SWEEP_OFFER_MICROSECONDS } from "../limits/limits.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import { entryByName } from "../scans/scan-lookups.ts";
import { decideSweep, leastCoinWorth, type SweepLimits } from "./decide-sweep.ts";
import { sendOperation } from "./preapprovals.ts";
import type { TrackedParts } from "./tracked-requests.ts";
import { sumCoins } from "./traffic-cost.ts";
import { offerOnce } from "./transfer-offers.ts";
import type { Wallet } from "./wallet.ts";
import type { Stale, WalletParts } from "./wallet-ledger.ts";

export interface SweepTerms extends SweepLimits {
  readonly sender: PartyId;
  readonly receiver: { readonly party: PartyId } | { readonly name: string };
  /** True if coin is sent by the receiver's preapproval, not by an offer. */
  readonly byPreapproval: boolean;
}

export interface SweepParts extends TrackedParts {
  readonly history: WalletHistory;
  readonly scans: ScanGroup;
}

const DESCRIPTION = "sweep";
const TRACKING = "wallet-sweep-";
const TRACKING_DIGITS = 12;

/** True if the sender's coin is above the limit, whatever open offers may take of it. */
export async function exceedsLimit(
  { store }: Pick<WalletParts, "store">,
  sweep: SweepTerms,
  price: Decimal,
): Promise<boolean> {
  const coin = await sumCoins(store, sweep.sender);
  return decideSweep({ coin, outstanding: 0n, price }, sweep) !== null;
}

/** The amount to send by the copy of the ledger and that price; null if there is nothing to sweep. */
export async function findSweepAmount(
  { store, clock }: Pick<WalletParts, "store" | "clock">,
  sweep: SweepTerms,
  { price, receiver }: { readonly price: Decimal; readonly receiver: PartyId | null },
): Promise<Decimal | null> {
  const coin = await sumCoins(store, sweep.sender);
  const most = decideSweep({ coin, outstanding: 0n, price }, sweep);
  if (most === null || sweep.byPreapproval) return most;
  let outstanding = 0n;
  for (const template of [TransferOffer, AcceptedTransferOffer])
    for (const { payload } of await store.list(template, { owner: sweep.sender }, MAX_COINS)) {
      // An earlier sweep counts also if its name had another holder then.
      const isCounted = payload.receiver === receiver || payload.trackingId.startsWith(TRACKING);
      if (!isCounted || payload.expiresAt <= clock.now) continue;
      const { amount, unit } = payload.amount;
      outstanding += unit === "AmuletUnit" ? amount : leastCoinWorth(amount, price);
    }
  return decideSweep({ coin, outstanding, price }, sweep);
}

/** Resolves to `stale` if nothing is left to sweep. */
export async function sweepWallet(
  parts: SweepParts,
  wallet: Wallet,
  sweep: SweepTerms,
): Promise<"swept" | Stale> {
  await parts.ledger.requireCopy();
  const receiver = await findReceiver(parts, sweep);
  return sweep.byPreapproval
    ? await sweepByPreapproval(parts, wallet, sweep, receiver)
    : await sweepByOffer(parts, wallet, sweep, receiver);
}

/** Runs in the wallet's queue, so that no payment comes between the decision and the offer. */
function sweepByOffer(
  parts: SweepParts,
  wallet: Wallet,
  sweep: SweepTerms,
  receiver: PartyId,
): Promise<"swept" | Stale> {
  const { treasury, facts, clock, history } = parts;
  const offer = async () => {
    const { amuletPrice: price } = (await facts.usableRound()).payload;
    const amount = await findSweepAmount(parts, sweep, { price, receiver });
    if (amount === null) return "stale";
    const trackingId = await nextTrackingId(history, wallet.party);
    await facts.refreshTime();
    const expiresAt = addDuration(clock.now, SWEEP_OFFER_MICROSECONDS);
    const terms = { receiver, description: DESCRIPTION, expiresAt, trackingId };
    const coin = { amount, unit: "AmuletUnit" } as const;
    // The amount may differ in a repetition, after coin has arrived: it is the same sweep.
    await offerOnce(parts, wallet, { ...terms, amount: coin }, { sweep: trackingId });
    return "swept";
  };
  return treasury.run(wallet.party, offer, "automation");
}

async function sweepByPreapproval(
  parts: SweepParts,
  wallet: Wallet,
  sweep: SweepTerms,
  receiver: PartyId,
): Promise<"swept" | Stale> {
  const { store, ledger } = parts;
  const coins = await store.list(Amulet, { owner: wallet.party }, MAX_COINS);
  const ids = coins.map(({ contractId }) => contractId).sort();
  const commandId = `walletSweep_${hash("sha256", ["1", wallet.party, ...ids].join("/"), "hex")}`;
  try {
    const sent = await ledger.runOperation(
      wallet,
      async (context) => {
        const amount = await findSweepAmount(parts, sweep, { price: context.amuletPrice, receiver });
        if (amount === null) return "stale";
        return await sendOperation(parts, receiver, { amount, description: DESCRIPTION }, context);
      },
      { asker: "automation", identity: { commandId } },
    );
    return sent === "stale" ? sent : "swept";
  } catch (error) {
    if (isDuplicateCommand(error)) return "stale";
    throw error;
  }
}

/** The receiver at this moment. A name is resolved by agreement of scans, and never guessed. */
async function findReceiver({ scans }: SweepParts, { sender, receiver }: SweepTerms): Promise<PartyId> {
  if ("party" in receiver) return receiver.party;
  const { name } = receiver;
  const entry = await scans.read(entryByName(name));
  const key = `walletSweep.${sender}.receiver`;
  if (entry === null)
    throw new Error(
      `${key}: nobody holds the name ${name}. Register it, or give a party id; nothing is swept until then`,
    );
  const party = readParty(entry.user);
  if (party === sender)
    throw new Error(
      `${key}: the sender itself holds the name ${name}. Give another receiver; nothing is swept until then`,
    );
  return party;
}

/** The number behind the sender's last sweep by an offer. */
async function nextTrackingId(history: WalletHistory, sender: PartyId): Promise<string> {
  const format = (number: number) => `${TRACKING}${String(number).padStart(TRACKING_DIGITS, "0")}`;
  const [first, last] = [format(0), format(10 ** TRACKING_DIGITS - 1)];
  const ids = await history.listTrackingIds(sender, "transfer-offer", { first, last, limit: SWEEP_IDS_READ });
  // The wallet's user may have chosen ids that only look alike.
  const numbers = ids.map((id) => id.slice(TRACKING.length)).filter((digits) => /^[0-9]{12}$/.test(digits));
  return format(Number(numbers[0] ?? 0) + 1);
}
