/** A local network with its web application, and a browser: once a file. Whatever goes wrong on a page fails its test. */
import type { Browser } from "playwright-core";
import { afterEach, expect, type TestContext } from "vitest";
import type { LocalnetOptions } from "../../../packages/localnet/src/localnet-options.ts";
import type { NodeName } from "../../../packages/localnet/src/ports.ts";
import { type AtEnd, atEndOfFile } from "../../../packages/node/testing/at-end.ts";
import { askForService } from "../../support/ask-for-service.ts";
import { beforeAllOrSkip } from "../../support/before-all-or-skip.ts";
import { LocalNetwork } from "../../support/local-network.ts";
import { openBrowser } from "./browser.ts";
import { Visitor, type VisitorOptions } from "./visitor.ts";

/** The first part of a host name of LocalNet. */
export type HostName = "wallet" | "ans" | "scan" | "sv";

const START_MILLISECONDS = 180_000;
/** Chromium reports answers of 404 on its console: a wallet without a preapproval is told so by one. */
const NO_PREAPPROVAL = /status of 404 .*transfer-preapprovals/;

export class WebSite {
  #network: LocalNetwork | null = null;
  #browser: Browser | null = null;
  readonly #visitors: Visitor[] = [];

  /** Call it at the top of a file. */
  static start(options: Partial<LocalnetOptions> = {}): WebSite {
    const site = new WebSite();
    const atEnd = atEndOfFile();
    beforeAllOrSkip((test) => site.#open(options, atEnd, test), START_MILLISECONDS);
    afterEach(() => site.#endVisits());
    return site;
  }

  async #open(
    options: Partial<LocalnetOptions>,
    atEnd: AtEnd,
    test: Pick<TestContext, "skip">,
  ): Promise<void> {
    this.#browser = await openBrowser(atEnd, test);
    await askForService("web-application", test);
    const network = await LocalNetwork.start(options);
    atEnd(() => network.close());
    this.#network = network;
  }

  get network(): LocalNetwork {
    if (this.#network === null) throw new Error("the network has not been started");
    return this.#network;
  }

  get browser(): Browser {
    if (this.#browser === null) throw new Error("the browser has not been opened");
    return this.#browser;
  }

  /** An address of a page, on the gateway of a node. */
  address(path: string, host: HostName = "ans", node: NodeName = "app-user"): string {
    const { port } = new URL(this.network.net.nodes[node].gatewayUrl);
    return `http://${host}.localhost:${port}${path}`;
  }

  /** A person who has opened no page yet. */
  async meet(options: VisitorOptions = {}): Promise<Visitor> {
    const visitor = await Visitor.open(this.browser, options);
    visitor.allowOrigin(this.network.net.loginUrl);
    this.#visitors.push(visitor);
    return visitor;
  }

  /** A person who has opened a page. */
  async visit(path: string, host?: HostName, node?: NodeName): Promise<Visitor> {
    const visitor = await this.meet();
    await visitor.goTo(this.address(path, host, node));
    return visitor;
  }

  /** A person who logs in on a page that asks for it, and has its content. */
  async logIn(visitor: Visitor, user: string): Promise<void> {
    const { page } = visitor;
    visitor.allow(NO_PREAPPROVAL);
    await page.locator("#login-button").click();
    await page.getByRole("button", { name: user, exact: true }).click();
    // Phones do not show it.
    await page.locator("#logged-in-user", { hasText: user }).waitFor({ state: "attached" });
    await visitor.settled();
  }

  /** A person who has logged in as the user of a node. */
  async visitAs(node: NodeName, path: string, host: HostName = "wallet"): Promise<Visitor> {
    const visitor = await this.visit(path, host, node);
    await this.logIn(visitor, node);
    return visitor;
  }

  /** Ends all visits of a test, which fails if one of them had a problem. */
  async #endVisits(): Promise<void> {
    const visitors = this.#visitors.splice(0);
    const problems = visitors.flatMap((visitor) => visitor.problems);
    for (const visitor of visitors) await visitor.close();
    expect(problems).toEqual([]);
  }
}
