/**
 * A person at a browser of its own: cookies and storage are nobody else's. Everything that must not happen on a page is
 * collected: errors on the console, failed requests, violations of the Content-Security-Policy, requests to foreign origins.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { watchViolations } from "./page-scripts.ts";

/** Long enough for a network under load: a wait that lasts longer is a hang. */
const WAIT_MILLISECONDS = 20_000;

const POLL = { timeout: WAIT_MILLISECONDS, interval: 20 };

export interface VisitorOptions extends BrowserContextOptions {
  /** Origins that a page may ask besides its own: the login authority. */
  readonly allowedOrigins?: readonly string[];
}

/** Tests in network namespaces change the machine's network, and the browser then drops requests. The page repeats them. */
const NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED";

export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #allowedOrigins: Set<string>;
  readonly #allowed: RegExp[] = [];
  readonly #problems: string[] = [];
  #bytes = 0;
  /** Requests whose bytes are being counted. */
  readonly #sizing: Promise<void>[] = [];

  private constructor(context: BrowserContext, page: Page, allowedOrigins: readonly string[]) {
    this.context = context;
    this.page = page;
    this.#allowedOrigins = new Set(allowedOrigins);
  }

  static async open(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
    const { allowedOrigins = [], ...settings } = options;
    const context = await browser.newContext({
      locale: "en-US",
      timezoneId: "UTC",
      reducedMotion: "reduce",
      ...settings,
    });
    context.setDefaultTimeout(WAIT_MILLISECONDS);
    await context.addInitScript({ content: watchViolations });
    const page = await context.newPage();
    const visitor = new Visitor(context, page, allowedOrigins);
    visitor.#watch();
    return visitor;
  }

  /** The problems so far, but those that the test has allowed. */
  get problems(): readonly string[] {
    return this.#problems.filter((problem) => !this.#allowed.some((pattern) => pattern.test(problem)));
  }

  /** The test brings these problems about. */
  allow(...patterns: readonly RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  allowOrigin(address: string): void {
    this.#allowedOrigins.add(new URL(address).origin);
  }

  /** Opens an address, and resolves once the page waits for nothing more. */
  async goTo(address: string): Promise<void> {
    await this.page.goto(address);
    await this.settled();
  }

  /** Goes to another page of the application, as its links do: the session stays. */
  async moveTo(path: string): Promise<void> {
    await this.page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
    await this.settled();
  }

  /** Resolves once the page has a heading and waits for nothing. */
  async settled(): Promise<void> {
    await this.page.locator("h1").first().waitFor();
    await expect.poll(() => this.page.locator(".waiting").allTextContents(), POLL).toEqual([]);
  }

  /** Bytes that its pages have received, headers included. */
  async countReceived(): Promise<number> {
    await Promise.all(this.#sizing);
    return this.#bytes;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  #watch(): void {
    const { context } = this;
    context.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes(NETWORK_CHANGED))
        this.#problems.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.#problems.push(`uncaught: ${error.error().message}`));
    context.on("request", (request) => this.#checkOrigin(request));
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // A page that is left, or a query that is no longer needed, breaks its requests off.
      if (reason !== "net::ERR_ABORTED" && reason !== NETWORK_CHANGED)
        this.#problems.push(`request failed: ${request.url()}: ${reason}`);
    });
    context.on("requestfinished", (request) => {
      const sized = request.sizes().then(
        ({ responseBodySize, responseHeadersSize }) => {
          this.#bytes += responseBodySize + responseHeadersSize;
        },
        // The page is gone.
        () => undefined,
      );
      this.#sizing.push(sized);
    });
  }

  #checkOrigin(request: Request): void {
    const address = new URL(request.url());
    if (address.protocol === "data:" || address.protocol === "blob:") return;
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) return;
    // A frame that has just been made has no address of its own.
    const shown = request.frame().url() || (request.frame().parentFrame()?.url() ?? "about:blank");
    const own = new URL(shown).origin;
    if (address.origin === own || this.#allowedOrigins.has(address.origin)) return;
    this.#problems.push(`request to a foreign origin: ${request.url()}`);
  }
}
