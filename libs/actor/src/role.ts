import { Role as ProtoRole } from '@parley/proto/directory/v1/employees_pb';

/** Lowest first: each may do what the one before it may. */
export const ROLES = ['member', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** A missing role, such as one that only a later version knows, is never sufficient. */
export function hasRole(role: Role | undefined, required: Role): boolean {
  return role !== undefined && ROLES.includes(role) && ROLES.indexOf(role) >= ROLES.indexOf(required);
}

export const roleToProto: Readonly<Record<Role, ProtoRole>> = {
  owner: ProtoRole.OWNER,
  admin: ProtoRole.ADMIN,
  member: ProtoRole.MEMBER,
};

/** Undefined for an unspecified role, and for one that a newer service knows. */
export function roleFromProto(role: ProtoRole): Role | undefined {
  return ROLES.find((known) => roleToProto[known] === role);
}
