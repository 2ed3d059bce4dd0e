/** The provider's sessions, codes and refresh tokens, in memory: everybody logs in again after a restart. */
import { BoundedMap } from "@callsign/node";
import { MAX_LOGIN_RECORDS } from "../limits.ts";

interface LoginRecord {
  readonly uid?: string;
  readonly grantId?: string;
  consumed?: number;
}

/** The adapter that the library asks for, made once for each kind of record. */
export function createLoginRecords(nowMilliseconds: () => number) {
  const kept = new Map<string, BoundedMap<string, LoginRecord>>();
  return (kind: string) => {
    const records = kept.get(kind) ?? new BoundedMap<string, LoginRecord>({ limit: MAX_LOGIN_RECORDS });
    kept.set(kind, records);
    return {
      upsert: async (id: string, record: LoginRecord) => void records.set(id, record),
      find: async (id: string) => records.get(id),
      findByUid: async (uid: string) => [...records.entries()].find(([, record]) => record.uid === uid)?.[1],
      findByUserCode: async () => undefined,
      consume: async (id: string) => {
        const record = records.get(id);
        if (record !== undefined) record.consumed = Math.floor(nowMilliseconds() / 1000);
      },
      destroy: async (id: string) => void records.delete(id),
      revokeByGrantId: async (grantId: string) => {
        for (const [id, record] of [...records.entries()]) if (record.grantId === grantId) records.delete(id);
      },
    };
  };
}
