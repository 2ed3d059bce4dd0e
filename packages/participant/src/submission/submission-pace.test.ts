import { expect, test } from "vitest";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { SubmissionPace } from "./submission-pace.ts";

/** A network that ends so many submissions a second, however many are under way, and none before its own time. */
class Network {
  readonly host = new VirtualHost();
  readonly pace = new SubmissionPace(this.host.clock);
  readonly #perSecond: number;
  readonly #least: number;

  constructor(perSecond: number, least: number) {
    this.#perSecond = perSecond;
    this.#least = least;
  }

  /** As many under way as asked for, or as there is room for. Returns how many that is in the end. */
  async load(wanted: number, times = 300): Promise<number> {
    let underWay = 0;
    for (let i = 0; i < times; i++) {
      underWay = Math.min(wanted, this.pace.room);
      const milliseconds = Math.max(this.#least, (underWay / this.#perSecond) * 1000);
      await this.host.advance(1000 / this.#perSecond);
      this.pace.observe({ underWay, milliseconds });
    }
    return underWay;
  }
}

test("a network that is quick has room for all", async () => {
  const network = new Network(200, 10);
  expect(network.pace.room).toBe(Number.POSITIVE_INFINITY);
  expect(await network.load(90)).toBe(90);
});

test("a network with too much to do takes what it ends in half a second, and all again once it is quick", async () => {
  const network = new Network(80, 10);
  await network.load(1);
  const underWay = await network.load(128);
  expect(underWay).toBeGreaterThanOrEqual(32);
  expect(underWay).toBeLessThanOrEqual(45);
  await network.load(1);
  expect(network.pace.room).toBe(Number.POSITIVE_INFINITY);
});

test("however slow it is, 32 are taken", async () => {
  const network = new Network(1, 10);
  await network.load(1, 1);
  expect(await network.load(128)).toBe(32);
});

test("a network that is far away, and not slow because of its load, has room for all", async () => {
  expect(await new Network(100_000, 2000).load(128)).toBe(128);
});

test("what a submission needs is learnt anew after two windows of ten minutes", async () => {
  const network = new Network(100_000, 10);
  await network.load(50);
  await network.host.advance(1_300_000);
  const far = { underWay: 50, milliseconds: 2000 };
  for (let i = 0; i < 300; i++) network.pace.observe(far);
  expect(network.pace.room).toBeLessThan(50);
  await network.host.advance(700_000);
  network.pace.observe(far);
  expect(network.pace.room).toBe(Number.POSITIVE_INFINITY);
});
