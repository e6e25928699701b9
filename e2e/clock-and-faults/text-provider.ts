import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { newIdempotencyKey, startTexting, type Texting } from '../messages/texting.ts';
import { clearFaults, setFaults } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';

export function testTextProvider(stack: LocalStack): void {
  let texting: Texting;
  beforeAll(async () => {
    texting = await startTexting(stack.local);
  });
  afterEach(() => clearFaults(stack.local));

  it('a text that the provider refuses has failed with its code and can be retried', async () => {
    const to = texting.customer();
    await setFaults(stack.local, { sms_submit: 'reject', code: '40310' });
    const reply = await texting.send({ to, text: 'Hello', idempotency_key: newIdempotencyKey() });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      error: 'provider_rejected',
      code: 'provider_rejected',
      message_id: expect.any(String),
    });
    const id: string = reply.body.message_id;
    expect((await texting.message(id)).body).toMatchObject({
      status: 'failed',
      failure_code: 'telnyx_40310',
      can_retry: true,
    });
    expect((await texting.retry(id, undefined)).status).toBe(409);
    expect((await texting.retry(id, newIdempotencyKey())).status).toBe(422);

    await clearFaults(stack.local);
    const key = newIdempotencyKey();
    const retried = await texting.retry(id, key);
    expect([retried.status, retried.body]).toEqual([
      200,
      { id, type: 'message', format: 'sms', status: 'accepted', can_retry: false },
    ]);
    expect((await texting.retry(id, key)).status).toBe(200);
    expect((await texting.retry(id, newIdempotencyKey())).status).toBe(409);
    expect(await texting.submitted(to)).toHaveLength(1);
  });

  it.each(['error', 'lost'])(
    'a submission without a definite result (%s) has an unknown outcome, and nothing is sent again',
    async (fault) => {
      const to = texting.customer();
      await setFaults(stack.local, { sms_submit: fault });
      const key = newIdempotencyKey();
      const reply = await texting.send({ to, text: 'Hello', idempotency_key: key });
      expect([reply.status, reply.body.error]).toEqual([502, 'provider_unavailable']);
      const id: string = reply.body.message_id;
      await clearFaults(stack.local);
      const again = await texting.send({ to, text: 'Hello', idempotency_key: key });
      expect([again.status, again.body.id, again.body.status]).toEqual([200, id, 'unknown']);
      expect((await texting.retry(id, newIdempotencyKey())).status).toBe(409);
      const submitted = await texting.submitted(to);
      expect(submitted).toHaveLength(fault === 'lost' ? 1 : 0);
      if (submitted[0]) {
        await texting.report(submitted[0].provider_id, { status: 'delivered' });
        expect((await texting.message(id)).body.status).toBe('delivered');
      }
    },
  );

  it('the outcome of a text is unknown when the provider never answers', async () => {
    await setFaults(stack.local, { sms_submit: 'timeout' });
    const reply = await texting.send({ to: texting.customer(), text: 'Hello', idempotency_key: newIdempotencyKey() });
    expect([reply.status, reply.body.error]).toEqual([502, 'provider_unavailable']);
    expect((await texting.message(reply.body.message_id)).body).toMatchObject({ status: 'unknown', sms_count: null });
  });
}
