import { expect, test } from "vitest";
import { DecodeError, inside } from "./decode-error.ts";

const failure = new DecodeError("Expected a string, got null", { problem: "malformed-text" });

test.each([
  [[], ""],
  [["amount"], "amount"],
  [["amount", "payData"], "payData.amount"],
  [["tag", 3, "inputs"], "inputs[3].tag"],
  [[0, 1, "map"], "map[1][0]"],
  [['["some key"]', "values"], 'values["some key"]'],
  [["a", '["k"]', 2], '[2]["k"].a'],
])("the path grows from the inside: %j gives %s", (segments, path) => {
  const seen = (segments as (string | number)[]).reduce<unknown>(
    (error, segment) => inside(segment, error),
    failure,
  );
  const at = path === "" ? "" : ` at '${path}'`;
  expect(seen).toMatchObject({
    name: "DecodeError",
    path,
    reason: "Expected a string, got null",
    message: `Expected a string, got null${at}`,
    problem: "malformed-text",
  });
});

test("a problem is invalid unless said otherwise", () => {
  expect(new DecodeError("no")).toMatchObject({ problem: "invalid", path: "", message: "no" });
});

test("the cause is kept, and other errors pass as they are", () => {
  const cause = new SyntaxError("bad");
  expect(inside("a", new DecodeError("no", { cause }))).toMatchObject({ cause, path: "a" });
  expect(inside("a", cause)).toBe(cause);
});
