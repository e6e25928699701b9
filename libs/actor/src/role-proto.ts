import { Role as ProtoRole } from '@parley/proto/directory/v1/employees_pb';
import type { Role } from './role.ts';

export const roleToProto: Readonly<Record<Role, ProtoRole>> = {
  owner: ProtoRole.OWNER,
  admin: ProtoRole.ADMIN,
  member: ProtoRole.MEMBER,
};

const roles: Readonly<Record<ProtoRole, Role | undefined>> = {
  [ProtoRole.UNSPECIFIED]: undefined,
  [ProtoRole.OWNER]: 'owner',
  [ProtoRole.ADMIN]: 'admin',
  [ProtoRole.MEMBER]: 'member',
};

/** Undefined for an unspecified role, and for one that a newer service knows. */
export function roleFromProto(role: ProtoRole): Role | undefined {
  return roles[role];
}
