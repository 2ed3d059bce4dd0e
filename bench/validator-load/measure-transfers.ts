/**
 * Transfers over HTTP: 100 users, each sending coin to the next, one transfer after the other. The local network has a
 * process of its own, which shares the cores with the users. Its processor time is that of the whole transfer: the
 * validator, its participant, and four SVs that order and apply it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row, Section } from "../measure.ts";
import { processorTimeOf } from "../network-load/process-time.ts";
import { RunningNetwork } from "../network-load/running-network.ts";
import { clientOf, type OnboardedUser, onboardUsers } from "./onboard-users.ts";

const USERS = 100;
const WARM_UP_SECONDS = 5;
const SECONDS = 20;
const MIN_RATE = 100;
const AT_ONCE = 8;
/** A wallet asks for the state of an offer twice a second. More often, the measurement would be that of the questions. */
const POLL_MILLISECONDS = 500;

type Send = (from: OnboardedUser, to: OnboardedUser, id: string) => Promise<void>;

const sendByPreapproval: Send = async ({ client }, { party }, id) => {
  const body = { receiver_party_id: party, amount: "1.0", deduplication_id: id, description: null };
  await client.transferPreapprovalSend({ body });
};

const sendByTokenStandard: Send = async ({ client }, { party }, id) => {
  const body = { receiver_party_id: party, amount: "1.0", description: "", expires_at: inAnHour() };
  await client.createTokenStandardTransfer({ body: { ...body, tracking_id: id } });
};

/** The receiver accepts, and the sender's wallet pays by itself. */
const sendByOffer: Send = async ({ client }, receiver, id) => {
  const body = { receiver_party_id: receiver.party, amount: "1.0", description: "", expires_at: inAnHour() };
  const { offer_contract_id } = await client.createTransferOffer({ body: { ...body, tracking_id: id } });
  await receiver.client.acceptTransferOffer({ params: { contract_id: offer_contract_id } });
  for (;;) {
    const { status } = await client.getTransferOfferStatus({ params: { tracking_id: id } });
    if (status === "completed") return;
    await sleep(POLL_MILLISECONDS / 1000);
  }
};

export async function measureTransfers(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-transfers-"));
  const network = await RunningNetwork.start(folder);
  try {
    const [first, second] = network.description.nodes;
    if (first === undefined || second === undefined) throw new Error("the network has no two validators");
    const users = await prepare(first, USERS);
    const others = await prepare(second, USERS / 2);
    // The receiver of each is at the other validator.
    const both = others.flatMap((other, i) => [users[i] ?? other, other]);
    const cases: readonly (readonly [string, Send, readonly OnboardedUser[]])[] = [
      ["by preapproval, one validator", sendByPreapproval, users],
      ["by preapproval, two validators", sendByPreapproval, both],
      ["by the token standard, one validator", sendByTokenStandard, users],
      ["by offer, one validator", sendByOffer, users],
    ];
    const rows: Row[] = [];
    for (const [what, send, senders] of cases) {
      const { rate, milliseconds } = await measure(network.pid, send, senders);
      rows.push(
        {
          ...{ what: `transfers ${what}`, value: rate, unit: "/s" },
          ...{ target: `≥ ${MIN_RATE}`, met: rate >= MIN_RATE },
        },
        { what: `transfers ${what}, processor time of each`, value: milliseconds, unit: "ms" },
      );
    }
    return { rows, note: NOTE };
  } finally {
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Node {
  readonly validatorUrl: string;
  readonly user: string;
}

/** Users with coin and a preapproval, for which the validator pays. */
async function prepare({ validatorUrl, user }: Node, count: number): Promise<readonly OnboardedUser[]> {
  const operator = await clientOf(validatorUrl, user);
  await operator.tap({ body: { amount: "10000" } });
  const users = await onboardUsers({ validatorUrl, from: 0, count, atOnce: AT_ONCE });
  for (let i = 0; i < count; i += AT_ONCE)
    await Promise.all(
      users.slice(i, i + AT_ONCE).map(async ({ client }) => {
        await client.tap({ body: { amount: "100" } });
        await client.createTransferPreapproval();
      }),
    );
  return users;
}

async function measure(pid: number, send: Send, users: readonly OnboardedUser[]) {
  const progress = { isStopped: false, done: 0 };
  const run = `${Math.random()}`;
  const work = users.map(async (user, index) => {
    const receiver = users[(index + 1) % users.length] ?? user;
    for (let i = 0; !progress.isStopped; i++) {
      await send(user, receiver, `${run}-${index}-${i}`);
      progress.done++;
    }
  });
  // A failure ends the measurement at once.
  const failed = Promise.all(work);
  await Promise.race([failed, sleep(WARM_UP_SECONDS)]);
  const before = { done: progress.done, processor: processorTimeOf(pid), at: performance.now() };
  await Promise.race([failed, sleep(SECONDS)]);
  const done = progress.done - before.done;
  const processor = processorTimeOf(pid) - before.processor;
  const rate = done / ((performance.now() - before.at) / 1000);
  progress.isStopped = true;
  await failed;
  return { rate, milliseconds: processor / done / 1000 };
}

function inAnHour(): number {
  return (Date.now() + 3_600_000) * 1000;
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

const NOTE =
  `Transfers: ${USERS} users, each with one transfer at a time, over ${SECONDS} s after ${WARM_UP_SECONDS} s to warm up. A transfer by offer is ` +
  "three calls and three transactions.\nThe processor time is that of the process with the whole network.";
