import { AllocationRequest, decimal, ledgerJson, type PartyId, parseTime, type Time } from "@callsign/ledger";
import { expect, test } from "vitest";
import { readRequest } from "./allocation-requests.ts";

const party = (name: string) => `${name}::1220${"ab".repeat(32)}` as PartyId;
const [alice, bob, app, dso] = [party("alice"), party("bob"), party("app"), party("DSO")];
const contractId = `00${"cd".repeat(32)}`;

function time(text: string): Time {
  const parsed = parseTime(text);
  return parsed.ok ? parsed.value : expect.fail(parsed.error);
}

/** A request as the participant shows it, with one leg from Alice to Bob. */
function event(admin: PartyId = dso) {
  const meta = { values: [] };
  const view = {
    settlement: {
      executor: app,
      settlementRef: { id: "order 7", cid: null },
      requestedAt: time("2026-11-01T00:00:00Z"),
      allocateBefore: time("2026-11-01T01:00:00Z"),
      settleBefore: time("2026-11-01T02:00:00Z"),
      meta,
    },
    transferLegs: [
      [
        "leg",
        { sender: alice, receiver: bob, amount: decimal("2.5"), instrumentId: { admin, id: "Amulet" }, meta },
      ] as const,
    ],
    meta,
  };
  return {
    ...{ contractId, createdEventBlob: "CgMyLjE=", createdAt: "2026-11-01T00:00:00.123456Z" },
    interfaceViews: [
      {
        interfaceId: AllocationRequest.id,
        viewStatus: { code: 0, message: "", details: [] },
        viewValue: AllocationRequest.view.toJson(view, ledgerJson),
        implementationPackageId: null,
      },
    ],
  };
}

test("sender and receiver of a leg see a request for coin, as the view of its interface", () => {
  const shown = readRequest(event(), { party: alice, dso });
  expect(shown?.contract).toEqual({
    template_id: AllocationRequest.id,
    contract_id: contractId,
    payload: {
      settlement: {
        executor: app,
        settlementRef: { id: "order 7", cid: null },
        requestedAt: "2026-11-01T00:00:00Z",
        allocateBefore: "2026-11-01T01:00:00Z",
        settleBefore: "2026-11-01T02:00:00Z",
        meta: { values: {} },
      },
      transferLegs: {
        leg: {
          ...{ sender: alice, receiver: bob, amount: "2.5", instrumentId: { admin: dso, id: "Amulet" } },
          meta: { values: {} },
        },
      },
      meta: { values: {} },
    },
    created_event_blob: "CgMyLjE=",
    created_at: "2026-11-01T00:00:00.123456Z",
  });
  expect(readRequest(event(), { party: bob, dso })).toEqual(shown);
});

test("a request of another instrument, or without the party in its legs, is not the wallet's", () => {
  expect(readRequest(event(app), { party: alice, dso })).toBeUndefined();
  expect(readRequest(event(), { party: app, dso })).toBeUndefined();
});

test("a contract whose view failed is left out", () => {
  const { interfaceViews, ...rest } = event();
  const failed = interfaceViews.map((view) => ({ ...view, viewValue: null }));
  expect(readRequest({ ...rest, interfaceViews: failed }, { party: alice, dso })).toBeUndefined();
});
