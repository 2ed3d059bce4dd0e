import { openDatabase } from "@callsign/node";
import { expect, test } from "vitest";
import { addIdBytes, contractIdColumns, keptContractId, readKeptId } from "./contract-id-bytes.ts";

const ID = `00${"ab".repeat(68)}`;

test.each([
  [ID, true],
  [ID.toUpperCase(), false],
  [`${ID}0`, false],
  [`0x${ID}`, false],
  ["", false],
])("%s comes back as it was, as bytes: %s", (id, isBytes) => {
  const database = openDatabase(":memory:");
  database.exec("create table kept (contract_id text not null) strict");
  database.exec(addIdBytes("kept"));
  const { contract_id: text, id_bytes: bytes } = contractIdColumns(id);
  expect(bytes !== null).toBe(isBytes);
  database.prepare("insert into kept values (?, ?)").run(text, bytes);
  const rows = database.prepare(
    `select *, ${keptContractId("kept")} as id from kept where ${keptContractId()} = ?`,
  );
  const row = rows.get(id) ?? {};
  expect([readKeptId(row), row["id"]]).toEqual([id, id]);
});
