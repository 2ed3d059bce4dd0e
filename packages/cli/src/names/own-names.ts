/** `names`, `renew`, `auto-renewal`, `cancel`, `take-up` and `primary`: the names of a user. */
import type { NameRequest, OwnedEntry, SubscriptionListItem } from "@callsign/api";
import { formatTable, plainText } from "@callsign/node";
import { openWallet, type ValidatorClient } from "../networks/connection.ts";
import type { CommandCall } from "../networks/network-command.ts";
import type { Paint } from "../output/answer-printer.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { formatMoment, trimZeros } from "./describe-entry.ts";
import { fullNameOf, openLookups } from "./lookups.ts";

/** Requests that have ended well need no line: their names stand in the table. */
const QUIET: readonly NameRequest["state"][] = ["registered", "withdrawn", "rejected"];

export async function showOwnNames(call: CommandCall): Promise<number> {
  const { validator } = await openWallet(call);
  const [{ entries }, { requests }] = await Promise.all([
    validator.listAnsEntries(),
    validator.listNameRequests(),
  ]);
  call.printer.print({ entries, requests }, (paint) => describeOwn(entries, requests, paint));
  return EXIT.done;
}

function describeOwn(entries: readonly OwnedEntry[], requests: readonly NameRequest[], paint: Paint): string {
  const told = requests
    .filter(({ state }) => !QUIET.includes(state))
    .map(({ name, explanation }) => `${plainText(name)}: ${plainText(explanation)}\n`);
  if (entries.length === 0 && told.length === 0) return "No names. Get one: callsign register <name>\n";
  const [head = "", ...lines] = formatTable([
    ["name", "expires", "next payment", "renewal", "price"],
    ...entries.map((entry) => [
      plainText(entry.name) + (entry.primary === true ? " (primary)" : ""),
      momentOf(entry.expiresAt),
      entry.nextPaymentFrom == null ? "" : `from ${momentOf(entry.nextPaymentFrom)}`,
      describeRenewal(entry),
      `${trimZeros(entry.amount)} ${entry.unit === "USDUNIT" ? "dollars" : "coin"}`,
    ]),
  ]).split("\n");
  const table = entries.length === 0 ? "" : `${[paint("bold", head), ...lines].join("\n")}\n`;
  return `${table}${told.join("")}`;
}

function momentOf(milliseconds: string): string {
  return formatMoment(new Date(Number(milliseconds)));
}

function describeRenewal({ state, autoRenewal }: OwnedEntry): string {
  if (state === "cancelled") return "cancelled";
  if (state === "paying") return "being paid";
  return autoRenewal === false ? "by hand" : "by itself";
}

export async function renewName(call: CommandCall): Promise<number> {
  const { validator, name } = await openName(call);
  const { subscription } = await getSubscription(validator, name);
  call.progress.begin(`paying the renewal of ${name}`);
  const answer = await validator.paySubscription({ params: { subscription_id: subscription.contract_id } });
  call.progress.done();
  call.printer.print({ name, ...answer }, () => `The renewal of ${name} is paid. See: callsign names\n`);
  return EXIT.done;
}

export async function setRenewal(call: CommandCall): Promise<number> {
  const [, word] = call.words;
  const { validator, name } = await openName(call);
  const { subscription } = await getSubscription(validator, name);
  const params = { subscription_id: subscription.contract_id };
  const answer = await validator.setAutoRenewal({ params, body: { enabled: word === "on" } });
  const how = answer.enabled ? "renewed by itself" : "renewed by hand alone: callsign renew";
  call.printer.print({ name, ...answer }, () => `${name} is ${how}.\n`);
  return EXIT.done;
}

export async function cancelName(call: CommandCall): Promise<number> {
  const { validator, name } = await openName(call);
  const { state } = await getSubscription(validator, name);
  if (!("idle" in state))
    throw new CommandFailure(EXIT.refused, `a renewal of ${name} is being paid at this moment: try again`);
  await validator.cancelSubscriptionRequest({ params: { contract_id: state.idle.contract_id } });
  call.printer.print(
    { name, cancelled: true },
    () => `${name} is cancelled: it lapses when it expires. Before: callsign take-up ${name}\n`,
  );
  return EXIT.done;
}

export async function takeUpName(call: CommandCall): Promise<number> {
  const { validator, name } = await openName(call);
  call.progress.begin(`the SVs decide on taking up ${name}`);
  const entry = await validator.takeUpAnsEntry({ body: { name } });
  call.progress.done();
  call.printer.print(entry, () => `${name} is renewed again as before.\n`);
  return EXIT.done;
}

export async function choosePrimary(call: CommandCall): Promise<number> {
  const { own, words, printer } = call;
  if ((own["none"] === true) === words.length > 0)
    throw new CommandFailure(EXIT.usage, "callsign primary needs a name, or --none to take the choice back");
  if (own["none"] === true) {
    const { validator } = await openWallet(call);
    await validator.removePrimaryName();
    printer.print({ primary: null }, () => "No name is chosen now.\n");
    return EXIT.done;
  }
  const { validator, name } = await openName(call);
  const entry = await validator.setPrimaryName({ body: { name } });
  printer.print(entry, () => `You are called ${name} now.\n`);
  return EXIT.done;
}

async function openName(
  call: CommandCall,
): Promise<{ readonly validator: ValidatorClient; readonly name: string }> {
  const connection = await openWallet(call);
  const name = plainText(await fullNameOf(openLookups(connection), call.words[0] ?? ""));
  return { validator: connection.validator, name };
}

/** A subscription is described by its name, in quotes. */
async function getSubscription(validator: ValidatorClient, name: string): Promise<SubscriptionListItem> {
  const { subscriptions } = await validator.listSubscriptions();
  const found = subscriptions.find(({ subscription }) => {
    const { subscriptionData } = subscription.payload as {
      readonly subscriptionData?: { readonly description?: string };
    };
    return subscriptionData?.description?.endsWith(JSON.stringify(name)) === true;
  });
  if (found !== undefined) return found;
  throw new CommandFailure(
    EXIT.notFound,
    `this user has no running subscription to ${name}. See: callsign names`,
  );
}
