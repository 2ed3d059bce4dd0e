import { expect, test } from "vitest";
import { readVoteRequest, readVoteResult } from "./vote-request.ts";

const action = {
  tag: "ARC_DsoRules",
  value: { dsoAction: { tag: "SRARC_OffboardSv", value: { sv: "sv-4::12" } } },
};
const request = {
  requester: "sv-1",
  action,
  reason: { url: "https://a.example", body: "It is gone." },
  voteBefore: "2027-01-01T00:00:00Z",
  targetEffectiveAt: null,
  votes: [["sv-1", { sv: "sv-1::12", accept: true, reason: { url: "", body: "I asked." }, optCastAt: null }]],
};

test("a request is read with its innermost action and its votes", () => {
  expect(readVoteRequest(request)).toEqual({
    ...{ requester: "sv-1", action: "SRARC_OffboardSv", argument: { sv: "sv-4::12" } },
    ...{ reason: "It is gone.", url: "https://a.example" },
    ...{ voteBefore: "2027-01-01T00:00:00Z", effectiveAt: null },
    votes: [{ name: "sv-1", sv: "sv-1::12", isAccepted: true, reason: "I asked.", url: "", castAt: null }],
  });
});

test.each([
  ["VRO_Accepted", "accepted"],
  ["VRO_AcceptedButActionFailed", "failed"],
  ["VRO_Rejected", "rejected"],
  ["VRO_Expired", "expired"],
  ["ExtVoteRequestOutcome", "unknown"],
])("the outcome %s is shown as %s", (tag, outcome) => {
  expect(readVoteResult({ request, completedAt: "2027-01-01T00:00:00Z", outcome: { tag } })).toMatchObject({
    ...{ outcome, requester: "sv-1", completedAt: "2027-01-01T00:00:00Z" },
  });
});

test("another shape reads as empty, and throws nothing", () => {
  for (const payload of [null, 1, "x", [], { votes: [1, ["sv-1", null]], reason: 3, voteBefore: "soon" }]) {
    expect(readVoteRequest(payload)).toMatchObject({ requester: "", action: "", voteBefore: null });
  }
});
