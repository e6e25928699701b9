import { describe, expect, it } from '@jest/globals';
import { hasRole, type Role, ROLES, roleFromProto, roleToProto } from './role.ts';

describe('a role', () => {
  it('a role is sufficient where it or a lower one is required', () => {
    const sufficient = (role: Role) => ROLES.filter((required) => hasRole(role, required));
    expect(ROLES.map(sufficient)).toEqual([['member'], ['member', 'admin'], ['member', 'admin', 'owner']]);
  });

  it.each([undefined, 'root', '', 'constructor'])('%j is no role, and sufficient nowhere', (role) => {
    for (const required of ROLES) expect(hasRole(role as Role | undefined, required)).toBe(false);
  });

  it('a role has a value in the contracts, and an unknown value is no role', () => {
    expect(ROLES.map((role) => roleFromProto(roleToProto[role]))).toEqual(ROLES);
    expect([roleFromProto(0), roleFromProto(99 as never)]).toEqual([undefined, undefined]);
  });
});
