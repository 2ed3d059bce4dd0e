/** The size of the pages that sequencers are asked for. */
import { expect, test } from "vitest";
import { PageSize } from "./page-size.ts";

test("pages that are too large or too slow become smaller, down to one item", () => {
  const size = new PageSize();
  expect(size.limit).toBe(500);
  size.failed("too-large");
  expect(size).toMatchObject({ limit: 250, patienceMilliseconds: 3000 });
  size.failed("timeout");
  expect(size).toMatchObject({ limit: 125, patienceMilliseconds: 6000 });
  for (let i = 0; i < 20; i++) size.failed("timeout");
  expect(size).toMatchObject({ limit: 1, patienceMilliseconds: 12_000 });
});

test("full pages let the size grow again, slowly", () => {
  const size = new PageSize();
  for (let i = 0; i < 20; i++) size.failed("timeout");
  size.arrived(0);
  expect(size).toMatchObject({ limit: 1, patienceMilliseconds: 6000 });
  size.arrived(1);
  expect(size).toMatchObject({ limit: 2, patienceMilliseconds: 3000 });
  for (let i = 0; i < 10; i++) size.arrived(size.limit);
  expect(size.limit).toBeLessThan(20);
  for (let i = 0; i < 100; i++) size.arrived(size.limit);
  expect(size.limit).toBe(500);
});
