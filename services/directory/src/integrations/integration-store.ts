import type { Clock } from '@parley/clock';
import { refusal } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type EncodedMessage, encodeMessage } from '@parley/events';
import { IntegrationKind as ProtoKind, type IntegrationSchema } from '@parley/proto/directory/v1/integrations_pb';
import { type Integration, INTEGRATION_KINDS, type IntegrationEvent, type IntegrationKind } from './integration.ts';

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

const kinds: Record<IntegrationKind, ProtoKind> = {
  custom_endpoint: ProtoKind.CUSTOM_ENDPOINT,
  ecommerce: ProtoKind.ECOMMERCE,
  accounting: ProtoKind.ACCOUNTING,
};

export function kindFromProto(kind: ProtoKind): IntegrationKind | undefined {
  return (Object.keys(kinds) as IntegrationKind[]).find((known) => kinds[known] === kind);
}

/** Never contains the secret. */
export function integrationToProto(integration: Integration): MessageInitShape<typeof IntegrationSchema> {
  const { id, kind, url, label, source } = integration;
  return { id, kind: kinds[kind], url, label, source };
}

function encodeIntegrationEvent({ type, integration }: IntegrationEvent): EncodedMessage {
  return encodeMessage(type, { integration: integrationToProto(integration) });
}
