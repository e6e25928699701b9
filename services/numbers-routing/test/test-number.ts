import { type BusinessNumber, createBusinessNumber } from '../src/numbers/business-number.ts';

/** When the tests' numbers were added. */
const added = new Date('2026-01-01T12:00:00Z');

/** A number as the operator adds it, with anything about it changed. */
export function testNumber(change: Partial<BusinessNumber> = {}): BusinessNumber {
  const decision = createBusinessNumber(
    { id: 'num_1', companyId: 'com_1', createdOrder: 1 },
    {
      phone: { number: '+4570123456', formatted: '+45 70 12 34 56' },
      name: 'Support',
      timezone: 'Europe/Copenhagen',
      language: 'en',
      recordingEnabled: true,
      sms: { canSend: true, canReceive: true },
      waitAudio: 'ringtone',
      registrationStatus: 'not_required',
      registrationDueAt: null,
      incomingCallConfig: { type: 'TransferConfig', employeeIds: ['emp_owner'] },
    },
    { employees: new Set(), assistants: new Set() },
    added,
  );
  if (!decision.ok) throw new Error('the tests’ own number was refused');
  return { ...decision.state, ...change };
}
