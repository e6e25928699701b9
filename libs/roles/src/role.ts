/** Lowest first: each may do what the one before it may. */
export const ROLES = ['member', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role is sufficient. What is not a role, such as that of a message from before there were roles, never is. */
export function hasRole(role: Role | undefined, required: Role): boolean {
  return role !== undefined && ROLES.includes(role) && ROLES.indexOf(role) >= ROLES.indexOf(required);
}
