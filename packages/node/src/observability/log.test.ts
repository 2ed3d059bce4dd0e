import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createLog, type Log, type LogOptions, silentLog, writeAudit } from "./log.ts";

function written(options: Omit<LogOptions, "file">, use: (log: Log) => void): readonly string[] {
  const file = join(temporaryFolder(), "node.log");
  use(createLog({ ...options, file }));
  return readFileSync(file, "utf8").split("\n").slice(0, -1);
}

test("lines below the level are left out, audit records never", () => {
  const lines = written({ level: "error" }, (log) => {
    log.debug({}, "a");
    log.info({}, "b");
    log.warn({}, "c");
    log.error({}, "d");
    writeAudit(log.child({ role: "participant" }), { user: "alice" }, "e");
    expect([log.isLevelEnabled?.("warn"), log.isLevelEnabled?.("error")]).toEqual([false, true]);
  });
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["d", "e"]);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({
    level: 70,
    audit: true,
    role: "participant",
    user: "alice",
  });
  expect(() => writeAudit(silentLog, {}, "nothing")).not.toThrow();
});

test("a readable line has time, level, message and fields, and stays one line", () => {
  const [line = "", audit] = written({ level: "info", format: "readable" }, (log) => {
    const fields = { status: 403, user: "alice", reason: "no right\nto \u001b[31mact", list: ["a b"] };
    log.warn(fields, "a call was refused\n2026 ERROR forged");
    writeAudit(log, {}, "a user was made");
  });
  expect(line).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARN {2}a call was refused\?2026 ERROR forged /,
  );
  expect(line).toContain('status=403 user=alice reason="no right\\nto \\u001b[31mact" list=["a b"]');
  expect(audit).toContain("AUDIT a user was made audit=true");
});

test("a readable line has no character that moves a terminal's cursor, whatever a caller wrote", () => {
  const [line = ""] = written({ level: "info", format: "readable" }, (log) => {
    log.warn({ reason: "a b\u009b31m\u2028\u202e\u007f", list: ["\u009b2J"] }, "a call was refused");
  });
  expect(line).toContain('reason="a b?31m???" list=["?2J"]');
});

test("fields that may be secrets are redacted in both formats", () => {
  for (const format of ["json", "readable"] as const) {
    const [line] = written({ level: "info", format }, (log) =>
      log.info({ token: "hunter2", a: { password: "hunter2", b: { clientSecret: "hunter2" } } }, "said"),
    );
    expect(line).toContain("[Redacted]");
    expect(line).not.toContain("hunter2");
  }
});
