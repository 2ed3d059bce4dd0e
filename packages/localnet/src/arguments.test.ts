import { expect, test } from "vitest";
import { readArguments } from "./arguments.ts";

test("options are read, with their defaults", () => {
  expect(readArguments([])).toMatchObject({
    fresh: false,
    help: false,
    level: "info",
    pausedAutomations: [],
  });
  expect(readArguments([])).not.toHaveProperty("acronym");
  const given = ["--data", "/some/folder/", "--pause", "expire-coin, record-liveness", "--acronym", "ANS"];
  expect(readArguments(given)).toMatchObject({
    dataFolder: "/some/folder",
    pausedAutomations: ["expire-coin", "record-liveness"],
    acronym: "ans",
  });
});

test("callers besides this machine's are listed", () => {
  expect(readArguments([]).allowedCallers).toEqual({ hosts: [], origins: [] });
  const given = [
    "--allow-host",
    "host.docker.internal, localnet",
    "--allow-origin",
    "chrome-extension://abc",
  ];
  expect(readArguments(given).allowedCallers).toEqual({
    hosts: ["host.docker.internal", "localnet"],
    origins: ["chrome-extension://abc"],
  });
});

test.each(["--help", "-h"])("%s asks for help", (help) => {
  expect(readArguments([help]).help).toBe(true);
});

test.each([
  [["--nonsense"], /^There is no option --nonsense$/],
  [["--frsh"], /^There is no option --frsh: did you mean --fresh\?$/],
  [["--any-prots=1"], /^There is no option --any-prots: did you mean --any-ports\?$/],
  [["-x"], /^There is no option -x$/],
  [["stray"], /'stray'/],
  [["--log", "loud"], /^--log is one of debug, info, warn, error, not loud$/],
  [["--pause", "record-liveness,sleep"], /no sleep: it takes decide-first-payments/],
  [["--pause", "expire-coins"], /Did you mean expire-coin\?$/],
  [["--data"], /'--data <value>' argument missing/],
  [["--data", ""], /^--data needs the name of a folder$/],
  [["--acronym", "my.net"], /^--acronym: "my.net" cannot end a name. Allowed: 1 to 20 letters/],
  [["--acronym", "a".repeat(21)], /cannot end a name/],
  [["--acronym", "-a"], /ambiguous/],
  [["--allow-host", "http://localnet"], /^--allow-host takes host names without scheme and port/],
  [["--allow-host", "localnet:80"], /^--allow-host takes host names without scheme and port/],
  [["--allow-origin", "example.com"], /^--allow-origin takes origins such as/],
])("%s is refused", (given, message) => {
  expect(() => readArguments(given)).toThrow(
    expect.objectContaining({ name: "UsageError", message: expect.stringMatching(message) }),
  );
});
