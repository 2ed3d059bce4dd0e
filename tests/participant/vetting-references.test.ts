/** Changes of what is vetted: which packages they mean, and which state they are made for. */
import { expect, test } from "vitest";
import type { VettedPackagesRef } from "../../packages/api/src/index.ts";
import { expectFailure } from "../conformance/failure.ts";
import { ledgerOfFile } from "../conformance/ledger.ts";

const ledger = ledgerOfFile({});

const vet = (packages: Partial<VettedPackagesRef>[], more: object = {}) =>
  ledger.admin.updateVettedPackages({
    body: { changes: [{ operation: { Vet: { value: { packages } } } }], ...more },
  });

async function vetted() {
  const { vettedPackages } = await ledger.admin.listVettedPackages({ body: {} });
  return vettedPackages[0]?.packages ?? [];
}

test("a reference means one package, by its id or by its name and version", async () => {
  const all = await vetted();
  for (const { packageId, packageName, packageVersion } of all) {
    await vet([{ packageId }]);
    await vet([{ packageName, packageVersion }]);
  }
  const [first] = all;
  await expectFailure(vet([{ packageId: "0".repeat(64) }]), "UNRESOLVED_VETTING_REFERENCE");
  const contradiction = { packageId: first?.packageId ?? "", packageName: "another" };
  await expectFailure(vet([contradiction]), "UNRESOLVED_VETTING_REFERENCE", "another");
  await expectFailure(vet([{}]), "INVALID_ARGUMENT");
});

test("a reference that could mean several packages is refused", async () => {
  const versions = (await vetted()).map(({ packageVersion }) => packageVersion);
  const shared = versions.find((version, index) => versions.indexOf(version) !== index);
  expect(shared).toBeDefined();
  const failure = await expectFailure(
    vet([{ packageVersion: shared ?? "" }]),
    "AMBIGUOUS_VETTING_REFERENCE",
    shared,
  );
  expect(failure.status).toBe(400);
});

test("a change is made for the state that its caller has seen, or for any", async () => {
  const expecting = (serial: object) => vet([], { expectedTopologySerial: { serial } });
  for (const serial of [{ Prior: { value: 1 } }, { Empty: {} }]) {
    expect((await expecting(serial)).newVettedPackages.topologySerial).toBe(1);
  }
  for (const serial of [{ NoPrior: {} }, { Prior: { value: 0 } }, { Prior: { value: 2 } }]) {
    await expectFailure(expecting(serial), "INVALID_ARGUMENT", "expected_topology_serial");
  }
});
