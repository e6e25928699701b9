import { isAbout, type Scenario } from '../scenario.ts';
import { newContact } from './contacts.ts';
import type { DialledCall, Line, Stage } from '../stage.ts';

/** A part of what was said and done. */
interface Item {
  readonly sequence?: number;
  readonly speaker?: string;
  readonly ended_at?: string | null;
  readonly event?: string;
  readonly action?: string;
  readonly result?: string | null;
}

interface Session {
  readonly items: readonly Item[];
  readonly ended_at: string | null;
}

const FALLBACK = { type: 'VoicemailConfig', greeting: 'Please leave a message.' };
/** On a machine that is too busy to speak in time, a caller goes to the fallback, and calls again. */
const TRIES_MAX = 3;

/** The assistant has left the call before it could be talked to. */
class CallerLeft extends Error {
  constructor(what: string) {
    super(`the assistant has left before ${what}`);
  }
}

/** A number that an assistant answers. */
async function assistantLine(stage: Stage): Promise<Line> {
  const { parley, signal } = stage;
  const details = { name: 'Robin', disclosure: 'Automated assistant.', greeting: 'How can I help you?' };
  const { id } = await parley.assistants.create(details, { signal });
  stage.later(`the assistant ${id}`, () => parley.assistants.delete(id));
  return stage.line({ type: 'AssistantConfig', assistant_id: id, fallback: FALLBACK });
}

async function sessionOf({ parley, signal }: Stage, { callId }: DialledCall): Promise<Session | undefined> {
  // Undefined until there is a session.
  const response = await parley
    .request<Session>('GET', `/calls/${callId}/assistant_session`, { query: { limit: 100 }, signal })
    .catch(() => undefined);
  return response?.body;
}

/** Waits for a part of the conversation. */
function part(stage: Stage, call: DialledCall, what: string, fits: (item: Item) => boolean): Promise<Item> {
  return stage.until(what, async () => {
    const session = await sessionOf(stage, call);
    const found = session?.items.find(fits);
    if (!found && session?.ended_at) throw new CallerLeft(what);
    return found;
  });
}

const greeting = (stage: Stage, call: DialledCall) =>
  part(stage, call, 'the greeting of the assistant', ({ event }) => event === 'greeting');

const isMessageTaken = ({ action, result }: Item) => action === 'take_message' && result === 'taken';

/** The customer says something, and the assistant answers to its end; true when it has taken the message by then. */
async function ask(stage: Stage, call: DialledCall, text: string): Promise<boolean> {
  const before = (await sessionOf(stage, call))?.items.at(-1)?.sequence ?? 0;
  await stage.say(call, text);
  const isAnswer = ({ sequence = 0, speaker, ended_at: endedAt }: Item) =>
    sequence > before && speaker === 'assistant' && Boolean(endedAt);
  await part(stage, call, 'an answer of the assistant', (item) => isMessageTaken(item) || isAnswer(item));
  return (await sessionOf(stage, call))?.items.some(isMessageTaken) ?? false;
}

/** An assistant on a busy machine may mishear something, and asks again. */
async function leaveMessage(stage: Stage, call: DialledCall): Promise<void> {
  const [message, yes] = ['Please let them know that the order has arrived.', 'Yes, that is right.'];
  for (const text of [message, yes, yes, message, yes, yes]) if (await ask(stage, call, text)) return;
  throw new CallerLeft('a message');
}

/** A call with the assistant, from the beginning where it has left. */
async function converse(
  stage: Stage,
  talk: (call: DialledCall) => Promise<unknown>,
  from?: string,
): Promise<DialledCall> {
  const line = await assistantLine(stage);
  for (let tries = 1; ; tries++) {
    const call = await stage.dial(line, from);
    try {
      await greeting(stage, call);
      await talk(call);
      return call;
    } catch (error) {
      if (!(error instanceof CallerLeft) || tries === TRIES_MAX) throw error;
      await stage.hangUp(call);
    }
  }
}

export const assistantScenarios = {
  'assistant.session_started': {
    description: 'A customer calls a number that an assistant answers.',
    run: async (stage) => isAbout((await converse(stage, () => Promise.resolve())).callId),
  },
  'assistant.message_taken': {
    description: 'A customer leaves a message with an assistant.',
    async run(stage) {
      // The assistant asks whom it does not know for name and number.
      const { id, phone } = await newContact(stage);
      stage.later(`the contact ${id}`, () => stage.parley.contacts.delete(id));
      const { callId } = await converse(stage, (call) => leaveMessage(stage, call), phone);
      return isAbout(callId);
    },
  },
  'assistant.session_ended': {
    description: 'A customer talks with an assistant and hangs up.',
    async run(stage) {
      const call = await converse(stage, (begun) => stage.hangUp(begun));
      return isAbout(call.callId);
    },
  },
} satisfies Record<string, Scenario>;
