export { hasRole, type Role, ROLES } from './role.ts';
export { roleFromProto, roleToProto } from './role-proto.ts';
