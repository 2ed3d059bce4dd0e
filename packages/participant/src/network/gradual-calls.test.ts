import { expect, test } from "vitest";
import { GradualCalls } from "./gradual-calls.ts";

/** A server that answers when it is told to. */
class Server {
  readonly calls = new GradualCalls(2);
  readonly #open: PromiseWithResolvers<void>[] = [];
  begun = 0;

  call(count: number): Promise<unknown> {
    return Promise.allSettled(
      Array.from({ length: count }, () =>
        this.calls.run(() => {
          const answer = Promise.withResolvers<void>();
          this.#open.push(answer);
          this.begun++;
          return answer.promise;
        }),
      ),
    );
  }

  get underWay(): number {
    return this.#open.length;
  }

  /** Ends the oldest calls. */
  async end(count: number, outcome: "answered" | "failed" = "answered"): Promise<void> {
    for (const answer of this.#open.splice(0, count)) {
      if (outcome === "answered") answer.resolve();
      else answer.reject(new Error("no answer"));
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

test("few calls are under way at first, and each answer makes room for one more", async () => {
  const server = new Server();
  const all = server.call(20);
  expect(server.underWay).toBe(2);
  await server.end(2);
  expect(server.underWay).toBe(4);
  await server.end(4);
  expect(server.underWay).toBe(8);
  await server.end(8);
  expect(server.underWay).toBe(6);
  await server.end(6);
  await all;
  expect(server.begun).toBe(20);
});

test("a call that fails hands its place over, and makes no room for more", async () => {
  const server = new Server();
  const all = server.call(5);
  await server.end(2, "failed");
  expect(server.underWay).toBe(2);
  await server.end(2, "failed");
  expect(server.underWay).toBe(1);
  await server.end(1);
  await all;
});

test("after a time without calls few are under way again", async () => {
  const server = new Server();
  const first = server.call(6);
  await server.end(2);
  await server.end(4);
  await first;
  const second = server.call(6);
  expect(server.underWay).toBe(2);
  await server.end(2);
  await server.end(4);
  await second;
});
