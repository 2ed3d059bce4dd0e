/**
 * A node that becomes an SV of a running network: it registers as a member, hosts its party, shows its token to a sponsor,
 * and joins once a quorum of the SVs has confirmed it. Each step shows on the ledger, so that every start may repeat all of
 * it, and a node that is an SV already does nothing.
 */
import { createClient, findSpliceMessage, HttpError, svApi } from "@callsign/api";
import {
  AmuletRules,
  type Contract,
  DsoRules,
  exerciseCommand,
  formatParticipantId,
  type LedgerError,
  OpenMiningRound,
  type PartyId,
  SvOnboardingConfirmed,
} from "@callsign/ledger";
import {
  Backoff,
  type Host,
  type HttpClient,
  type Log,
  type MemberIdentity,
  retry,
  sleep,
} from "@callsign/node";
import type { SvApp } from "../app/sv-app.ts";
import { JOIN_CALL_MILLISECONDS, JOIN_RETRY } from "../limits/limits.ts";
import { type CandidateKeys, findCandidateKeyFault, signSvToken } from "../onboarding/sv-onboarding-token.ts";
import type { SvSubmitter } from "../submission/sv-submitter.ts";

/** A candidate's sponsor, and the keys by which the SVs know it. */
export interface JoiningConfig extends CandidateKeys {
  /** The URL of the sponsor's SV app, with `/api/sv`. */
  readonly sponsorUrl: string;
}

export interface JoiningParts {
  readonly config: JoiningConfig;
  readonly name: string;
  readonly identity: MemberIdentity;
  readonly party: PartyId;
  readonly app: Pick<SvApp, "index" | "scan" | "replica" | "catchUp" | "ended">;
  readonly submitter: SvSubmitter;
  readonly host: Host;
  readonly log: Log;
}

export interface Joining {
  /** The reason why the node is no SV yet, or no longer tries; null if there is nothing to wait for. */
  readonly waitsFor: () => string | null;
  /** Resolves when it has ended, in whatever way. */
  readonly ended: Promise<void>;
}

/** Throws for keys that cannot be meant. */
export function checkJoining({ publicKey, privateKey }: JoiningConfig): void {
  const fault = findCandidateKeyFault({ publicKey, privateKey });
  if (fault !== null) throw new Error(`the keys of the SV's onboarding cannot be used: ${fault}`);
}

/** Goes on until the node is an SV, or the replica ends. `goal`: the log's head at the start. */
export function joinNetwork(parts: JoiningParts, goal: number): Joining {
  const { app, host, log, name } = parts;
  const { replica, ended: signal } = app;
  let reason: string | null = "it joins the network as an SV";
  const connections = host.http.openClient();
  const join = async () => {
    try {
      // The first entry is the founding.
      await replica.reach(Math.max(goal, 1), signal);
      const backoff = new Backoff(JOIN_RETRY);
      await retry(() => takeSteps(parts, connections.fetch), {
        ...{ backoff, timers: host.timers, signal },
        onFailure: (error) => {
          const problem = explain(parts.config.sponsorUrl, error);
          if (problem !== reason) log.warn({ sv: name, reason: problem }, "the node is not an SV yet");
          reason = problem;
        },
      });
      reason = null;
    } catch (error) {
      if (!signal.aborted) log.error({ error: String(error) }, "joining the network failed");
    } finally {
      connections.close();
    }
  };
  return { waitsFor: () => reason, ended: join() };
}

/** Resolves once the node is an SV, or can never be one. Rejects with the reason for the next attempt. */
async function takeSteps(parts: JoiningParts, fetch: HttpClient["fetch"]): Promise<void> {
  const { identity, party, app, submitter, log, name } = parts;
  const { state } = app.replica;
  const { ended: signal } = app;
  await app.catchUp();
  if (state.network?.svs.includes(identity.id)) return;
  const rules = app.scan.contracts.find(DsoRules)?.payload;
  // The node says itself that it has left.
  if (rules?.offboardedSvs.some(([sv]) => sv === party)) return;
  if (state.findMember(identity.id) === undefined) accept(await submitter.register(signal), "registered");
  if (state.findHosting(party) === undefined) accept(await submitter.hostParty(signal), "given its party");
  if (findConfirmed(parts) === null) {
    await askSponsor(parts, fetch, state.network?.dso ?? "");
    await waitForConfirmation(parts);
  }
  accept(await addConfirmed(parts), "added to the SVs");
  await app.catchUp();
  if (state.network?.svs.includes(identity.id)) log.info({ sv: name }, "the node has become an SV");
}

function accept(error: LedgerError | null, step: string): void {
  if (error !== null) throw new Error(`it cannot be ${step}: ${error.code}: ${error.cause}`);
}

async function askSponsor(
  { config, identity, party, name, app, host }: JoiningParts,
  fetch: HttpClient["fetch"],
  dso: string,
): Promise<void> {
  const { sponsorUrl: baseUrl, publicKey: key, privateKey } = config;
  const timeoutMilliseconds = JOIN_CALL_MILLISECONDS;
  const sponsor = createClient(svApi, { fetch, timers: host.timers, baseUrl, timeoutMilliseconds });
  const participantId = formatParticipantId(identity.id);
  const token = signSvToken({ name, key, party, participantId, dso }, privateKey);
  await sponsor.startSvOnboarding({ body: { token } }, { signal: app.ended });
}

/** Rejects if it does not come soon: the request may have expired, and the sponsor is asked again. */
async function waitForConfirmation(parts: JoiningParts): Promise<void> {
  const { app, host } = parts;
  for (let second = 0; second < 5; second++) {
    if (findConfirmed(parts) !== null) return;
    await sleep(1000, { timers: host.timers, signal: app.ended });
  }
  throw new Error("the sponsor has its request, and a quorum of the SVs has not confirmed it yet");
}

function findConfirmed({ app, party }: JoiningParts): Contract | null {
  const contractId = app.index.contracts.find(SvOnboardingConfirmed, party);
  return (contractId && app.replica.state.findContract(contractId)) ?? null;
}

/** The node does not read as the DSO yet: it shows the contracts that the choice uses. */
async function addConfirmed(parts: JoiningParts): Promise<LedgerError | null> {
  const { app, party: sv, submitter } = parts;
  const confirmed = findConfirmed(parts);
  const { contracts } = app.scan;
  const rules = contracts.find(DsoRules)?.contract;
  const amuletRules = contracts.find(AmuletRules)?.contract;
  const rounds = contracts.list(OpenMiningRound).map(({ contract }) => contract);
  const [earliest, middle, latest] = rounds;
  if (confirmed === null || !rules || !amuletRules || !earliest || !middle || !latest)
    throw new Error("the contracts that it joins with are not there");
  const command = exerciseCommand(DsoRules, rules.contractId, "DsoRules_AddConfirmedSv", {
    ...{ sv, svOnboardingConfirmedCid: confirmed.contractId, amuletRulesCid: amuletRules.contractId },
    earliestRoundCid: earliest.contractId,
    middleRoundCid: middle.contractId,
    latestRoundCid: latest.contractId,
  });
  return submitter.submit([command], { disclosed: [rules, earliest, middle, latest], signal: app.ended });
}

function explain(sponsorUrl: string, error: unknown): string {
  if (!(error instanceof HttpError)) return error instanceof Error ? error.message : String(error);
  return `the sponsor at ${sponsorUrl} answered ${error.status}: ${findSpliceMessage(error) ?? error.message}`;
}
