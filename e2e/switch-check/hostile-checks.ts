import assert from 'node:assert/strict';
import type { EmployeePhone } from './check-environment.ts';
import { type Checks, type Given, untilEnded } from './check-fixture.ts';
import { header } from '@parley/sip';
import type { Registers } from './sip-phone.ts';

/** Nobody here has this number: a call to it would be paid for. */
const PREMIUM = '+19005550100';

/** Ends what a check registered; Ada's own phone stays. */
async function withPhones(
  { env, ada }: Given,
  registers: readonly Registers[],
  work: (phones: readonly EmployeePhone[]) => Promise<void>,
): Promise<void> {
  const phones: EmployeePhone[] = [];
  try {
    for (const one of registers) {
      const phone = await env.phoneOf(ada, { registers: one });
      phones.push(phone);
      assert.equal(await phone.register(), 200);
    }
    await work(phones);
  } finally {
    for (const phone of phones) {
      await ada.call('DELETE', `/softphone_sessions/${phone.sessionId}`);
      phone.close();
    }
  }
}

/** A customer calls Ada, whose own phone rings, and hangs up. */
async function callAda(given: Given, work: (from: string) => Promise<void> = async () => {}): Promise<void> {
  const { env, ada, adaPhone, directNumber } = given;
  await env.company.status(ada, 'available');
  const customer = await env.dial(directNumber);
  const ringing = await env.rings(adaPhone);
  const callId = env.callId(ringing);
  await work(customer.from);
  customer.hangUp();
  await untilEnded(given, ringing);
  await env.company.state(callId, 'ended');
  await env.company.status(ada, 'available');
}

export const hostileChecks: Checks = {
  async 'phones that register dial strings ring at most themselves, and no carrier is called'(given) {
    const { env } = given;
    const { ip, carrierPort } = env.addresses;
    const carrier = `${ip}:${carrierPort}`;
    const refused = [
      `<sip:a,sofia/external/${PREMIUM}@${carrier}>`,
      `<sip:a|sofia/external/${PREMIUM}@${carrier}>`,
      '<sip:a${system(id)}@{address}>',
      '<sip:[origination_caller_id_number=1]b@{address}>',
    ];
    const dialled = [
      // The text behind the address is dropped.
      `<sip:a@{address};x=:_:[origination_caller_id_number=1]sofia/external/${PREMIUM}@${carrier}>`,
      // Other places than the one it registered from.
      `<sip:${PREMIUM}@${carrier}>`,
      `<sip:b@{address};fs_path=sip:${PREMIUM}@${carrier}>`,
    ];
    const before = env.carrier.calls.length;
    await withPhones(
      given,
      [...refused, ...dialled].map((contact) => ({ contact })),
      (phones) =>
        callAda(given, async (from) => {
          for (const phone of phones.slice(refused.length)) {
            const call = await env.rings(phone);
            assert.ok(call.invite);
            assert.ok(header(call.invite, 'from').includes(from), 'the caller is the customer');
          }
          for (const phone of phones.slice(0, refused.length)) assert.equal(phone.calls.length, 0);
        }),
    );
    assert.equal(env.carrier.calls.length, before);
  },

  async 'a path that a phone claims does not lead its calls elsewhere'(given) {
    const { env } = given;
    const { ip, carrierPort } = env.addresses;
    const before = env.carrier.calls.length;
    const headers = { Path: `<sip:${PREMIUM}@${ip}:${carrierPort};lr>`, Supported: 'path' };
    await withPhones(given, [{ headers }], ([phone]) =>
      callAda(given, async () => {
        await env.rings(phone!);
      }),
    );
    assert.equal(env.carrier.calls.length, before);
  },

  async 'a phone cannot send a call elsewhere'(given) {
    const { env, ada, adaPhone, directNumber } = given;
    const { ip, carrierPort } = env.addresses;
    const before = env.carrier.calls.length;
    await withPhones(given, [{}], async ([phone]) => {
      await env.company.status(ada, 'available');
      const customer = await env.dial(directNumber);
      const [own, redirecting] = [await env.rings(adaPhone), await env.rings(phone!)];
      redirecting.decline(302, { Contact: `<sip:${PREMIUM}@${ip}:${carrierPort}>` });
      own.answer();
      const callId = env.callId(own);
      await env.company.state(callId, 'bridged');
      // The redirection was followed by nothing, not even by another attempt at the same phone.
      assert.equal(phone!.calls.length, 1);
      customer.hangUp();
      await untilEnded(given, own);
      await env.company.state(callId, 'ended');
    });
    assert.equal(env.carrier.calls.length, before);
  },

  async 'the name of a registration ends no other phone when its credential is revoked'(given) {
    const { env, bob, adaPhone } = given;
    const { body } = await bob.call('POST', '/softphone_sessions');
    const domain = String(body.sip_uri).split('@')[1] ?? '';
    await bob.call('DELETE', `/softphone_sessions/${body.id}`);
    for (const callId of [domain, `${given.ada.id}@${domain}`, 'reboot']) {
      const phone = await env.phoneOf(bob, { registers: { callId } });
      assert.equal(await phone.register(), 200);
      await env.company.status(bob, 'available');
      assert.equal((await bob.call('DELETE', `/softphone_sessions/${phone.sessionId}`)).status, 204);
      phone.close();
      await callAda(given);
      assert.ok(adaPhone.calls.length > 0);
    }
    assert.equal(await given.bobPhone.register(), 200);
    await env.company.status(bob, 'available');
  },

  async 'what callers and phones write reaches no command'(given) {
    const { env, ada, adaPhone, directNumber } = given;
    for (const user of ['a,b=1', '${system(id)}', 'x:_:y', "a'b"]) {
      const customer = await env.dial(directNumber, user);
      const ringing = await env.rings(adaPhone);
      assert.match(header(ringing.invite!, 'from'), /anonymous/);
      customer.hangUp();
      await untilEnded(given, ringing);
      await env.company.status(ada, 'available');
    }
    const before = env.carrier.calls.length;
    const dialled: [to: string, number: string][] = [
      ['+4520999010', `${directNumber},app_call=1`],
      ['+4520999011', '${system(id)}'],
      [`+4520999012,${PREMIUM}`, directNumber],
      [`+4520999013|${PREMIUM}`, directNumber],
    ];
    for (const [to, number] of dialled) {
      const call = await adaPhone.dial(to, { 'X-Business-Number': number });
      await untilEnded(given, call);
      assert.match(call.cause, /^[456]\d\d$/);
    }
    assert.equal(env.carrier.calls.length, before);
    await env.company.status(ada, 'available');
  },
};
