import { describe, expect, it } from '@jest/globals';
import { ada } from '../test/start-echo.ts';
import { type AccessRule, type Principal, employees, operators, operatorsOr, services } from './principal.ts';

const grace: Principal = { ...ada, role: 'admin' };
/** The principal of an older gateway. */
const withoutRole = { ...ada, role: undefined } as unknown as Principal;
const operator: Principal = { kind: 'operator' };
const webhooks: Principal = { kind: 'service', name: 'webhooks' };
const sandbox: Principal = { kind: 'service', name: 'sandbox' };

describe('an access rule', () => {
  it.each<[string, AccessRule<Principal>, Principal[]]>([
    ['employees', employees.withRole('member'), [ada, grace]],
    ['admins', employees.withRole('admin'), [grace]],
    ['owners', employees.withRole('owner'), []],
    ['operators', operators, [operator]],
    ['named services', services('webhooks'), [webhooks]],
    ['no service', services(), []],
    ['operators or named services', operatorsOr('webhooks'), [operator, webhooks]],
  ])('an access rule of %s allows only them', (_, accessRule, welcome) => {
    for (const caller of [ada, grace, withoutRole, operator, webhooks, sandbox]) {
      if (welcome.includes(caller)) expect(accessRule(caller)).toBe(caller);
      else expect(() => accessRule(caller)).toThrow('forbidden');
    }
  });
});
