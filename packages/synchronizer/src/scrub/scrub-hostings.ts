/** The hosts of parties, which the replica's state and the streams have each. */
import type { DatabaseSync } from "node:sqlite";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";

export function scrubHostings(database: DatabaseSync): readonly ScrubPart[] {
  const parties = database.prepare(
    "select party, hosts from hosting where party > ? order by party limit +?",
  );
  const members = database.prepare("select member from stream_hosting where party = ? order by member");
  const hosted = database.prepare(
    "select party, member, (select hosts from hosting h where h.party = s.party) as hosts from stream_hosting s " +
      "where (party, member) > (?, ?) order by party, member limit +?",
  );
  const differ = (party: unknown) =>
    differs(`the streams have other hosts of ${party} than the replica's state`);
  const checkState = (after: string) => {
    const rows = parties.all(after, SCRUBBED_AT_ONCE);
    for (const { party, hosts } of rows) {
      const known = members.all(party as string).map(({ member }) => member as string);
      if (known.join(" ") !== listHosts(hosts).sort().join(" ")) throw differ(party);
    }
    return {
      after: placeBehind(rows, SCRUBBED_AT_ONCE, ({ party }) => party as string),
      rows: rows.length,
    };
  };
  const checkStreams = (after: string) => {
    const [party = "", member = ""] = after === "" ? [] : (JSON.parse(after) as string[]);
    const rows = hosted.all(party, member, SCRUBBED_AT_ONCE);
    for (const row of rows)
      if (!listHosts(row["hosts"]).includes(row["member"] as string)) throw differ(row["party"]);
    const behind = placeBehind(rows, SCRUBBED_AT_ONCE, (row) =>
      JSON.stringify([row["party"], row["member"]]),
    );
    return { after: behind, rows: rows.length };
  };
  return [
    { name: "hosts of parties", store: "replica", check: checkState },
    { name: "parties of hosts", store: "replica", check: checkStreams },
  ];
}

function listHosts(hosts: unknown): string[] {
  return typeof hosts === "string" && hosts !== "" ? hosts.split(" ") : [];
}
