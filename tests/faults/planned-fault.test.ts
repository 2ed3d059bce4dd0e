import { expect, test } from "vitest";
import { Random } from "../support/random.ts";
import { planFaults } from "./planned-fault.ts";

const field = {
  svs: ["sv-1", "sv-2", "sv-3"],
  others: ["participant"],
  nodes: ["node-1", "node-2", "node-3"],
  canFailOver: true,
};

test("a seed gives the same faults again, and another seed others", () => {
  const plan = planFaults(100, field, new Random(1));
  expect(planFaults(100, field, new Random(1))).toEqual(plan);
  expect(planFaults(100, field, new Random(2))).not.toEqual(plan);
});

test("a hundred faults are of every kind, and a failover is drawn only where it can be made", () => {
  const kindsOf = (canFailOver: boolean) =>
    new Set(planFaults(100, { ...field, canFailOver }, new Random(1)).map(({ kind }) => kind));
  const kinds = ["clock", "full disk", "kill", "lost nodes", "partition", "pause", "slow disk"];
  expect([...kindsOf(true)].sort()).toEqual([...kinds, "failover"].sort());
  expect([...kindsOf(false)].sort()).toEqual(kinds);
});

test("a partition loses both directions or one, and never what a machine sends to itself", () => {
  const partitions = planFaults(500, field, new Random(1)).flatMap((fault) =>
    fault.kind === "partition" ? [fault] : [],
  );
  const isBothWays = ({ losses }: (typeof partitions)[number]) =>
    losses.every(({ from, to }) => losses.some((back) => back.from === to && back.to === from));
  for (const partition of partitions) {
    expect(partition.losses.length).toBeGreaterThan(0);
    expect(partition.losses.filter(({ from, to }) => from === to)).toEqual([]);
    expect(isBothWays(partition)).toBe(!partition.shape.startsWith("one way"));
  }
});
