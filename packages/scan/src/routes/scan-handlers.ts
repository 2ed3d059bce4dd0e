import type { scanApi } from "@callsign/api";
import type { Handlers } from "@callsign/node";

/** A group of scan's handlers; `mountScan` joins the groups, and its types ask for every operation. */
export type ScanHandlers = Partial<Handlers<typeof scanApi.endpoints, null>>;
