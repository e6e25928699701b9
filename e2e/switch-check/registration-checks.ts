import assert from 'node:assert/strict';
import { type Checks } from './check-fixture.ts';

export const registrationChecks: Checks = {
  async 'a phone with a credential registers, and the employee is available'(given) {
    const { env, ada, bob, adaPhone, bobPhone } = given;
    assert.equal(await adaPhone.register(), 200);
    assert.equal(await bobPhone.register(), 200);
    await env.company.status(ada, 'available');
    await env.company.status(bob, 'available');
  },

  async 'a phone that unregisters makes the employee logged out'(given) {
    const { env, bob, bobPhone } = given;
    assert.equal(await bobPhone.register(0), 200);
    await env.company.status(bob, 'logged_out');
    assert.equal(await bobPhone.register(), 200);
    await env.company.status(bob, 'available');
  },

  async 'a revoked credential is removed from the switch immediately'(given) {
    const { env, bob, bobPhone } = given;
    const other = await env.phoneOf(bob);
    assert.equal(await bobPhone.register(0), 200);
    assert.equal(await other.register(), 200);
    await env.company.status(bob, 'available');
    assert.equal((await bob.call('DELETE', `/softphone_sessions/${other.sessionId}`)).status, 204);
    await env.company.status(bob, 'logged_out');
    assert.equal(await other.register(), 403);
    other.close();
    assert.equal(await bobPhone.register(), 200);
    await env.company.status(bob, 'available');
  },
};
