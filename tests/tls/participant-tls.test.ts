// A participant whose ledger API and admin API have ports of their own, each with a TLS block of its own.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createClient, ledgerApi, participantAdminApi } from "../../packages/api/src/index.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import type { TlsClientConfig } from "../../packages/node/src/tls/tls-config.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";
import { ADMIN, newParticipant, type TestParticipant, tokenFor } from "../support/participants.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let trusting: TlsClientConfig;
let known: TlsClientConfig;

beforeAll(async () => {
  const folder = temporaryFolder(atEnd);
  const authority = await CertificateAuthority.create();
  const trustCollectionFile = join(folder, "ca.crt");
  writeFileSync(trustCollectionFile, authority.certificate);
  const files = writeCertificate(folder, await authority.issue("participant"));
  const adminClient = writeCertificate(folder, await authority.issue("admin client"), "admin-client");
  trusting = { trustCollectionFile };
  known = { trustCollectionFile, certificate: adminClient };
  // No sequencer is there: it listens all the same.
  participant = await newParticipant(
    ["http://127.0.0.1:9/"],
    {
      tls: { ...files, minimumProtocolVersion: "TLSv1.3" },
      admin: {
        ...{ host: "127.0.0.1", port: 0 },
        tls: { ...files, trustCollectionFile, clientAuth: { type: "require", adminClient } },
      },
    },
    atEnd,
  );
});

function fetchWith(tls: TlsClientConfig) {
  const client = systemHost.http.openClient({ tls });
  atEnd(() => client.close());
  return client.fetch;
}

const token = () => tokenFor(ADMIN);

test("the ledger API answers over TLS, and the admin API is not on its port", async () => {
  expect(participant.url).toMatch(/^https:/);
  const ledger = createClient(ledgerApi, { fetch: fetchWith(trusting), baseUrl: participant.url, token });
  const { users } = await ledger.listUsers();
  expect(users.map(({ id }) => id)).toContain(ADMIN);
  const elsewhere = createClient(participantAdminApi, {
    fetch: fetchWith(trusting),
    baseUrl: participant.url,
    token,
  });
  await expect(elsewhere.getPruningSchedule()).rejects.toThrow(/404/);
});

test("the admin API's port takes callers with a certificate that its authorities issued, and no others", async () => {
  const open = (tls: TlsClientConfig) =>
    createClient(participantAdminApi, { fetch: fetchWith(tls), baseUrl: participant.adminUrl, token });
  expect(participant.adminUrl).not.toBe(participant.url);
  expect(await open(known).getPruningSchedule()).toMatchObject({});
  await expect(open(trusting).getPruningSchedule()).rejects.toThrow();
});
