import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ThreadMailKind, ThreadMailService } from '@parley/proto/identity/v1/thread_mails_pb';
import { waitUntil } from '@parley/testkit';
import { startMailServer, type TestMailServer } from './mail-server.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

let mail: TestMailServer;
let identity: TestIdentity;
let owner: TestEmployee;
beforeAll(async () => {
  mail = await startMailServer();
  identity = await startIdentity({ SMTP_URL: mail.url, MAIL_FROM: 'Parley <no-reply@parley.example>' });
  owner = await identity.hireOwner();
  await waitUntil(async () => (await identity.db.collection('accounts').countDocuments()) === 1, {
    what: 'the account',
    timeoutMs: 60_000,
  });
}, 60_000);
afterAll(async () => {
  await identity.stop();
  await mail.stop();
});

const entry = (kind: ThreadMailKind, more: object = {}) => ({
  kind,
  at: timestampFromDate(new Date('2030-01-01T12:30:00Z')),
  businessNumberName: 'Front desk',
  ...more,
});
const send = (id: string, more: object = {}) =>
  identity
    .as('messaging-inbox')
    .client(ThreadMailService)
    .sendThreadMail({
      id,
      companyId: owner.companyId,
      employeeId: owner.id,
      phoneNumber: '+4520304050',
      contactName: 'Ane www.evil.example',
      entries: [entry(ThreadMailKind.VOICEMAIL, { transcription: 'Look at http://evil.example\nnow' })],
      ...more,
    });
const mails = () => mail.sentTo(owner.email).filter((text) => text.includes('20304050'));

describe('an e-mail about a thread', () => {
  it('an e-mail about a thread is sent once, with who, what was said and a link, and no other link', async () => {
    await send('mail_1');
    await send('mail_1');
    expect(mails()).toHaveLength(1);
    const text = mails()[0]!;
    expect(text).toContain('Voicemail from Ane www. evil. example (+4520304050)');
    expect(text).toContain('/dashboard/inbox/%2B4520304050');
    expect(text).not.toContain('http://evil');
    const stored = JSON.stringify(await identity.db.collection('accounts').find().toArray());
    expect(stored).not.toMatch(/20304050|Look at/);
  });

  it('an e-mail about several things in a thread counts them', async () => {
    await send('mail_2', { entries: [entry(ThreadMailKind.TEXT), entry(ThreadMailKind.MISSED_CALL)], omitted: 3 });
    expect(mails()[1]).toContain('5 notifications about Ane');
  });

  it('an e-mail about a thread is not sent to an employee of another company, nor for anybody but messaging-inbox', async () => {
    await send('mail_3', { companyId: 'com_other' });
    const gateway = identity.channel.client(ThreadMailService);
    await expect(gateway.sendThreadMail({ id: 'mail_4', employeeId: owner.id })).rejects.toMatchObject({
      refusal: { code: 'forbidden' },
    });
    expect(mails()).toHaveLength(2);
  });

  it('an e-mail about a thread that is not sent fails, and is sent when it is repeated', async () => {
    mail.refuse(true);
    await expect(send('mail_5')).rejects.toMatchObject({ refusal: { code: 'provider_unavailable' } });
    mail.refuse(false);
    await send('mail_5');
    expect(mails()).toHaveLength(3);
  });
});
