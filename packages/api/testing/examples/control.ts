import type { controlApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";

const keys = {
  members: [
    {
      member: "acme-validator-1::1220ab",
      namespace: "1220ab",
      signing: "1220cd",
      next: null,
      registered: ["1220cd"],
      serial: 3,
    },
  ],
};

export const controlExamples: Examples<typeof controlApi> = {
  copyStore: { request: { body: { file: "/backups/participant/copy.sqlite" } }, response: undefined },
  showKeys: { response: keys },
  rotateKeys: { request: { body: { replaceUnknown: false } }, response: keys },
  getNetwork: {
    response: {
      network: "12ab",
      protocolVersion: 3,
      programVersions: [1, 2, 3, 4],
      now: "2026-01-01T00:00:00.000001Z",
    },
  },
  activateVersion: {
    request: {
      body: { content: '["ActivateVersion",[]]', signatures: [{ publicKey: "ab", signature: "cd" }] },
    },
    response: {
      version: 4,
      before: 3,
      sequence: 1234,
      signedBy: ["sv-1::1220ab"],
      without: ["sv-2::1220cd"],
    },
  },
  getStatus: {
    response: {
      role: "participant",
      version: "0.1.0",
      ready: true,
      missing: null,
      addresses: { "JSON Ledger API": "http://127.0.0.1:7575" },
      position: { offset: "42", "record time": "2026-01-01T00:00:00.000001Z" },
    },
  },
};
