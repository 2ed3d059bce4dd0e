import { expect, test } from "vitest";
import { sha256 } from "../../testing/sha256.ts";
import { multihash } from "./hash.ts";

test("a multihash is 1220 and the SHA-256, which hashes UTF-8", () => {
  // The digest of "abc" is the example of FIPS 180-2; that of "é" was taken with sha256sum.
  const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(multihash(sha256("abc"))).toBe(`1220${abc}`);
  expect(sha256("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
});
