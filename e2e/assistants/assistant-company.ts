import { waitUntil } from '@parley/testkit/wait-until';
import { LIMIT_MS, openPhoneCompany } from '../calls/phone-company.ts';
import { operate, sharedStack, succeeded } from '../support/api.ts';

/** An item of a session, as the API shows it. */
export interface Item {
  readonly sequence: number;
  readonly type: 'turn' | 'action' | 'key' | 'event';
  readonly speaker?: 'caller' | 'assistant';
  readonly text?: string | null;
  readonly spoken?: string | null;
  readonly interrupted?: boolean;
  readonly action?: string;
  readonly result?: string | null;
  readonly event?: string;
  readonly detail?: string | null;
  readonly at?: string;
  readonly response_ms?: number | null;
  readonly started_at?: string | null;
  readonly ended_at?: string | null;
  readonly sources?: readonly { type: string; id?: string }[];
}

/** The session has ended before the assistant answered: on a machine that is too busy to speak, the caller goes to the fallback. */
class SessionOver extends Error {}

export type AssistantCompany = Awaited<ReturnType<typeof openAssistantCompany>>;

const DISCLOSURE = 'Automated assistant.';
const GREETING = 'How can I help you?';
/** A stack that has just started is busy with the sentences of assistants: a caller may go to the fallback, and calls again. */
const TRIES_MAX = 3;
const FALLBACK = { type: 'VoicemailConfig', greeting: 'Please leave a message.' };

/** A company whose number is answered by an assistant, which is brief: its words are waited for in real time. */
export async function openAssistantCompany(details: object = {}, stack = sharedStack()) {
  const fixture = await openPhoneCompany(stack);
  const { company } = fixture;
  const assistant = await succeeded(
    company.call('POST', '/assistants', { name: 'Robin', disclosure: DISCLOSURE, greeting: GREETING, ...details }),
  );
  const assistantId = assistant.body.id as string;
  const config = { type: 'AssistantConfig', assistant_id: assistantId, fallback: FALLBACK };

  const read = async (callId: string) =>
    (await company.call('GET', `/calls/${callId}/assistant_session?limit=100`)).body;
  const items = async (callId: string): Promise<Item[]> => (await read(callId))?.items ?? [];

  const isGreeted = async (callId: string) => (await items(callId)).some(({ event }) => event === 'greeting');
  const leftBefore = async (callId: string) => {
    const { assistant } = await fixture.call(callId);
    return assistant?.state === 'left' ? { assistant, session: await read(callId) } : undefined;
  };

  /** Waits for an item that fits; without it, the session may end as that of a machine that is too busy. */
  const untilItem = async (callId: string, what: string, fits: (item: Item) => boolean): Promise<Item> => {
    const found = await waitUntil(
      async () => {
        const session = await read(callId);
        const item = (session?.items as Item[] | undefined)?.find(fits);
        return item ? { item } : session?.fallback_reason && { session };
      },
      { what, timeoutMs: LIMIT_MS },
    );
    if (found.item) return found.item;
    throw new SessionOver(`${what}: ${JSON.stringify(found.session)}`);
  };

  return {
    ...fixture,
    assistantId,
    config,
    session: read,
    items,
    know: (title: string, answer: string, more: object = {}) =>
      succeeded(company.call('POST', '/knowledge_entries', { title, answer, ...more })),
    /** Waits for an item that fits. */
    item: untilItem,
    /** Waits until the assistant has said something to its end. */
    said: (callId: string, text: RegExp, after = 0): Promise<Item> =>
      untilItem(
        callId,
        `the assistant says ${text}`,
        (item) => item.sequence > after && item.speaker === 'assistant' && text.test(item.spoken ?? ''),
      ),
    /** The caller says something, in real time. */
    say: (legId: string, text: string) => fixture.sandbox('POST', `/legs/${legId}/say`, { text }),
    /** The caller says something, and the assistant answers to its end. */
    async ask({ legId, callId }: { legId: string; callId: string }, text: string): Promise<Item> {
      const before = (await items(callId)).length;
      await fixture.sandbox('POST', `/legs/${legId}/say`, { text });
      const isAnswer = (item: Item) =>
        item.sequence > before && item.speaker === 'assistant' && !!item.ended_at && !item.interrupted;
      return untilItem(callId, `an answer to ${text}`, isAnswer);
    },
    /** A conversation, from the beginning where a busy machine has sent the caller to the fallback. */
    async converse<Result>(talk: () => Promise<Result>): Promise<Result> {
      for (let tries = 1; ; tries += 1) {
        try {
          return await talk();
        } catch (error) {
          if (!(error instanceof SessionOver) || tries === TRIES_MAX) throw error;
        }
      }
    },
    allowTexts: () => succeeded(operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true })),
    /** A call that has heard the greeting. */
    async callAssistant(number: string, from?: string): Promise<{ legId: string; callId: string }> {
      let left: unknown;
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const legId = await fixture.dial(number, from);
        const callId = await fixture.callOf(legId);
        const seen = await waitUntil(async () => (await isGreeted(callId)) || (await leftBefore(callId)), {
          what: 'the greeting',
          timeoutMs: LIMIT_MS,
        });
        if (seen === true) return { legId, callId };
        left = seen;
        await fixture.over({ legId, callId });
      }
      throw new Error(`the assistant left before its greeting: ${JSON.stringify(left)}`);
    },
  };
}
