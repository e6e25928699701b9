import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import { waitUntil } from '@parley/testkit';
import { type CalledCompany, type Callers, startCallers } from './start-callers.ts';

let callers: Callers;
beforeAll(async () => {
  callers = await startCallers({ TEST_CLOCK: 'on' });
}, 60_000);
afterAll(() => callers?.stop());
afterEach(() => callers.hangUp());

const WITHIN_MS = 30_000;

const asked = (what: string) =>
  waitUntil(() => callers.parley.calls.asked.includes(what), { what, timeoutMs: WITHIN_MS });
const resultsIn = async (company: CalledCompany, callId: string) =>
  (await company.read(callId)).items.flatMap(({ item }) => (item.case === 'action' ? [item.value.result] : []));
/** The caller says each, once the assistant has answered the one before to its end. */
async function converse(company: CalledCompany, { call, callId }: Greeted, ...lines: [string, RegExp][]) {
  for (const [text, answer] of lines) {
    const before = (await company.read(callId)).items.length;
    callers.say(call, text);
    await company.said(callId, answer, before);
  }
}
type Greeted = Awaited<ReturnType<CalledCompany['greeted']>>;

describe('a call that is not admitted', () => {
  it.each([
    ['disabled', { enabled: false, simultaneousSessions: 5 }],
    ['limit_minutes', { enabled: true, simultaneousSessions: 5, monthlyMinutes: 0 }],
    ['capacity', { enabled: true, simultaneousSessions: 0 }],
  ])('a call that is not admitted goes to the fallback as %s, and leaves no session', async (reason, assistant) => {
    const company = await callers.createCompany({}, { assistant });
    expect((await company.reserve('cal_refused')).result).toEqual({ case: 'refused', value: reason });
    await expect(company.read('cal_refused')).rejects.toMatchObject({ refusal: { code: 'not_found' } });
  });

  it('a call that is not admitted after the minutes of the month is admitted in the next one', async () => {
    const limits = { enabled: true, simultaneousSessions: 5, monthlyMinutes: 1 };
    const company = await callers.createCompany({}, { assistant: limits });
    const { sessionId } = await company.greeted();
    await callers.parley.moveClock(61);
    await callers.end(sessionId, 'resolved');
    await callers.control.getSessionContent({ sessionId });
    expect((await company.reserve('cal_over')).result).toEqual({ case: 'refused', value: 'limit_minutes' });
    await callers.parley.moveClock(32 * 24 * 3600);
    expect((await company.reserve('cal_next_month')).result.case).toBe('reservation');
    await callers.parley.moveClock(0);
  });
});

describe('a session that ends', () => {
  it('a session that ends because nobody says anything asks twice, and says goodbye before the fallback', async () => {
    const company = await callers.createCompany({ silenceSecs: 4 });
    const { callId } = await company.greeted();
    await asked('fallback silence');
    expect((await company.events(callId)).filter((event) => event === 'silence')).toHaveLength(3);
    const { items } = await company.read(callId);
    const spoken = items.flatMap(({ item }) => (item.case === 'turn' ? [item.value.spoken] : []));
    expect(spoken).toHaveLength(4);
    expect(new Set(spoken).size).toBe(4);
    expect(await company.events(callId)).toContain('fallback');
  });

  it('a session that ends because of its duration says so thirty seconds before, and goes on with the fallback', async () => {
    const company = await callers.createCompany({ maxDurationSecs: 60 });
    const { callId } = await company.greeted();
    await callers.parley.moveClock(31);
    await waitUntil(async () => (await company.events(callId)).includes('limit_warning'), {
      what: 'the warning',
      timeoutMs: WITHIN_MS,
    });
    expect(callers.parley.calls.asked).not.toContain('fallback limit_duration');
    await callers.parley.moveClock(61);
    await asked('fallback limit_duration');
    expect((await company.events(callId)).filter((event) => event === 'limit_warning')).toHaveLength(1);
    await callers.parley.moveClock(0);
  });

  it('a session that ends without a transcript has no texts and no questions any more, but what was done', async () => {
    const company = await callers.createCompany({ keepTranscript: false });
    const greeted = await company.greeted();
    const { callId, sessionId } = greeted;
    callers.parley.calls.callbackResult = 'closed';
    await converse(
      company,
      greeted,
      ['Do you sell yellow submarines?', /./],
      ['Please call me back', /ending in/],
      ['Yes', /Thank you|noted|message/i],
    );
    callers.parley.calls.callbackResult = 'queued';
    await callers.end(sessionId, 'callback_requested');
    const content = await callers.control.getSessionContent({ sessionId });
    expect(content).toMatchObject({ complete: true, segments: [], message: { callbackRequested: true } });
    expect(content.summary).not.toBe('');
    const { items } = await company.read(callId);
    const turns = items.flatMap(({ item }) => (item.case === 'turn' ? [[item.value.text, item.value.spoken]] : []));
    expect(turns.length).toBeGreaterThan(3);
    expect(turns.flat().every((text) => text === undefined)).toBe(true);
    expect(await resultsIn(company, callId)).toEqual(['taken']);
    const knowledge = callers.parley.as('gateway').client(KnowledgeService);
    expect((await knowledge.listUnansweredQuestions({ limit: 10 }, company.owner)).questions).toEqual([]);
  });
});

describe('a call back', () => {
  it('a call back while the number is open is queued, and said to be arranged', async () => {
    const company = await callers.createCompany();
    const greeted = await company.greeted();
    await converse(
      company,
      greeted,
      ['Please call me back tomorrow at ten', /ending in 5 0/],
      ['Yes', /call you back/],
    );
    expect(callers.parley.calls.asked).toContain('callback');
    expect(await resultsIn(company, greeted.callId)).toEqual(['queued']);
    expect((await company.read(greeted.callId)).session?.message).toBeUndefined();
  });

  it('a call back while the number is closed is a message with what is wanted', async () => {
    const company = await callers.createCompany();
    const greeted = await company.greeted();
    callers.parley.calls.callbackResult = 'closed';
    await converse(
      company,
      greeted,
      ['Please call me back tomorrow at ten', /ending in 5 0/],
      ['Yes', /Thank you|noted/],
    );
    callers.parley.calls.callbackResult = 'queued';
    expect(await resultsIn(company, greeted.callId)).toEqual(['taken']);
    expect((await company.read(greeted.callId)).session?.message).toMatchObject({
      callbackRequested: true,
      wanted: 'tomorrow at ten',
      callbackNumber: '+4520304050',
    });
  });
});
