import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnusualCalls } from '@parley/proto/call_control/v1/call_usage_events_pb';
import { Role } from '@parley/proto/directory/v1/employees_pb';
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
});
afterAll(async () => {
  await identity.stop();
  await mail.stop();
});

const mails = (subject: string) => mail.sentTo(owner.email).filter((text) => text.includes(subject));
const received = (subject: string) =>
  waitUntil(() => mails(subject)[0], { what: `the mail "${subject}"`, timeoutMs: 60_000 });
const about = (aggregateId: string) => ({ companyId: owner.companyId, aggregateId });

describe('owners and admins of a company get an e-mail', () => {
  it('owners and admins of a company get an e-mail, all of them, and nobody else', async () => {
    const { companyId } = owner;
    const [admin, member] = await Promise.all(
      [Role.ADMIN, Role.MEMBER].map((role) => identity.hire({ companyId, role })),
    );
    const accounts = identity.db.collection('accounts');
    await waitUntil(async () => (await accounts.countDocuments({ companyId })) === 3, { what: 'the accounts' });
    const call = { id: 'cal_0', companyId, to: '999', mainNumber: '+4570112233' };
    await identity.publish('call-control.emergency_call.placed', { call }, about('cal_0'));
    await waitUntil(() => mail.sentTo(admin!.email).some((text) => text.includes('Emergency call to 999')), {
      what: 'the mail to the admin',
      timeoutMs: 60_000,
    });
    await received('Emergency call to 999');
    expect(mail.sentTo(member!.email).filter((text) => text.includes('Emergency'))).toEqual([]);
  });

  it('owners and admins of a company get an e-mail about a call to an emergency number, with who placed it', async () => {
    const call = {
      id: 'cal_1',
      companyId: owner.companyId,
      to: '112',
      mainNumberName: 'Front desk http://evil.example',
      mainNumber: '+4570112233',
      initiatedBy: { id: 'emp_1', name: 'Ada' },
    };
    await identity.publish('call-control.emergency_call.placed', { call }, about('cal_1'));
    const text = await received('Emergency call to 112');
    expect(text).toContain('Ada has called the emergency number 112');
    expect(text).not.toContain('http://evil');
  });

  it('owners and admins of a company get an e-mail about calls that are refused, and about unusual ones', async () => {
    const { companyId } = owner;
    await identity.publish(
      'call-control.call_usage.limit_reached',
      { companyId, limit: 1, refused: 7 },
      about(companyId),
    );
    expect(await received('Calls of your company are refused')).toContain('(7 so far)');
    const unusual = { companyId, kind: UnusualCalls.NEW_COUNTRIES, count: 3, countries: ['JM', 'CU', 'LV'] };
    await identity.publish('call-control.call_usage.unusual', unusual, about(companyId));
    expect(await received('Unusual calls of your company')).toContain('Jamaica, Cuba, Latvia');
  });

  it('owners and admins of a company get an e-mail when most of the limit of its assistants is used', async () => {
    const near = { month: '2026-03', limit: '20.5', currency: 'EUR' };
    await identity.publish('assistant.endpoint.spend_limit_near', near, about('com_1/2026-03'));
    const text = await received('Most of the monthly limit of your assistants is used');
    expect(text).toContain('80 % of the limit for 2026-03, 20.5 EUR');
  });
});
