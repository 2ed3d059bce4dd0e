import { expect, test } from "vitest";
import { DueOwners } from "./changed-owners.ts";

function start(all: readonly string[]) {
  const due = new Set<string>();
  const looked: string[] = [];
  let failures = 0;
  const owners = new DueOwners(
    async () => all,
    async (owner) => {
      looked.push(owner);
      if (failures-- > 0) throw new Error("the database does not answer");
      return due.has(owner);
    },
  );
  const fail = (times: number) => {
    failures = times;
  };
  return { owners, due, looked, fail };
}

test("all owners are looked at once, then only those who changed", async () => {
  const all = Array.from({ length: 1000 }, (_, i) => `owner ${i}`);
  const { owners, due, looked } = start(all);
  due.add("owner 7");
  expect(await owners.list()).toEqual(["owner 7"]);
  expect(looked).toHaveLength(1000);
  expect(await owners.list()).toEqual(["owner 7"]);
  expect(looked).toHaveLength(1000);
  due.add("owner 8");
  owners.add(["owner 8", "owner 9"]);
  expect(await owners.list()).toEqual(["owner 7", "owner 8"]);
  expect(looked.slice(1000)).toEqual(["owner 8", "owner 9"]);
});

test("an owner is due until a change leaves it nothing to do", async () => {
  const { owners, due } = start(["alice"]);
  due.add("alice");
  expect(await owners.list()).toEqual(["alice"]);
  due.clear();
  expect(await owners.list()).toEqual(["alice"]);
  owners.add(["alice"]);
  expect(await owners.list()).toEqual([]);
});

test("an owner whose look failed is looked at again", async () => {
  const { owners, due, looked, fail } = start(["alice", "bob"]);
  due.add("alice").add("bob");
  fail(1);
  await expect(owners.list()).rejects.toThrow("does not answer");
  expect(await owners.list()).toEqual(["bob", "alice"]);
  expect(looked).toEqual(["alice", "bob", "alice"]);
});
