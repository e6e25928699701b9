import type { Clock } from '@parley/clock';
import type { Endpoint } from '@parley/http';
import { json } from '@parley/http';
import { z } from 'zod';
import type { FaultSwitches } from '../faults/faults.ts';
import type { ProviderMessages } from './provider-messages.ts';
import { acceptedJson, rejectedJson } from './telnyx-payloads.ts';

const submission = z.object({
  from: z.string().min(1),
  to: z.string().min(1),
  text: z.string().min(1),
  webhook_url: z.url(),
});

/** Telnyx's own codes. */
const AUTHENTICATION_FAILED = '10009';
const INVALID_PARAMETER = '10015';

/** `POST /v2/messages` of Telnyx's API, with the configured faults. */
export function telnyxEndpoint(deps: {
  messages: ProviderMessages;
  faults: FaultSwitches;
  clock: Clock;
}): Endpoint<undefined> {
  const { messages, faults, clock } = deps;
  return {
    role: 'none',
    method: 'post',
    path: '/v2/messages',
    tag: 'SMS provider',
    summary: 'Submit a text',
    body: 'bytes',
    responses: { 200: 'application/json' },
    async handle({ body, request, signal }) {
      const { smsSubmit, smsRejectCode } = faults.current();
      if (!/^Bearer .+/.test(request.headers.authorization ?? ''))
        return json(401, rejectedJson(AUTHENTICATION_FAILED));
      const given = submission.safeParse(parsed(body as Buffer));
      if (!given.success) return json(422, rejectedJson(INVALID_PARAMETER));
      if (smsSubmit === 'reject') return json(422, rejectedJson(smsRejectCode ?? ''));
      if (smsSubmit === 'error') return json(500, rejectedJson('10007'));
      if (smsSubmit === 'timeout') {
        await waitForAbort(signal);
        return json(500, {});
      }
      const { from, to, text, webhook_url: statusCallback } = given.data;
      const submitted = messages.submit({ from, to, text, statusCallback, submittedAt: clock.now() });
      if (smsSubmit === 'lost') request.socket.destroy();
      return json(200, acceptedJson(submitted));
    },
  };
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
