/**
 * The SV app's API. Before the SV is ready it refuses everything but questions after its health with 503, where Splice
 * answers 404: a validator that comes too early is to try again.
 */
import { svApi } from "@callsign/api";
import {
  type HealthParts,
  health,
  isHealthCall,
  type MountedApi,
  mountApi,
  readyTextAt,
} from "@callsign/node";
import { DsoText } from "@callsign/scan";
import type { ApprovedSv } from "../onboarding/approve-candidate.ts";
import { onboardingRoutes } from "./onboarding-routes.ts";
import { type OperatorView, operatorRoutes } from "./operator-routes.ts";
import { type OperatorParts, operatorRules } from "./operator-rules.ts";
import { svAppRejection } from "./rejections.ts";
import type { SvApp } from "./sv-app.ts";
import { SvAppError } from "./sv-app-error.ts";
import { svOnboardingRoutes } from "./sv-onboarding-routes.ts";
import { voteRoutes } from "./vote-routes.ts";

export interface SvAppMountParts extends Omit<OperatorView, "dsoText"> {
  /** The operator's user name on the network. */
  readonly user: string;
  readonly app: SvApp;
  readonly health: HealthParts;
  readonly operators: OperatorParts;
  /** The candidates that this SV lets in. */
  readonly approvedSvs: readonly ApprovedSv[];
}

export function mountSvApp(parts: SvAppMountParts): MountedApi {
  const { app, user } = parts;
  const dsoText = new DsoText(() => app.scan, { user, party: app.party });
  const mounted = mountApi(svApi, {
    ...operatorRules(parts.operators),
    rejectionOf: svAppRejection,
    handlers: {
      ...health(parts.health),
      ...onboardingRoutes(app),
      ...operatorRoutes(app, { ...parts, dsoText }),
      ...svOnboardingRoutes(app, parts.approvedSvs),
      ...voteRoutes(app),
    },
  });
  const handle: MountedApi["handle"] = (endpoint, request, call) => {
    const missing = isHealthCall(endpoint) ? null : parts.health.missing();
    if (missing === null) return mounted.handle(endpoint, request, call);
    throw new SvAppError("try again", `The SV is not ready: ${missing}. Try again in a few seconds.`);
  };
  const findDso = () => (parts.health.missing() === null ? dsoText.find() : null);
  return { ...mounted, handle, findReady: readyTextAt(svApi, svApi.endpoints.getDsoInfo, findDso) };
}
