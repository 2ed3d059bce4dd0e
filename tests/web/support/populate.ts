/** Names of every kind, so that pages have something to show: links, other people's markup, long texts. */
import type { LocalNetwork } from "../../support/local-network.ts";

export const MARKUP = '<img src=x onerror="document.title=1"><b>bold</b>';

/** The names of `app-user` and `app-provider`, without their ending. */
export const NAMES = {
  alice: { url: "https://alice.example/profile", description: "Alice sells apples" },
  markup: { url: "https://example.com/%3Cscript%3E", description: MARKUP },
  long: { url: `https://example.com/${"x".repeat(200)}`, description: "a very long text ".repeat(8) },
  bob: { url: "", description: "" },
} as const;

export async function populate(network: LocalNetwork): Promise<void> {
  await network.tap("app-user", "1000.0");
  await network.tap("app-provider", "1000.0");
  for (const name of ["alice", "markup", "long"] as const)
    await network.buy("app-user", { name, ...NAMES[name] });
  await network.buy("app-provider", { name: "bob", ...NAMES.bob });
}
