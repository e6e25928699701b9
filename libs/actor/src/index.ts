export { type Actor, actorFrom, currentActor, runAs } from './actor.ts';
export { type AuditChanges, type AuditEntry, type Audited, auditOf, changedFields, publicName } from './audit-entry.ts';
export type { AuditType } from './audit-types.ts';
export { type EndedCredentials, wasMadeWith } from './ended-credentials.ts';
export { hasRole, type Role, ROLES, roleFromProto, roleToProto } from './role.ts';
