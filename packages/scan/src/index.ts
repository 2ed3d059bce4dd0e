/** The public interface of @callsign/scan. */
export type { CurrentContract } from "./contracts/contract-reader.ts";
export { listSequencers } from "./contracts/sv-directory.ts";
export { mountScan, type ScanInterceptor } from "./mount-scan.ts";
export { DEFAULT_INSTANCE_NAMES } from "./routes/directory.ts";
export { DsoText } from "./routes/dso-text.ts";
export { memberRoutes } from "./routes/members.ts";
export { voteResultRoutes } from "./routes/votes.ts";
export type { SoonAnswer } from "./routes/with-headers.ts";
export { ScanIndex } from "./rows/scan-index.ts";
export { ScanReader } from "./rows/scan-reader.ts";
export { ownSource, type ScanSource } from "./rows/scan-source.ts";
export { declareLookupMetrics, declareScanMetrics } from "./scan-metrics.ts";
