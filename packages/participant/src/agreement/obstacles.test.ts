import { expect, test } from "vitest";
import { type Obstacle, type ObstacleKind, Obstacles } from "./obstacles.ts";

const SOURCES = [0, 1, 2, 3];

function watched() {
  const told: string[] = [];
  const onCertain = ({ kind }: Obstacle) => void told.push(kind);
  const obstacles = new Obstacles({ sources: SOURCES.length, quorum: { voices: 2 }, onCertain });
  const note = (kind: ObstacleKind, ...sources: readonly number[]) => {
    for (const source of sources) obstacles.note(source, { kind, text: kind });
  };
  return { obstacles, note, told };
}

test("sequencers that are silent are told once, when none is left, and again after one was heard", () => {
  const { obstacles, note, told } = watched();
  note("silent", 0, 1, 2);
  expect([obstacles.isSilent, told]).toEqual([false, []]);
  note("silent", 3, 0, 1, 2, 3);
  expect([obstacles.isSilent, told]).toEqual([true, ["silent"]]);
  obstacles.clear(2);
  expect(obstacles.isSilent).toBe(false);
  note("silent", 2);
  expect(told).toEqual(["silent", "silent"]);
});

test("a mistake is told once, when f + 1 sequencers name it, and a missing registration never", () => {
  const { obstacles, note, told } = watched();
  note("not-registered", ...SOURCES);
  note("other-key", 0);
  expect([obstacles.lasting, told]).toEqual([null, []]);
  note("other-key", 1, 2, 3, 0);
  expect([obstacles.lasting?.kind, told]).toEqual(["other-key", ["other-key"]]);
});

test("one address of a network of many tells its mistake alone", () => {
  const obstacles = new Obstacles({ sources: 1, quorum: { voices: 2 }, onCertain: () => undefined });
  obstacles.note(0, { kind: "other-key", text: "" });
  expect(obstacles.lasting?.kind).toBe("other-key");
});
