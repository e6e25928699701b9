import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { NotificationService } from '@parley/proto/messaging_inbox/v1/notifications_pb';
import type { RpcClient } from '@parley/rpc';
import { asEmployee, type FakeEmployee, type FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';

export let parley: TestMessagingInbox;
export let notifications: RpcClient<typeof NotificationService>;
export let companyId: string;
export let eva: FakeEmployee;
export let bo: FakeEmployee;
export let number: FakeNumber;

/** Another company, which the fixture is about from then on. */
export function createCompany(): void {
  ({ companyId } = parley.directory.createCompany({ messagingEnabled: true }));
  const hire = (name: string) => parley.directory.addEmployee({ companyId, name });
  [eva, bo] = [hire('Eva'), hire('Bo')];
  number = parley.numbers.addNumber(companyId);
}

/** Called once in a test file: starts the service, and creates a company with two employees for each test. */
export function useNotificationFixture(): void {
  beforeAll(async () => {
    parley = await startMessagingInbox({ TEST_CLOCK: 'on' });
    notifications = parley.replicas[1].client(NotificationService);
  }, 60_000);
  afterAll(() => parley?.stop());
  afterEach(() => parley.moveClock(0));
  beforeEach(createCompany);
}

export const ANE = '+4520304050';
export const EMAIL = { email: true, push: false };
export const PUSH = { email: false, push: true };
const OFF = { email: false, push: false };
export const NOTHING = { missedCall: OFF, voicemail: OFF, text: OFF, assigned: OFF, assistant: OFF };
export const refusedWith = (code: string) => expect.objectContaining({ refusal: expect.objectContaining({ code }) });
/** What is not named is turned off. */
export const enable = ({ id: employeeId }: FakeEmployee, enabled: object) =>
  notifications.replaceNotifications(
    { employeeId, notifications: { ...NOTHING, ...enabled } },
    asEmployee(companyId, employeeId),
  );
export const mailsTo = ({ id }: FakeEmployee) => parley.mails.sent.filter(({ employeeId }) => employeeId === id);
