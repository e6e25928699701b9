import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@parley/testkit/wait-until';
import { checkRecording, promptAddress, speech, transcriptOf } from './check-audio.ts';
import { type Checks, CUSTOMER_HERTZ, EMPLOYEE_HERTZ, expectTone, untilEnded, talks } from './check-fixture.ts';
import { loudness, pitch } from './pitch.ts';

export const inboundChecks: Checks = {
  async 'greeting, key, queue, every phone rings, one answers, both hear each other, recording and transcript'(given) {
    const { env, ada, adaPhone, bobPhone, menuNumber } = given;
    const second = await env.phoneOf(ada);
    assert.equal(await second.register(), 200);
    const spoken = await env.company.company.call('GET', `/business_numbers/${env.company.numberId(menuNumber)}`);
    const customer = await env.dial(menuNumber);
    await talks(given, customer);
    await env.until('the greeting', () => loudness(customer.audio.received(500)) > 300);
    await customer.audio.press('1');
    const [first, other, bobs] = [await env.rings(adaPhone), await env.rings(second), await env.rings(bobPhone)];
    await env.until('the ringing tone', () => pitch(customer.audio.received(200), 425) > 0.5);
    other.answer();
    const callId = env.callId(other);
    await env.company.state(callId, 'bridged');
    await untilEnded(given, first);
    await untilEnded(given, bobs);
    assert.match(first.cause, /elsewhere/i);
    customer.audio.tone(CUSTOMER_HERTZ);
    other.audio.tone(EMPLOYEE_HERTZ);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, other, CUSTOMER_HERTZ);
    customer.audio.tone(null);
    other.audio.tone(null);
    await customer.audio.speak(await speech(given, promptAddress(spoken.body)));
    await sleep(500);
    customer.hangUp();
    await untilEnded(given, other);
    assert.equal(await second.register(0), 200);
    second.close();
    const call = await env.company.state(callId, 'ended');
    assert.equal(call.answered_at === null, false);
    await checkRecording(given, callId);
    await env.until('a transcript', async () => /bicycle/i.test(await transcriptOf(given, callId)), 120_000);
  },

  async 'a phone that declines is passed over, and the caller who hangs up is lost'(given) {
    const { env, adaPhone, directNumber } = given;
    const customer = await env.dial(directNumber);
    const ringing = await env.rings(adaPhone);
    const callId = env.callId(ringing);
    ringing.decline(486);
    await env.company.state(callId, 'queued');
    customer.hangUp();
    await env.company.state(callId, 'ended');
    assert.deepEqual(await env.company.events(callId, 'call.lost'), [
      'call.initiated',
      'call.queued',
      'call.ended',
      'call.lost',
    ]);
    await env.company.status(given.ada, 'available');
  },

  async 'a voicemail is left, stored and transcribed'(given) {
    const { env, menuNumber } = given;
    const spoken = await env.company.company.call('GET', `/business_numbers/${env.company.numberId(menuNumber)}`);
    const message = await speech(given, promptAddress(spoken.body));
    const customer = await env.dial(menuNumber);
    await talks(given, customer);
    await env.until('the greeting', () => loudness(customer.audio.received(500)) > 300);
    await customer.audio.press('2');
    await env.until('the beep', () => pitch(customer.audio.received(200), 1000) > 0.5, 30_000);
    await sleep(600);
    await customer.audio.speak(message);
    await customer.audio.press('#');
    await untilEnded(given, customer);
    const callId = await env.callFrom(customer.from);
    const voicemail = await waitUntil(
      async () => {
        const { body } = await env.company.company.call('GET', '/voicemails');
        return (body.voicemails as Record<string, unknown>[]).find((one) => JSON.stringify(one).includes(callId));
      },
      { what: 'a voicemail' },
    );
    await env.until(
      'its transcript',
      async () => {
        const { body } = await env.company.company.call('GET', `/voicemails/${String(voicemail['id'])}`);
        return /bicycle/i.test(JSON.stringify(body));
      },
      120_000,
    );
  },

  async 'over the limit: the carrier gets 486'(given) {
    const { env, directNumber } = given;
    await env.company.limits({ simultaneous_calls: 0 });
    try {
      const customer = await env.dial(directNumber);
      await untilEnded(given, customer);
      assert.equal(customer.cause, '486');
    } finally {
      await env.company.limits({ simultaneous_calls: 100 });
    }
  },

  async 'an unknown number is refused'(given) {
    const customer = await given.env.dial('+4599999999');
    await untilEnded(given, customer);
    assert.equal(customer.cause, '404');
  },
};
