/** The four operations that every application of Splice has. */
export const health = {
  isReady: { response: undefined },
  isLive: { response: undefined },
  getHealthStatus: {
    response: {
      success: {
        id: "amulet::scan-app",
        uptime: "PT1H2M3.4S",
        ports: { admin: 5012 },
        extra: null,
        active: true,
      },
    },
  },
  getVersion: {
    response: { version: "0.6.3", commit_ts: "2026-05-04T09:35:49Z" },
  },
} as const;
