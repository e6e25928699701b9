import type { Clock } from '@parley/clock';
import { refusal } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { INTEGRATION_KINDS, type Integration, type IntegrationEvent } from './integration.ts';
import { encodeIntegrationEvent } from './integration-proto.ts';

export interface Integrations extends Aggregates<Integration, IntegrationEvent> {
  /** The integrations of a company, in the order of priority. */
  connected(companyId: string): Promise<Integration[]>;
}

export async function openIntegrations(db: Db, relay: Relay, clock: Clock): Promise<Integrations> {
  const integrations = await openAggregates<Integration, IntegrationEvent>({
    db,
    collection: 'integrations',
    relay,
    clock,
    encode: encodeIntegrationEvent,
    announced: true,
    indexes: [
      {
        name: 'company_kind',
        key: { companyId: 1, kind: 1 },
        unique: true,
      },
    ],
    collisions: { company_kind: refusal('conflict', 'another request is connecting the same kind of system; retry') },
  });
  return {
    ...integrations,
    async connected(companyId) {
      const found = await Array.fromAsync(integrations.of(companyId).find({}, { kind: 1 }));
      return found.sort((a, b) => INTEGRATION_KINDS.indexOf(a.kind) - INTEGRATION_KINDS.indexOf(b.kind));
    },
  };
}
