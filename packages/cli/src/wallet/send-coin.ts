/** `callsign send`: coin to a party, or to the owner of a name as several scans agree on it. */
import { plainText } from "@callsign/node";
import { fullNameOf, type Lookups, openLookups } from "../names/lookups.ts";
import { openWallet, readNetworkTime } from "../networks/connection.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { readCoinAmount } from "./coin.ts";
import { findKnownOwner, type KnownOwner, ownersFile, rememberOwner } from "./known-owners.ts";

/** The receiver accepts within a day. */
const OFFER_MILLISECONDS = 86_400_000;

export async function sendCoin(call: CommandCall): Promise<number> {
  const { own, words, progress, host } = call;
  const [amountText = "", to = ""] = words;
  const amount = readCoinAmount(amountText);
  const connection = await openWallet(call);
  const owner = to.includes("::") ? null : await resolveOwner(openLookups(connection), to);
  const receiver = owner?.party ?? to;
  await confirm(`Send ${amount} coin to ${describeReceiver(owner, receiver)}?`, owner, call);
  progress.begin(`sending ${amount} coin`);
  const now = await readNetworkTime(connection.local, call);
  const { output } = await connection.validator.createTokenStandardTransfer({
    body: {
      ...{ receiver_party_id: receiver, amount, tracking_id: host.randomness.uuid() },
      description: String(own["description"] ?? ""),
      expires_at: (now.getTime() + OFFER_MILLISECONDS) * 1000,
    },
  });
  if (owner !== null) rememberOwner(ownersFile(call.environment), owner, host);
  progress.done();
  const isOffered = "transfer_instruction_cid" in output;
  const answer = {
    amount,
    receiver,
    name: owner?.name ?? null,
    state: isOffered ? "offered" : "sent",
    ...output,
  };
  call.printer.print(answer, (paint) => {
    const end = isOffered ? ": the receiver has a day to accept, and the coin is locked until then" : "";
    return `${paint("green", isOffered ? "Offered" : "Sent")} ${amount} coin to ${describeReceiver(owner, receiver)}${end}.\n`;
  });
  return EXIT.done;
}

async function resolveOwner(lookups: Lookups, given: string): Promise<KnownOwner> {
  const name = await fullNameOf(lookups, given);
  const entry = await lookups.findByName(name);
  if (entry === null)
    throw new CommandFailure(EXIT.notFound, `nobody has the name ${plainText(name)} now: nothing was sent`);
  return { name, party: entry.user, network: await lookups.dsoParty() };
}

function describeReceiver(owner: KnownOwner | null, receiver: string): string {
  return owner === null ? plainText(receiver) : `${plainText(owner.name)}, which is ${plainText(receiver)}`;
}

/** Warns of a name that has another owner than the last time, and asks the person at the terminal. */
async function confirm(question: string, owner: KnownOwner | null, call: CommandCall): Promise<void> {
  const { terminal, own, environment, host } = call;
  const known = owner === null ? undefined : findKnownOwner(ownersFile(environment), owner, host);
  if (owner !== null && known !== undefined && known !== owner.party)
    terminal.complain(
      `Warning: ${plainText(owner.name)} belongs to another party than the last time you sent to it. It was ${plainText(known)}\n`,
    );
  if (own["yes"] === true) return;
  if (terminal.ask === undefined)
    throw new CommandFailure(EXIT.usage, `${question} Nobody is there to answer: give --yes if it is meant`);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer?.trim() ?? "")) throw new CommandFailure(EXIT.failed, "Nothing was sent");
}
