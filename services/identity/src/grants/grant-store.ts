import type { BackgroundWork, Clock } from '@parley/clock';
import { decided, Refused } from '@parley/errors';
import { openAggregates, type Relay } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { REPLAY_KEPT_MS, endGrant, type Grant, type GrantDecision, type GrantEvent, recordResponse } from './grant.ts';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import { encodeCredentialRevoked } from '../revocations/credential-proto.ts';

export type Grants = Awaited<ReturnType<typeof openGrants>>;

const REMOVAL_EVERY_MS = 1000;

export async function openGrants(db: Db, relay: Relay, clock: Clock) {
  const grants = await openAggregates<Grant, GrantEvent>({
    db,
    collection: 'grants',
    relay,
    clock,
    encode: encodeGrantEvent,
    indexes: [
      { name: 'code', key: { 'code.digest': 1 }, unique: true },
      { name: 'access', key: { 'accessTokens.digest': 1 } },
      { name: 'refresh', key: { 'refresh.familyDigest': 1 } },
      { name: 'employee', key: { companyId: 1, employeeId: 1, createdAt: -1 } },
      { name: 'expiry', key: { expiresAt: 1 } },
      {
        name: 'replay_removal',
        key: { 'rotationReplay.removeAt': 1 },
        partialFilterExpression: { 'rotationReplay.removeAt': { $exists: true } },
      },
    ],
  });
  // A token does not contain its company, so the queries span all companies.
  const { batchFinder } = grants.acrossCompanies;
  /** When a grant was last changed here, perhaps with a replay to remove. */
  let changedAtMs = performance.now();

  /** Decides on the current state of a grant, again after a write conflict. Undefined when it does not exist. */
  async function decide<Outcome>(
    grant: Grant,
    decision: (current: Grant) => GrantDecision<Outcome>,
  ): Promise<Outcome | undefined> {
    changedAtMs = performance.now();
    // Changes the grant as it was just read: a second read would be a quarter of the cost of a refresh.
    const changed = grants.of(grant.companyId).changeWithOutcome<Grant | null, Outcome>(
      grant.id,
      (current) => {
        const { outcome, next = current, events } = decision(current);
        return { ...decided<Grant | null, GrantEvent>(next, events), outcome };
      },
      grant,
    );
    return changed.then(
      ({ outcome }) => outcome,
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        return undefined;
      },
    );
  }

  return {
    ...grants,
    byCode: batchFinder('code.digest'),
    byAccessToken: batchFinder('accessTokens.digest'),
    byRefreshFamily: batchFinder('refresh.familyDigest'),
    decide,
    /** Records when the answer of a rotation was sent. */
    async recordResponse({ companyId, id }: Grant, spentDigest: string, answeredAt: Date): Promise<void> {
      await grants
        .of(companyId)
        .changeIfExists(id, (current) => decided(recordResponse(current, spentDigest, answeredAt).next ?? current));
    },
    /** Removes the shared responses of rotations after their time: no decryptable token stays stored. */
    startReplayRemoval: (options: { backgroundWork: BackgroundWork; log: Logger }) =>
      grants.startFieldRemoval({
        ...options,
        field: 'rotationReplay',
        // A clock that went back leaves none for longer than it was meant to be kept.
        expired: () => {
          const now = clock.now();
          const keptMax = new Date(now.getTime() + REPLAY_KEPT_MS);
          return {
            $or: [{ 'rotationReplay.removeAt': { $lte: now } }, { 'rotationReplay.removeAt': { $gt: keptMax } }],
          };
        },
        everyMs: REMOVAL_EVERY_MS,
        isQuiet: () => performance.now() - changedAtMs > 3 * REPLAY_KEPT_MS,
      }),
    /** Records that a token of a grant was used at `now`. */
    async used(id: string, now: Date): Promise<void> {
      await grants.acrossCompanies.assign(id, { lastUsedAt: now });
    },
    /** An employee's that were used since a time. */
    usedSince: (companyId: string, employeeId: string, since: Date) =>
      grants.of(companyId).find({ employeeId, lastUsedAt: { $gte: since } }, { createdAt: -1 }),
    /** Ends every grant of an employee: to one app, made before a time, or all. */
    async endAll(
      { companyId, employeeId }: { companyId: string; employeeId: string },
      { clientId, before }: { clientId?: string; before?: Date } = {},
    ): Promise<void> {
      const filter = {
        employeeId,
        ...(clientId !== undefined && { clientId }),
        ...(before && { createdAt: { $lt: before } }),
      };
      for await (const grant of grants.of(companyId).find(filter, { createdAt: 1 })) await decide(grant, endGrant);
    },
  };
}

function encodeGrantEvent(event: GrantEvent): EncodedMessage {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, id, employeeId, clientId } = event;
  return encodeMessage(type, { id, employeeId, clientId });
}
