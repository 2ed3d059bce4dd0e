import { describe, expect, test } from "vitest";
import { parseTemplateRef } from "./template-id.ts";

const packageId = "7b784f7f03d3e035ea5d828ab64a476e7e0cbfffaec393619598f13e54d18013";

describe("the id of a template or an interface", () => {
  test.each([
    [
      `${packageId}:Splice.Ans:AnsEntry`,
      { package: { by: "id", value: packageId }, module: "Splice.Ans", entity: "AnsEntry" },
    ],
    [
      "#splice-amulet-name-service:Splice.Ans:AnsEntry",
      {
        package: { by: "name", value: "splice-amulet-name-service" },
        module: "Splice.Ans",
        entity: "AnsEntry",
      },
    ],
    ["p:M:E", { package: { by: "id", value: "p" }, module: "M", entity: "E" }],
    ["-_ 9:_m.$n1:E.F", { package: { by: "id", value: "-_ 9" }, module: "_m.$n1", entity: "E.F" }],
    [
      `#${"n".repeat(255)}:${"M".repeat(1000)}:E`,
      { package: { by: "name", value: "n".repeat(255) }, module: "M".repeat(1000), entity: "E" },
    ],
  ])("%s", (given, ref) => {
    expect(parseTemplateRef(given)).toEqual({ ok: true, value: ref });
  });

  test.each([
    "",
    "::",
    "p:M",
    "p:M:E:F",
    "p:M:",
    "p::E",
    ":M:E",
    "#:M:E",
    "##n:M:E",
    "#n m:M:E",
    "#n.m:M:E",
    "p.q:M:E",
    `${"p".repeat(65)}:M:E`,
    `#${"n".repeat(256)}:M:E`,
    `p:${"M".repeat(1001)}:E`,
    `p:M:${"E".repeat(1001)}`,
    "p:9M:E",
    "p:M.:E",
    "p:.M:E",
    "p:M..N:E",
    "p:M-N:E",
    "p:M:Ä",
    "p:M:E\n",
    " p:M:E ",
    ":".repeat(1_000_000),
    `p:M:${"E.".repeat(499)}`,
  ])("not %j", (given) => {
    expect(parseTemplateRef(given).ok).toBe(false);
  });

  test("a refusal names what was given and both forms", () => {
    expect(parseTemplateRef("Splice.Ans:AnsEntry")).toEqual({
      ok: false,
      error:
        'template or interface id "Splice.Ans:AnsEntry" is not valid: it reads ' +
        "<package-id>:<Module.Name>:<Entity> or #<package-name>:<Module.Name>:<Entity>.",
    });
  });
});
