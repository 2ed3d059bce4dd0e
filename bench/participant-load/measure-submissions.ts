/**
 * Submissions to a local network with four SVs, in a process of its own: how long one takes on a quiet network, and
 * how many are taken in a second. Against them stand commits of the rows that a submission leaves at its participant,
 * one by one and synced.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@callsign/node";
import { createClient, ledgerApi } from "../../packages/api/src/index.ts";
import { openParticipantStore } from "../../packages/participant/src/store/open-participant-store.ts";
import { median, percentile, type Row } from "../measure.ts";
import { RunningNetwork } from "../network-load/running-network.ts";
import { HttpLoad } from "./http-load.ts";

const WARM_UP = 200;
const ONE_BY_ONE = 300;
const TOGETHER = 3000;
const CONCURRENCY = 32;
const BARE_COMMITS = 500;
const PREFERENCE = "#callsign-names:Callsign.Names:RenewalPreference";
const SOME_CONTRACT = `00${"ab".repeat(32)}ca101220${"cd".repeat(32)}`;

export async function measureSubmissions(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-submissions-"));
  const network = await RunningNetwork.start(folder);
  try {
    const [node] = network.description.nodes;
    if (node === undefined) throw new Error("the network has no node");
    const client = createClient(ledgerApi, { fetch, baseUrl: node.ledgerUrl, token: () => node.token });
    const { user } = await client.getAuthenticatedUser();
    const party = user.primaryParty;
    const load = new HttpLoad(node.ledgerUrl, node.token);
    const submit = (i: number) => ({ path: "/v2/commands/submit-and-wait", body: commandsOf(party, i) });
    await load.rate(WARM_UP, 4, submit);
    const times: number[] = [];
    for (let i = 0; i < ONE_BY_ONE; i++) {
      const began = performance.now();
      await load.call(submit(WARM_UP + i));
      times.push(performance.now() - began);
    }
    const rate = await load.rate(TOGETHER, CONCURRENCY, (i) => submit(WARM_UP + ONE_BY_ONE + i));
    load.close();
    const bare = await measureBareCommits(folder, BARE_COMMITS);
    return [
      { what: "submit-and-wait, one at a time, p50", value: median(times), unit: "ms", floor: 1000 / bare },
      { what: "submit-and-wait, one at a time, p99", value: percentile(times, 0.99), unit: "ms" },
      { what: `submit-and-wait, ${CONCURRENCY} at a time`, value: rate, unit: "/s", floor: bare },
    ];
  } finally {
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandsOf(party: string, i: number) {
  const createArguments = {
    subscriber: party,
    walletProvider: party,
    reference: SOME_CONTRACT,
    autoRenew: true,
  };
  const CreateCommand = { templateId: PREFERENCE, createArguments };
  return { commandId: `bench-${i}`, actAs: [party], commands: [{ CreateCommand }] };
}

/** As many rows as the end of such a submission leaves, of about their length. */
export async function measureBareCommits(folder: string, commits: number): Promise<number> {
  const store = await openParticipantStore(openDatabase(join(folder, "bare.sqlite")));
  const [body, contract] = [new Uint8Array(570), new Uint8Array(150)];
  const began = performance.now();
  for (let i = 1; i <= commits; i++) {
    await store.transaction(async (sql) => {
      await sql.run(
        "insert into stream_item values ($1, $2, 0, $3, '', '', $4)",
        i,
        "x".repeat(64),
        `${i}`,
        body,
      );
      await sql.run("insert into update_witness values (1, $1)", i);
      await sql.run("insert into completion values ($1, $2, '', 0, 1)", i, `command ${i}`);
      await sql.run("insert into user_completion values ('user', $1, '', null)", i);
      await sql.run(
        "insert into contract (contract_number, id_part, template_number, created_at, activated, archived_offset, packed) " +
          "values ($1, $2, 1, 0, 1, 9223372036854775807, $3)",
        i,
        `${i}`,
        contract,
      );
      await sql.run("insert into stakeholder values (1, 1, 9223372036854775807, $1)", i);
    });
  }
  const rate = commits / ((performance.now() - began) / 1000);
  await store.close();
  return rate;
}
