import type { MessageInitShape } from '@bufbuild/protobuf';
import { encodeMessage, type EncodedMessage } from '@parley/events';
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

/** Never contains the secret. */
export function integrationToProto(integration: Integration): MessageInitShape<typeof IntegrationSchema> {
  const { id, kind, url, label, source } = integration;
  return { id, kind: kinds[kind], url, label, source };
}

export function encodeIntegrationEvent({ type, integration }: IntegrationEvent): EncodedMessage {
  return encodeMessage(type, { integration: integrationToProto(integration) });
}
