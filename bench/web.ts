/**
 * How long a browser that has never seen the application takes until a name can be typed into its first page, and how many
 * bytes that takes. The floor is the same browser that opens a small document of the same server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { fetchChromium, findChromium } from "../scripts/chromium.ts";
import { buildWebApplication } from "../scripts/web-build.ts";
import { noteWhenThere } from "../tests/web/support/page-scripts.ts";
import { median, report } from "./measure.ts";
import { RunningNetwork } from "./network-load/running-network.ts";

const SAMPLES = 9;

interface View {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** Opens an address in a browser without a cache, until the element is there: counted from the start of the navigation. */
async function open(browser: Browser, address: string, element: string): Promise<View> {
  const context = await browser.newContext();
  await context.addInitScript({ content: noteWhenThere(element) });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  });
  await page.goto(address, { waitUntil: "commit" });
  await page.locator(element).first().waitFor();
  const milliseconds = await page.evaluate<number>("window.thereAfter");
  await page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  await context.close();
  return { milliseconds, bytes };
}

const missing = (await fetchChromium()) ?? (await buildWebApplication(console.error)).failure;
if (missing !== null) throw new Error(missing);
const folder = mkdtempSync(join(tmpdir(), "callsign-web-"));
const network = await RunningNetwork.start(folder);
const browser = await chromium.launch({ executablePath: findChromium() ?? "" });
const [gateway = ""] = network.description.nodes.map(({ gatewayUrl }) => gatewayUrl);
const origin = `http://ans.localhost:${new URL(gateway).port}`;
const views: View[] = [];
const floors: number[] = [];
for (let i = 0; i < SAMPLES; i++) {
  views.push(await open(browser, `${origin}/`, "main input:enabled"));
  floors.push((await open(browser, `${origin}/config.json`, "body")).milliseconds);
}
await browser.close();
await network.stop();
rmSync(folder, { recursive: true, force: true });

const milliseconds = median(views.map((view) => view.milliseconds));
const kilobytes = median(views.map(({ bytes }) => bytes)) / 1000;
report(
  "web",
  [
    {
      ...{
        what: "first view, until a name can be typed",
        value: milliseconds,
        unit: "ms",
        floor: median(floors),
      },
      ...{ target: "≤ 1000", met: milliseconds <= 1000 },
    },
    {
      ...{ what: "first view, received with headers", value: kilobytes, unit: "kB" },
      ...{ target: "≤ 200", met: kilobytes <= 200 },
    },
  ],
  [`Medians of ${SAMPLES}, each in a browser without a cache, on a network without names.`],
);
