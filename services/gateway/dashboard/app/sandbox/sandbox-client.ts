import { ApiError } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';

export interface Leg {
  readonly leg_id: string;
  readonly state: 'dialing' | 'ringing' | 'connected' | 'on_hold' | 'ended';
  readonly heard: readonly Heard[];
  readonly call_id: string | null;
  readonly hangup_cause?: string;
}

export type Heard =
  | { readonly kind: 'voice'; readonly text: string | null }
  | { readonly kind: 'speech'; readonly text: string }
  | { readonly kind: 'ringtone' | 'music' | 'beep' }
  | { readonly kind: 'party'; readonly leg_id: string };

export interface Faults {
  readonly sms_submit: string;
  readonly code: string | null;
  readonly switch: string;
  readonly speech: string;
  readonly integrations: string;
}

export interface OutgoingText {
  readonly provider_id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly submitted_at: string;
}

export interface Mail {
  readonly subject: string;
  readonly links: readonly string[];
}

/** The sandbox's own HTTP API, used from the browser; see `services/sandbox/README.md`. */
export const sandbox = {
  async call(from: string, to: string): Promise<{ leg_id: string }> {
    try {
      return await ask('POST', '/calls', { from, to });
    } catch (error) {
      // The sandbox has no telephone network where a real switch is used.
      if (!(error instanceof ApiError && error.isNotFound)) throw error;
      throw new Error(t('This sandbox has no telephone network: call the number from a real phone.'), { cause: error });
    }
  },
  // Words that are heard as audio take a moment: a later request has them.
  leg: (id: string, signal?: AbortSignal) =>
    ask<Leg>('GET', `/legs/${encodeURIComponent(id)}?wait=false`, undefined, signal),
  attachMicrophone: (id: string, sdp: string) =>
    ask<{ sdp: string }>('PUT', `/legs/${encodeURIComponent(id)}/microphone`, { sdp }),
  detachMicrophone: (id: string) => ask<undefined>('DELETE', `/legs/${encodeURIComponent(id)}/microphone`),
  legsAt: (number: string, signal?: AbortSignal) =>
    ask<Leg[]>('GET', `/subscribers/${encodeURIComponent(number)}/legs`, undefined, signal),
  say: (id: string, text: string) => ask<Leg>('POST', `/legs/${encodeURIComponent(id)}/say`, { text }),
  press: (id: string, digits: string) => ask<Leg>('POST', `/legs/${encodeURIComponent(id)}/digits`, { digits }),
  answer: (id: string) => ask<Leg>('POST', `/legs/${encodeURIComponent(id)}/answer`),
  hangUp: (id: string) => ask<Leg>('POST', `/legs/${encodeURIComponent(id)}/hangup`),
  setPhone: (employeeId: string, online: boolean) =>
    ask<unknown>('PUT', `/phones/${encodeURIComponent(employeeId)}`, { online }),
  answerPhone: (employeeId: string) => ask<unknown>('POST', `/phones/${encodeURIComponent(employeeId)}/answer`),
  text: (text: { from: string; to: string; text: string }) =>
    ask<{ callback_status: number | null }>('POST', '/messages', text),
  textsTo: (number: string, signal?: AbortSignal) =>
    ask<OutgoingText[]>('GET', `/messages?${new URLSearchParams({ to: number })}`, undefined, signal),
  mailsTo: (address: string, signal?: AbortSignal) =>
    ask<Mail[]>('GET', `/emails?${new URLSearchParams({ to: address })}`, undefined, signal),
  clock: (signal?: AbortSignal) => ask<{ now: string }>('GET', '/clock', undefined, signal),
  advance: (seconds: number) => ask<{ now: string }>('POST', '/clock/advance', { seconds }),
  resetClock: () => ask<undefined>('DELETE', '/clock'),
  faults: (signal?: AbortSignal) => ask<Faults>('GET', '/faults', undefined, signal),
  setFaults: (faults: Partial<Faults>) => ask<Faults>('PUT', '/faults', faults),
  clearFaults: () => ask<undefined>('DELETE', '/faults'),
};

async function ask<Answer>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(`${session.sandboxUrl}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, {}, { cause: error });
  });
  const text = await response.text();
  const answer = text === '' ? undefined : (JSON.parse(text) as Answer);
  if (!response.ok) throw new ApiError(response.status, answer ?? {});
  return answer as Answer;
}
