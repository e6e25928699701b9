export { type Actor, type ActorCredential, type ActorType, actorFrom, currentActor, runAs } from './actor.ts';
export {
  type AuditChange,
  type AuditChanges,
  type AuditEntry,
  type Audited,
  auditOf,
  changedFields,
  publicName,
} from './audit-entry.ts';
export { type AuditType, auditTypes } from './audit-types.ts';
export { type EndedCredentials, wasMadeWith } from './ended-credentials.ts';
export { hasRole, type Role, ROLES } from './role.ts';
export { roleFromProto, roleToProto } from './role-proto.ts';
