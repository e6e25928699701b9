import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { CallAssistantState, CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { ThreadMailKind } from '@parley/proto/identity/v1/thread_mails_pb';
import { InboxAdminService, InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { newId } from '@parley/secrets';
import { storedEntities, waitUntil } from '@parley/testkit';
import { asEmployee, asOperator } from '@parley/testkit/service';
import {
  ANE,
  bo,
  companyId,
  EMAIL,
  enable,
  eva,
  mailsTo,
  number,
  parley,
  useNotificationFixture,
} from './notification-fixture.ts';

const MESSAGE = 'The bicycle is broken again.';
const SUMMARY = 'Ane called. Left to do: answer the message.';

useNotificationFixture();

const inbox = () => parley.replicas[0].client(InboxService);
const me = () => asEmployee(companyId, eva.id);
const threads = async () => (await inbox().listThreads({ limit: 50 }, me())).threads;
const items = async () => (await inbox().listActivity({ phoneNumber: ANE, limit: 50 }, me())).items;

const aMessage = (change: object = {}) => ({
  text: MESSAGE,
  callbackNumber: ANE,
  callbackRequested: false,
  takenAt: timestampFromDate(new Date()),
  ...change,
});

/** A call that an assistant has answered, and what is stored of it once it has ended. */
async function endedCall(outcome: string, message?: ReturnType<typeof aMessage>) {
  const id = newId('cal');
  const sessionId = newId('ses');
  const assistant = {
    id: 'ast_1',
    name: 'Robin',
    state: CallAssistantState.LEFT,
    outcome,
    engine: 'embedded',
    sessionId,
  };
  const event = {
    id,
    companyId,
    from: ANE,
    to: number.number,
    direction: CallDirection.INBOUND,
    state: CallState.ENDED,
    startedAt: timestampFromDate(new Date(Date.now() - 60_000)),
    endedAt: timestampFromDate(new Date()),
    mainNumberId: number.id,
    employees: [],
  };
  const stored = { ...event, hasTranscription: true, assistant: { ...assistant, sessionStored: true } };
  const session = { id: sessionId, callId: id, companyId, outcome, ...(message && { message }) };
  parley.owners.calls.push({ ...stored, summary: SUMMARY });
  parley.owners.sessions.push({ ...session, summary: SUMMARY });
  const about = { companyId, aggregateId: id };
  await parley.publish('call-control.call.ended', { call: { ...event, assistant } }, about);
  await parley.publish('call-control.call.transcription_done', { call: stored }, about);
  const ofSession = { companyId, aggregateId: sessionId };
  // What was said is in no event.
  const { message: _message, ...plain } = { message, ...session };
  if (message) await parley.publish('assistant.session.message_taken', { session: plain }, ofSession);
  await parley.publish('assistant.session.ended', { session: plain }, ofSession);
  return id;
}

const previewed = (preview: string) =>
  waitUntil(async () => (await threads()).find((thread) => thread.preview === preview), {
    what: `the preview ${preview}`,
  });

describe('a call with an assistant in the inbox', () => {
  it('a call with an assistant in the inbox has its message as the preview, is unseen, and is stored encrypted', async () => {
    await endedCall('message_taken', aMessage());
    const latestItem = { missed: false, assistantOutcome: 'message_taken' };
    expect(await previewed(MESSAGE)).toMatchObject({ unseenCount: 1, latestItem });
    const [item] = await items();
    expect(item?.seenAtMicros).toBeUndefined();
    expect(item?.content.value).toMatchObject({
      summary: SUMMARY,
      missed: false,
      assistant: {
        id: 'ast_1',
        name: 'Robin',
        outcome: 'message_taken',
        engine: 'embedded',
        state: CallAssistantState.LEFT,
      },
    });
    const stored = async () => ({
      items: (await storedEntities(parley.db, 'inbox_items', { companyId })).map(({ appliedAt: _, ...one }) => one),
      threads: (await storedEntities(parley.db, 'inbox_threads', { companyId })).map(({ revision: _, ...one }) => one),
    });
    const before = await stored();
    expect(JSON.stringify(before)).not.toMatch(/bicycle|answer the message/);
    const admin = parley.replicas[1].client(InboxAdminService);
    await admin.startInboxRebuild({ companyId }, asOperator);
    await waitUntil(async () => (await admin.getInboxRebuild({ companyId }, asOperator)).rebuild?.finishedAt, {
      what: 'the rebuild',
    });
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['resolved', true],
    ['callback_requested', false],
    ['abandoned', false],
  ])('a call with an assistant in the inbox that is %s is seen: %s', async (outcome, isSeen) => {
    await endedCall(outcome);
    expect(await previewed(SUMMARY)).toMatchObject({ unseenCount: isSeen ? 0 : 1 });
    expect((await items())[0]?.seenAtMicros !== undefined).toBe(isSeen);
  });
});

describe('a message for an employee', () => {
  const assigneeName = async () => (await threads())[0]?.assignee?.name;

  it('a message for an employee assigns the thread, unless somebody deals with it', async () => {
    await endedCall('message_taken', aMessage({ for: { id: eva.id, name: 'Eva' } }));
    await waitUntil(async () => (await assigneeName()) === 'Eva', { what: 'the assignee' });
    await endedCall('message_taken', aMessage({ text: 'Once more.', for: { id: bo.id, name: 'Bo' } }));
    await previewed('Once more.');
    await endedCall('message_taken', aMessage({ text: 'And again.', for: { id: 'tgt_1', name: 'Sales' } }));
    await previewed('And again.');
    expect(await assigneeName()).toBe('Eva');
  });

  it('a message for an employee is mailed to whom it is for, and one for nobody to everybody who wants it', async () => {
    for (const employee of [eva, bo]) await enable(employee, { assistant: EMAIL });
    await endedCall('message_taken', aMessage({ for: { id: bo.id, name: 'Bo' } }));
    await waitUntil(() => mailsTo(bo).length === 1, { what: 'the e-mail', timeoutMs: 30_000 });
    expect(mailsTo(bo)[0]?.entries).toMatchObject([{ kind: ThreadMailKind.ASSISTANT, transcription: MESSAGE }]);
    expect(mailsTo(eva)).toEqual([]);
  });

  it('a callback without a message is mailed with what the call was about', async () => {
    await enable(eva, { assistant: EMAIL });
    await endedCall('resolved');
    await endedCall('callback_requested');
    await waitUntil(() => mailsTo(eva).length === 1, { what: 'the e-mail', timeoutMs: 30_000 });
    expect(mailsTo(eva)[0]?.entries).toMatchObject([{ kind: ThreadMailKind.ASSISTANT, transcription: SUMMARY }]);
  });
});
