// Runs every command of the tour, of the README and of the page on /ext/v1 in one shell against a local network, and compares the answers.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NODE_NAMES, STANDARD_PORTS } from "../../packages/localnet/src/ports.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ConsoleCommand, matchesOutput, parseConsoleBlocks } from "./console-blocks.ts";
import { Shell } from "./shell.ts";

const root = join(import.meta.dirname, "../..");
const TOUR = "docs/tour.md";

describe.each([TOUR, "README.md", "docs/ext-api.md"])("%s", (document) => {
  let world: LocalNetwork;
  let shell: Shell;
  const folder = temporaryFolder(atEndOfFile());
  beforeAll(async () => {
    world = await LocalNetwork.start({ pausedAutomations: [] });
    shell = new Shell(root);
    // Readers may write files beside the checkout's own.
    await shell.run(`cd ${folder}; npm() { (cd ${root} && command npm "$@"); }`);
  });
  afterAll(async () => {
    shell?.close();
    await world?.close();
  });

  const markdown = readFileSync(join(root, document), "utf8");
  const commands = parseConsoleBlocks(markdown).filter(({ command }) => !/^npm (start|test)/.test(command));

  test("has commands", () => {
    expect(commands.length).toBeGreaterThan(3);
  });

  const runInOrder = (some: readonly ConsoleCommand[]) =>
    test.each(some)("line $line: $command", async ({ command, output }) => {
      const answer = await shell.run(onThePortsOf(world, withTokens(world, command)));
      expect(matchesOutput(output, answer) ? "as documented" : { command, documented: output, answer }).toBe(
        "as documented",
      );
      await world.net.settle();
    });

  if (document !== TOUR) {
    runInOrder(commands);
    return;
  }

  // The tour prunes the history after its websocket has shown it.
  const script = findScript(markdown);
  runInOrder(commands.filter(({ line }) => line < script.line));

  test("the websocket of the tour shows the first update", async () => {
    const { token } = world.net.nodes["app-user"];
    const constants = { TOKEN: token, PARTY: await world.party("app-user") };
    const lines = Object.entries(constants).map(
      ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
    );
    const source = [...lines, onThePortsOf(world, script.text)].join("\n");
    const node = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
    const [shown] = await once(node.stdout, "data");
    node.kill();
    expect(String(shown)).toMatch(/^\{"update":\{"/);
  });

  runInOrder(commands.filter(({ line }) => line > script.line));
});

function findScript(markdown: string): { readonly line: number; readonly text: string } {
  const [before = "", text = ""] = markdown.split(/```js\n([\s\S]*?)```/);
  return { line: before.split("\n").length, text };
}

/** Tokens come from the output of `npm start`, which differs with the ports. */
function withTokens({ net }: LocalNetwork, command: string): string {
  if (command === "TOKEN=…") return `TOKEN=${net.nodes["app-user"].token}`;
  return command === "ADMIN=…" ? `ADMIN=${net.serviceToken}` : command;
}

/** Documents name the standard ports, tests run on free ones. */
function onThePortsOf({ net }: LocalNetwork, command: string): string {
  const { nodes, svs, developmentUrl } = net;
  const urls = new Map<number | undefined, string>([
    ...NODE_NAMES.flatMap((name): [number, string][] => [
      [STANDARD_PORTS.nodes[name].validator, nodes[name].validatorUrl],
      [STANDARD_PORTS.nodes[name].ledger, nodes[name].ledgerUrl],
    ]),
    ...svs.flatMap(({ scanUrl, appUrl }, place): [number | undefined, string][] => [
      [STANDARD_PORTS.svs[place]?.scan, scanUrl],
      [STANDARD_PORTS.svs[place]?.app, appUrl],
    ]),
    [STANDARD_PORTS.development, developmentUrl],
  ]);
  return command.replace(
    /\b(?:127\.0\.0\.1|localhost):(\d+)/g,
    (address, port) => urls.get(Number(port))?.replace("http://", "") ?? address,
  );
}
