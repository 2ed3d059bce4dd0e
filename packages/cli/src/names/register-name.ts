/** `callsign register`: from the request to the live name, or to the refund and its reason. */
import type { NameAvailability, NameRequest } from "@callsign/api";
import { plainText, sleep } from "@callsign/node";
import { openWallet, type ValidatorClient, type WalletConnection } from "../networks/connection.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { dollarsFor, missingCoin } from "./coin-price.ts";
import { describeEntry, formatMoment, trimZeros } from "./describe-entry.ts";
import { openLookups } from "./lookups.ts";

const LOOK_MILLISECONDS = 100;
/** The SVs have a minute to decide; usually they need less than a second. */
const DECISION_MILLISECONDS = 60_000;
const LEAST_TAP_DOLLARS = 10;
const OPEN: readonly NameRequest["state"][] = ["waiting_for_payment", "paid", "requested"];

export async function registerName(call: CommandCall): Promise<number> {
  const { own, progress, printer } = call;
  const [given = ""] = call.words;
  const connection = await openWallet(call);
  const { validator } = connection;
  const lookups = openLookups(connection);
  progress.begin(`checking the name ${plainText(given)}`);
  const availability = await lookups.check(given);
  refuseUnavailable(availability);
  warnOfLookAlikes(availability, call);
  await refuseWithoutCoin(availability, connection, call);
  progress.begin(`asking for ${availability.name}`);
  const body = { name: given, url: String(own["url"] ?? ""), description: String(own["description"] ?? "") };
  const { subscriptionRequestCid, name } = await validator.createAnsEntry({ body });
  progress.adviseOnInterrupt(`${name} is asked for and may have been paid. See how it ends: callsign names`);
  progress.begin(`paying ${describePrice(availability)}`);
  await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  progress.begin("the SVs confirm the payment");
  const request = await untilDecided(validator, subscriptionRequestCid, call);
  if (request.state !== "registered") throw explainRefusal(request);
  progress.begin("waiting until scans agree on the name");
  const entry = await untilLive(() => lookups.findByName(name), call);
  progress.done();
  printer.print(
    { entry, request },
    (paint) => `${paint("green", "Registered.")}\n${describeEntry(entry, paint)}`,
  );
  return EXIT.done;
}

function refuseUnavailable({ name, valid, available, problem, entry, taken_until }: NameAvailability): void {
  if (!valid) throw new CommandFailure(EXIT.refused, problem ?? `${name} is no valid name`);
  if (available) return;
  const until = taken_until === null ? "for good" : `until ${formatMoment(taken_until)}`;
  throw new CommandFailure(
    EXIT.refused,
    `the name ${name} is taken ${until}, by ${plainText(entry?.user ?? "somebody")}. Choose another one`,
  );
}

function warnOfLookAlikes(
  { name, look_alikes }: NameAvailability,
  { terminal, progress }: CommandCall,
): void {
  if (look_alikes.length === 0) return;
  progress.done();
  const others = look_alikes.map((entry) => plainText(entry.name)).join(", ");
  terminal.complain(`People may take ${name} for another name: ${others}\n`);
}

function describePrice({ price }: NameAvailability): string {
  if (price === null) return "the price of a name";
  const coin = price.amulet === null ? "" : `${trimZeros(price.amulet)} coin, `;
  return `${coin}${trimZeros(price.usd)} dollars`;
}

async function refuseWithoutCoin(
  availability: NameAvailability,
  { validator, local }: WalletConnection,
  { own }: CommandCall,
): Promise<void> {
  const { price } = availability;
  if (price === null || price.amulet === null) return;
  const { effective_unlocked_qty: available } = await validator.getBalance();
  const missing = missingCoin({ needed: price.amulet, available });
  if (missing === null) return;
  const user = own["as"] === undefined ? "" : ` --as ${own["as"]}`;
  // A name that takes the last coin of its wallet could not be renewed.
  const dollars = Math.max(LEAST_TAP_DOLLARS, Math.ceil(Number(dollarsFor(missing, price.amulet_price))));
  const advice = local === null ? "" : `. Get free coin on this network: callsign tap ${dollars}${user}`;
  throw new CommandFailure(
    EXIT.refused,
    `the name costs ${describePrice(availability)}; the wallet has ${trimZeros(available)} coin, so that ` +
      `${missing} are missing${advice}`,
  );
}

async function untilDecided(validator: ValidatorClient, id: string, call: CommandCall): Promise<NameRequest> {
  const { clock, timers } = call.host;
  const late = clock.elapsedMilliseconds() + DECISION_MILLISECONDS;
  for (;;) {
    const { requests } = await validator.listNameRequests();
    const request = requests.find((each) => each.id === id);
    if (request !== undefined && !OPEN.includes(request.state)) return request;
    if (clock.elapsedMilliseconds() > late)
      throw new CommandFailure(
        EXIT.failed,
        `the SVs have not decided within ${DECISION_MILLISECONDS / 1000} s. The request goes on: callsign names shows how it ends`,
      );
    await sleep(LOOK_MILLISECONDS, { timers, signal: call.interrupted });
  }
}

/** Scans are a moment behind the ledger. */
async function untilLive<T>(find: () => Promise<T | null>, call: CommandCall): Promise<T> {
  const { clock, timers } = call.host;
  const late = clock.elapsedMilliseconds() + DECISION_MILLISECONDS;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    if (clock.elapsedMilliseconds() > late)
      throw new CommandFailure(EXIT.unreachable, "the name is registered, but the scans do not show it yet");
    await sleep(LOOK_MILLISECONDS, { timers, signal: call.interrupted });
  }
}

function explainRefusal({ name, explanation, reason, refund }: NameRequest): CommandFailure {
  const back = refund === null ? "" : `. ${trimZeros(refund.amount)} coin came back`;
  const why = reason === null ? "" : ` (${reason})`;
  return new CommandFailure(
    EXIT.refused,
    `${name} was not registered: ${explanation.replace(/\.$/, "")}${why}${back}`,
  );
}
