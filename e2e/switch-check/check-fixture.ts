import type { Employee } from '../calls/phone-company.ts';
import type { CheckEnvironment, EmployeePhone } from './check-environment.ts';
import { pitch } from './pitch.ts';
import type { PhoneCall } from './sip-phone.ts';

export interface Given {
  readonly env: CheckEnvironment;
  readonly ada: Employee;
  readonly bob: Employee;
  readonly adaPhone: EmployeePhone;
  readonly bobPhone: EmployeePhone;
  /** Menu: 1 leads to both employees, 2 to voicemail. */
  readonly menuNumber: string;
  /** Rings Ada at once. */
  readonly directNumber: string;
  /** Sends a signal to call-control; the launcher starts one that was killed again. */
  readonly signalCallControl: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => void;
  /** Kills the switch and starts it again; undefined without PARLEY_TEST_SWITCH_RESTART. */
  readonly restartSwitch: (() => Promise<void>) | undefined;
  /** The same with the second switch, PARLEY_TEST_OTHER_SWITCH_RESTART. */
  readonly restartOtherSwitch: (() => Promise<void>) | undefined;
}

type Control = Pick<Given, 'signalCallControl' | 'restartSwitch' | 'restartOtherSwitch'>;

export const CUSTOMER_HERTZ = 440;
export const EMPLOYEE_HERTZ = 800;
export const TARGET_HERTZ = 1200;
const SPOKEN = 'I would like to order twelve red bicycles for the office in Copenhagen.';

export async function prepare(env: CheckEnvironment, control: Control): Promise<Given> {
  const { company } = env;
  const [ada, bob] = [await company.hire('Ada', false), await company.hire('Bob', false)];
  const [adaPhone, bobPhone] = [await env.phoneOf(ada), await env.phoneOf(bob)];
  const menu = {
    type: 'PhoneMenuConfig',
    welcome: 'Welcome. Press one for sales, or two to leave a message.',
    menu_options: [
      { digit: '1', action_type: 'TransferConfig', employee_ids: [ada.id, bob.id] },
      { digit: '2', action_type: 'VoicemailConfig', prompt: SPOKEN },
    ],
  };
  // Its voicemail prompt is what the customer says, and is recognised in the language of the number.
  const menuNumber = await company.number(menu, { details: { language: 'en' } });
  const directNumber = await company.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  return { env, ada, bob, adaPhone, bobPhone, menuNumber, directNumber, ...control };
}

/** Waits for a second of the tone, so that it is in the recording as well. */
export const expectTone = ({ env }: Given, call: PhoneCall, hertz: number) =>
  env.until(`${hertz} Hz for a second`, () => tenthsWith(call.audio.received(1000), hertz) >= 8, 10_000);

/** How many tenths of a second of the samples (8 kHz) have the pitch. */
function tenthsWith(samples: readonly number[], hertz: number): number {
  const tenths = Array.from({ length: samples.length / 800 }, (_, at) => samples.slice(at * 800, (at + 1) * 800));
  return tenths.filter((tenth) => pitch(tenth, hertz) > 0.5).length;
}

export const untilEnded = ({ env }: Given, call: PhoneCall) =>
  env.until('the call is over', () => call.state === 'ended');
export const talks = ({ env }: Given, call: PhoneCall) => env.until('an answer', () => call.state === 'talking');

/** Also while call-control is unavailable. */
export const eventually = ({ env }: Given, callId: string, state: string) =>
  env.until(
    `call ${state}`,
    async () => (await env.company.call(callId).catch(() => undefined))?.state === state,
    45_000,
  );

/** A customer in conversation with Ada, each with a tone that the other hears. */
export async function converse(given: Given): Promise<{ customer: PhoneCall; employee: PhoneCall; callId: string }> {
  const { env, adaPhone, directNumber } = given;
  await env.company.status(given.ada, 'available');
  const customer = await env.dial(directNumber);
  customer.audio.tone(CUSTOMER_HERTZ);
  const employee = await env.rings(adaPhone);
  employee.audio.tone(EMPLOYEE_HERTZ);
  employee.answer();
  const callId = env.callId(employee);
  await env.company.state(callId, 'bridged');
  await expectTone(given, customer, EMPLOYEE_HERTZ);
  await expectTone(given, employee, CUSTOMER_HERTZ);
  return { customer, employee, callId };
}

/** Each check leaves both employees available and every call ended. */
export type Checks = Readonly<Record<string, (given: Given) => Promise<void>>>;
