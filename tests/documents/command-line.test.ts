// Keeps docs/command-line.md true: its commands, options, variables and exit codes are those of the program.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NETWORK_COMMANDS } from "../../packages/cli/src/commands/network-commands.ts";
import { SCAN_OPTION, TARGET_OPTIONS } from "../../packages/cli/src/networks/network-command.ts";
import { EXIT } from "../../packages/cli/src/output/exit-code.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/command-line.md"), "utf8");

/** The rows of the table with this header, without backticks. */
function rowsOf(header: string): readonly (readonly string[])[] {
  const [, behind = ""] = page.split(`${header}\n`);
  const [table = ""] = behind.split("\n\n");
  return table
    .split("\n")
    .slice(1)
    .map((line) => line.replaceAll("`", "").slice(2, -2).split(" | "));
}

test("every command that speaks to a network is listed with its summary", () => {
  const expected = [...NETWORK_COMMANDS].map(([name, { summary }]) => [name, summary]);
  expect(rowsOf("| command | meaning |")).toEqual(expected);
});

test("every exit code is listed", () => {
  const codes = rowsOf("| code | meaning |").map(([code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT));
});

test("the options that name a network are listed with their variables", () => {
  const options: typeof TARGET_OPTIONS = { ...TARGET_OPTIONS, ...SCAN_OPTION };
  for (const [option = "", variable = ""] of rowsOf("| option | variable | meaning |")) {
    const [, name = ""] = /^--([\w-]+)/.exec(option) ?? [];
    expect(options[name]?.meaning).toContain(`also ${variable}`);
  }
});
