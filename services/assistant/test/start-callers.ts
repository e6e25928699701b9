import { AssistantService } from '@parley/proto/assistant/v1/assistants_pb';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import { SessionControlService } from '@parley/proto/assistant/v1/session_control_pb';
import { SessionService } from '@parley/proto/assistant/v1/sessions_pb';
import { type SipCall, startSipEndpoint } from '@parley/sip';
import { waitUntil } from '@parley/testkit';
import { asEmployee, type FakeCompany } from '@parley/testkit/service';
import { startAssistant } from './start-assistant.ts';

export type Callers = Awaited<ReturnType<typeof startCallers>>;
export type CalledCompany = Awaited<ReturnType<Callers['createCompany']>>;

const CALLER = '+4520304050';
const SAID_WITHIN_MS = 20_000;

/** The service, and a phone that calls its sessions as a switch does; call-control is played by the test. */
export async function startCallers(settings: Record<string, string> = {}) {
  const parley = await startAssistant(settings);
  const control = parley.as('call-control').client(SessionControlService);
  const sessions = parley.as('gateway').client(SessionService);
  const assistants = parley.as('gateway').client(AssistantService);
  const phone = await startSipEndpoint({
    listen: '127.0.0.1:0',
    mediaAddress: '127.0.0.1',
    rtpPorts: { first: 31_000, last: 31_200 },
    allowedAddresses: ['127.0.0.1'],
    onInvite: () => ({ refuse: 480 }),
  });
  const open: SipCall[] = [];
  let calls = 0;

  const connect = (sessionId: string, attempt = 1, sequence = 1) =>
    control.updateSession({ sessionId, sequence, update: { case: 'connected', value: { attempt } } });

  /** Dials a reservation as a switch does; resolves when it is answered or has ended. */
  async function dial(address: string) {
    const ended = Promise.withResolvers<{ reason: string; status?: number }>();
    const answered = Promise.withResolvers<void>();
    let heardMs = 0;
    const call = await phone.call(address, {
      from: { name: '', number: CALLER },
      events: {
        answered: () => answered.resolve(),
        audio: ({ samples, isReceived }) => {
          if (isReceived && samples.some((sample) => Math.abs(sample) > 500)) heardMs += 20;
        },
        ended: (end) => ended.resolve(end),
      },
    });
    open.push(call);
    await Promise.race([answered.promise, ended.promise]);
    return { call, ended: ended.promise, heardMs: () => heardMs };
  }

  /** A company with a number and an assistant. */
  async function createCompany(
    fields: object = {},
    details: Partial<Pick<FakeCompany, 'messagingEnabled' | 'assistant'>> = {},
  ) {
    const { companyId, ownerId } = parley.directory.createCompany({ messagingEnabled: true, ...details });
    const owner = asEmployee(companyId, ownerId);
    const businessNumberId = parley.numbers.addNumber(companyId).id;
    const created = await assistants.createAssistant(
      { fields: { name: 'Robin', greeting: 'How can I help?', ...fields } },
      owner,
    );
    const assistantId = created.assistant!.id;

    const reserve = (callId: string, attempt = 1, from = CALLER) =>
      control.reserveSession({ callId, companyId, assistantId, attempt, from, businessNumberId });

    async function reserved(callId = `cal_${(calls += 1)}`, attempt = 1) {
      const { result } = await reserve(callId, attempt);
      if (result.case !== 'reservation') throw new Error(`refused: ${result.value}`);
      return { callId, ...result.value };
    }

    const read = (callId: string) => sessions.getSession({ callId, limit: 100, cursor: '' }, owner);

    /** Waits until the assistant has said something to its end, behind so many items. */
    const said = (callId: string, text: RegExp, after = 0) =>
      waitUntil(
        async () => {
          const { items } = await read(callId);
          return items.some(
            ({ item, sequence }) =>
              sequence > after && item.case === 'turn' && item.value.byAssistant && text.test(item.value.spoken ?? ''),
          );
        },
        { what: `says ${text}`, timeoutMs: SAID_WITHIN_MS },
      );

    return {
      companyId,
      owner,
      assistantId,
      reserve,
      reserved,
      read,
      said,
      change: (changed: object) => assistants.updateAssistant({ id: assistantId, fields: changed }, owner),
      know: (title: string, answer: string) =>
        parley.as('gateway').client(KnowledgeService).createKnowledgeEntry({ fields: { title, answer } }, owner),
      /** A caller who has heard the greeting. */
      async greeted() {
        const { callId, sessionId, address } = await reserved();
        const { call, ended, heardMs } = await dial(address);
        await connect(sessionId);
        await said(callId, /How can I help\?/);
        return { callId, sessionId, address, call, ended, heardMs };
      },
      /** The names of events of a session, with their details. */
      async events(callId: string) {
        const { items } = await read(callId);
        return items.flatMap(({ item }) => (item.case === 'event' ? [item.value.event] : []));
      },
    };
  }

  return {
    parley,
    control,
    sessions,
    createCompany,
    dial,
    connect,
    end: (sessionId: string, outcome: string, sequence = 100) =>
      control.updateSession({ sessionId, sequence, update: { case: 'ended', value: { outcome } } }),
    /** The caller makes a sound of a second, which is recognised as the text. */
    say(call: SipCall, text: string): void {
      parley.speech.recognises.push(text);
      call.playout.play(new Int16Array(8000).map((_, at) => (at % 16 < 8 ? 4000 : -4000)));
    },
    /** Before the next test. */
    hangUp(): void {
      for (const call of open.splice(0)) call.hangUp();
      parley.speech.recognises.length = 0;
      parley.calls.asked.length = 0;
    },
    async stop(): Promise<void> {
      await phone.stop();
      await parley.stop();
    },
  };
}
