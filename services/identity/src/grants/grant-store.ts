import type { Clock } from '@parley/clock';
import { decided, Refused, refusal, refused } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import type { Db } from 'mongodb';
import { endGrant, type Grant, type GrantDecision, type GrantEvent } from './grant.ts';
import { encodeGrantEvent } from './grant-proto.ts';

export interface Grants extends Aggregates<Grant, GrantEvent> {
  byCode(digest: string): Promise<Grant | undefined>;
  byAccessToken(digest: string): Promise<Grant | undefined>;
  byRefreshFamily(digest: string): Promise<Grant | undefined>;
  /** Decides about a grant as it is now, again if somebody else was faster. Undefined when it is gone. */
  decide<Outcome>(grant: Grant, decide: (current: Grant) => GrantDecision<Outcome>): Promise<Outcome | undefined>;
  /** Ends every grant of an employee, or of an employee and an app. */
  endAll(employee: { companyId: string; employeeId: string }, clientId?: string): Promise<void>;
}

const unchanged = refusal('conflict', 'nothing to change');

export async function openGrants(db: Db, relay: Relay, clock: Clock): Promise<Grants> {
  const live = { partialFilterExpression: { _deleted: false } };
  const grants = await openAggregates<Grant, GrantEvent>({
    db,
    collection: 'grants',
    relay,
    clock,
    encode: encodeGrantEvent,
    indexes: [
      { name: 'code', key: { 'code.digest': 1 }, unique: true, ...live },
      { name: 'access', key: { 'accessTokens.digest': 1 }, ...live },
      { name: 'refresh', key: { 'refresh.familyDigest': 1 }, ...live },
      { name: 'employee', key: { companyId: 1, employeeId: 1, createdAt: -1 }, ...live },
      { name: 'expiry', key: { expiresAt: 1 } },
    ],
  });
  // A token names nobody, so it is looked for across companies; whose it is comes out of what is found.
  const find = (filter: object) => grants.acrossCompanies.findOne(filter as never);

  async function decide<Outcome>(
    { id, companyId }: Grant,
    decision: (current: Grant) => GrantDecision<Outcome>,
  ): Promise<Outcome | undefined> {
    let outcome: Outcome | undefined;
    try {
      await grants.of(companyId).change<Grant | null>(id, (current) => {
        const { outcome: reached, next, events } = decision(current);
        outcome = reached;
        return next === undefined ? refused(unchanged) : decided(next, events);
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.refusal !== unchanged) outcome = undefined;
    }
    return outcome;
  }

  return {
    ...grants,
    byCode: (digest) => find({ 'code.digest': digest }),
    byAccessToken: (digest) => find({ 'accessTokens.digest': digest }),
    byRefreshFamily: (digest) => find({ 'refresh.familyDigest': digest }),
    decide,
    async endAll({ companyId, employeeId }, clientId) {
      const filter = { employeeId, ...(clientId !== undefined && { clientId }) };
      for await (const grant of grants.of(companyId).find(filter, { createdAt: 1 })) await decide(grant, endGrant);
    },
  };
}
