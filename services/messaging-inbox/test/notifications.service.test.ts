import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { ThreadMailKind } from '@parley/proto/identity/v1/thread_mails_pb';
import { CommentService } from '@parley/proto/messaging_inbox/v1/comments_pb';
import { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { asEmployee, employeeMessage, type FakeEmployee, withRole } from '@parley/testkit/service';
import {
  ANE,
  bo,
  companyId,
  EMAIL,
  enable,
  eva,
  mailsTo,
  NOTHING,
  notifications,
  number,
  parley,
  refusedWith,
  useNotificationFixture,
} from './notification-fixture.ts';
import { receivedEvent } from './test-provider.ts';

const { ASSIGNED, MENTIONED, MISSED_CALL, TEXT, VOICEMAIL } = ThreadMailKind;

useNotificationFixture();

const receive = (from = ANE) =>
  parley.replicas[0]
    .client(ProviderCallbackService)
    .receiveCallback(parley.provider.callback(receivedEvent({ from, to: number.number, text: 'Hello' })));
const kindsTo = (employee: FakeEmployee) => mailsTo(employee).map(({ entries }) => entries.map(({ kind }) => kind));
const mailed = (employee: FakeEmployee, count: number) =>
  waitUntil(() => mailsTo(employee).length === count, { what: `${count} e-mails`, timeoutMs: 60_000 });
const pass = (secs: number) => parley.moveClock(secs);
/** Waits until so many things wait for the next e-mail to an employee. */
const waiting = ({ id: employeeId }: FakeEmployee, count: number) => {
  const filter = { companyId, employeeId, [`pending.items.${count - 1}`]: { $exists: true } };
  return waitUntil(async () => (await parley.db.collection('thread_mails').countDocuments(filter)) === 1, {
    what: `${count} things to wait`,
    timeoutMs: 60_000,
  });
};
const assign = (assigneeId: string, by: FakeEmployee) =>
  parley.replicas[0].client(InboxService).updateThread({ phoneNumber: ANE, assigneeId }, asEmployee(companyId, by.id));

async function leaveVoicemail(): Promise<{ transcribe: (transcription: string) => Promise<unknown> }> {
  const id = newId('vm');
  const voicemail = {
    id,
    companyId,
    callId: newId('cal'),
    from: ANE,
    mainNumberId: number.id,
    createdAt: timestampFromDate(new Date()),
  };
  const about = { companyId, aggregateId: id };
  await parley.publish('call-control.voicemail.created', { voicemail }, about);
  return {
    transcribe(transcription) {
      parley.owners.voicemails.push({ ...voicemail, hasTranscription: true, transcription });
      const transcribed = { voicemail: { ...voicemail, hasTranscription: true } };
      return parley.publish('call-control.voicemail.transcription_done', transcribed, about);
    },
  };
}

describe('the settings of an employee', () => {
  it('the settings of an employee are off at first, are replaced as a whole, and end with the employee', async () => {
    const read = async () =>
      (await notifications.getNotifications({ employeeId: eva.id }, asEmployee(companyId, bo.id))).notifications;
    expect(await read()).toMatchObject(NOTHING);
    await enable(eva, { voicemail: { email: true, push: true }, text: EMAIL });
    await enable(eva, { missedCall: EMAIL });
    expect(await read()).toMatchObject({ ...NOTHING, missedCall: EMAIL });
    const about = { companyId, aggregateId: eva.id };
    await parley.publish('directory.employee.deleted', { employee: employeeMessage(eva) }, about);
    const stored = () => parley.db.collection('notification_settings').countDocuments({ companyId });
    await waitUntil(async () => (await stored()) === 0, { what: 'the settings to be removed', timeoutMs: 60_000 });
  });

  it('the settings of an employee are the business of the employee and of admins of the company', async () => {
    const stranger = parley.directory.addEmployee({ name: 'Stranger' });
    const member = withRole(asEmployee(companyId, bo.id), 'member');
    for (const employeeId of [eva.id, stranger.id, 'emp_unknown'])
      await expect(notifications.getNotifications({ employeeId }, member)).rejects.toEqual(refusedWith('forbidden'));
    const admin = withRole(asEmployee(companyId, bo.id), 'admin');
    for (const employeeId of [stranger.id, 'emp_unknown'])
      await expect(notifications.replaceNotifications({ employeeId }, admin)).rejects.toEqual(refusedWith('not_found'));
  });
});

describe('an e-mail', () => {
  it('an e-mail goes to everybody who wants it; what happens in the next ten minutes is one more', async () => {
    await enable(eva, { text: EMAIL });
    await enable(bo, { text: { email: false, push: true } });
    await receive();
    await mailed(eva, 1);
    expect(mailsTo(eva)[0]).toMatchObject({
      companyId,
      phoneNumber: ANE,
      entries: [{ kind: TEXT, businessNumberName: number.name, transcription: '' }],
    });
    await receive();
    await receive('+4520304051');
    await mailed(eva, 2);
    await receive();
    await waiting(eva, 2);
    await pass(601);
    await mailed(eva, 3);
    expect(kindsTo(eva)).toEqual([[TEXT], [TEXT], [TEXT, TEXT]]);
    expect(mailsTo(bo)).toEqual([]);
  });

  it('an e-mail goes to the assignee of the thread, who hears of the assignment and of comments by others', async () => {
    for (const employee of [eva, bo]) await enable(employee, { text: EMAIL, assigned: EMAIL });
    await receive();
    await Promise.all([mailed(eva, 1), mailed(bo, 1)]);
    await assign(bo.id, eva);
    await parley.replicas[0]
      .client(CommentService)
      .createComment({ phoneNumber: ANE, text: '@Bo and @Eva: see here' }, asEmployee(companyId, eva.id));
    await receive();
    await waiting(bo, 3);
    await assign(eva.id, eva);
    await receive();
    await waiting(eva, 1);
    await pass(601);
    await Promise.all([mailed(eva, 2), mailed(bo, 2)]);
    expect(kindsTo(bo)[1]!.toSorted()).toEqual([TEXT, ASSIGNED, MENTIONED]);
    expect(kindsTo(eva)[1]).toEqual([TEXT]);
  });

  it('an e-mail about a voicemail waits for what it says; who does not want it hears of the call', async () => {
    await enable(eva, { voicemail: EMAIL, missedCall: EMAIL });
    await enable(bo, { missedCall: EMAIL });
    const { transcribe } = await leaveVoicemail();
    await mailed(bo, 1);
    expect(mailsTo(eva)).toEqual([]);
    await transcribe('Please call me back.');
    await mailed(eva, 1);
    expect(mailsTo(eva)[0]!.entries).toMatchObject([{ kind: VOICEMAIL, transcription: 'Please call me back.' }]);
    expect(kindsTo(bo)).toEqual([[MISSED_CALL]]);
  });

  it('an e-mail about a voicemail is sent without it after two minutes', async () => {
    await enable(eva, { voicemail: EMAIL });
    await leaveVoicemail();
    await waiting(eva, 1);
    await pass(121);
    await mailed(eva, 1);
    expect(mailsTo(eva)[0]!.entries).toMatchObject([{ kind: VOICEMAIL, transcription: '' }]);
  });

  it('an e-mail that was refused is sent later under the same id, unless the person is erased', async () => {
    await enable(eva, { text: EMAIL });
    await enable(bo, { text: EMAIL });
    parley.mails.refuse(eva.id, true);
    await receive();
    await mailed(bo, 1);
    parley.mails.refuse(eva.id, false);
    await mailed(eva, 1);
    await receive();
    await Promise.all([waiting(eva, 1), waiting(bo, 1)]);
    const personalData = parley.as('directory').client(PersonalDataService);
    const before = timestampFromDate(new Date(Date.now() + 1000));
    for (let position = ''; ;) {
      const portion = { companyId, phoneNumber: ANE, erasureId: 'era_1', before, position };
      const answer = await personalData.erasePerson(portion);
      if (answer.done) break;
      ({ position } = answer);
    }
    expect(await parley.db.collection('thread_mails').countDocuments({ companyId, phone: ANE })).toBe(0);
  });

  it('an e-mail is found by its person, and those who want it by their company', async () => {
    const mails = await documentQueryPlan(parley.db, 'thread_mails', { companyId, phone: ANE }, { sort: { phone: 1 } });
    expect(mails).toMatchObject({ index: 'company_phone', isUnindexed: false });
    const filter = { companyId, enabled: 'text/email' };
    const settings = await documentQueryPlan(parley.db, 'notification_settings', filter);
    expect(settings).toMatchObject({ index: 'company_enabled', isUnindexed: false });
  });
});

describe('a deactivated employee', () => {
  const setActive = async (employee: FakeEmployee, active: boolean) => {
    Object.assign(employee, { deactivatedAt: active ? undefined : new Date(), revision: employee.revision + 1n });
    const about = { companyId, aggregateId: employee.id };
    await parley.publish('directory.employee.updated', { employee: employeeMessage(employee) }, about);
  };
  const assigneeShown = async () =>
    (
      await parley.replicas[0].client(InboxService).listThreads({ limit: 10 }, asEmployee(companyId, eva.id))
    ).threads.find(({ phoneNumber }) => phoneNumber === ANE)?.assignee?.id;

  it('a deactivated employee gets no e-mail; their threads are shown as nobody’s, and everybody hears of them', async () => {
    for (const employee of [eva, bo]) await enable(employee, { text: EMAIL, assigned: EMAIL });
    await receive();
    for (const employee of [eva, bo]) await mailed(employee, 1);
    await assign(bo.id, bo);
    expect(await assigneeShown()).toBe(bo.id);
    await setActive(bo, false);
    await waitUntil(async () => (await assigneeShown()) === undefined, { what: 'the change', timeoutMs: 60_000 });
    await receive();
    await waiting(eva, 1);
    await pass(601);
    await mailed(eva, 2);
    expect(kindsTo(bo)).toHaveLength(1);
    await expect(assign(bo.id, eva)).rejects.toEqual(refusedWith('not_found'));
    await setActive(bo, true);
    await waitUntil(async () => (await assigneeShown()) === bo.id, { what: 'their return', timeoutMs: 60_000 });
  });
});
