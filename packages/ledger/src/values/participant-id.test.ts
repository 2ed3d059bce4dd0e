import { expect, test } from "vitest";
import { findParticipantMember, formatParticipantId } from "./participant-id.ts";

test("a participant is named by its member's id, which is found again", () => {
  expect(formatParticipantId("north::1220ab")).toBe("PAR::north::1220ab");
  expect(findParticipantMember("PAR::north::1220ab")).toBe("north::1220ab");
});

test.each(["north::1220ab", "MED::north::1220ab", "par::north::1220ab", ""])(
  "%j names no participant",
  (id) => {
    expect(findParticipantMember(id)).toBeNull();
  },
);
