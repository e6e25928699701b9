import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Actor, actorFrom, type AuditEntry } from '@parley/actor';
import type {
  Actor as ProtoActor,
  ActorSchema,
  AuditEntry as ProtoAuditEntry,
  AuditEntrySchema,
} from '@parley/proto/events/v1/envelope_pb';

export function actorToProto(actor: Actor): MessageInitShape<typeof ActorSchema> {
  const { type, id, name, credential, address = '', requestId = '' } = actor;
  return {
    type,
    id,
    name,
    credentialType: credential?.type ?? '',
    credentialId: credential?.id ?? '',
    credentialName: credential?.name ?? '',
    address,
    requestId,
  };
}

export function actorFromProto(actor: ProtoActor): Actor | undefined {
  const { type, id, name, credentialType, credentialId, credentialName, address, requestId } = actor;
  const credential = { type: credentialType, id: credentialId, name: credentialName };
  return actorFrom({ type, id, name, credential, address, requestId });
}

export function auditToProto({ type, object, changes }: AuditEntry<string>): MessageInitShape<typeof AuditEntrySchema> {
  return {
    type,
    objectType: object.type,
    objectId: object.id,
    objectName: object.name,
    changes: Object.entries(changes).map(([field, { from, to }]) => ({
      field,
      from: JSON.stringify(from ?? null),
      to: JSON.stringify(to ?? null),
    })),
  };
}

/** Throws when a value is not JSON. */
export function auditFromProto({
  type,
  objectType,
  objectId,
  objectName,
  changes,
}: ProtoAuditEntry): AuditEntry<string> {
  return {
    type,
    object: { type: objectType, id: objectId, name: objectName },
    changes: Object.fromEntries(
      changes.map(({ field, from, to }) => [field, { from: JSON.parse(from), to: JSON.parse(to) }]),
    ),
  };
}
