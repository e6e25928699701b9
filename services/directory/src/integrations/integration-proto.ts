import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { EncodedEvent } from '@parley/outbox';
import { IntegrationRemovedSchema, IntegrationSavedSchema } from '@parley/proto/directory/v1/integration_events_pb';
import { type IntegrationSchema, IntegrationKind as ProtoKind } from '@parley/proto/directory/v1/integrations_pb';
import type { Integration, IntegrationEvent, IntegrationKind } from './integration.ts';

const kinds: Record<IntegrationKind, ProtoKind> = {
  custom_endpoint: ProtoKind.CUSTOM_ENDPOINT,
  ecommerce: ProtoKind.ECOMMERCE,
  accounting: ProtoKind.ACCOUNTING,
};

export function kindFromProto(kind: ProtoKind): IntegrationKind | undefined {
  return (Object.keys(kinds) as IntegrationKind[]).find((known) => kinds[known] === kind);
}

/** Without the secret, wherever it goes. */
export function integrationToProto(integration: Integration): MessageInitShape<typeof IntegrationSchema> {
  const { id, kind, url, label, source } = integration;
  return { id, kind: kinds[kind], url, label, source };
}

const schemas = {
  'directory.integration.saved': IntegrationSavedSchema,
  'directory.integration.removed': IntegrationRemovedSchema,
};

export function encodeIntegrationEvent({ type, integration }: IntegrationEvent): EncodedEvent {
  const schema = schemas[type];
  return { type, data: toBinary(schema, create(schema, { integration: integrationToProto(integration) })) };
}
