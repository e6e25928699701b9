import { expectThat } from '../../expectations/expect.ts';
import type { Context } from '../../world/context.ts';
import type { Leg, LegView } from '../../world/phones.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { hasAudio } from './flow.ts';

const { must } = checksOf('call-flows');
const TYPES = { source: 'service-api.md: Call flow config types', profile: 'full' } as const;
const FIELDS = { source: 'service-api.md: Business number', profile: 'full' } as const;

/** A call to a new number that has this flow at every hour. */
async function callOf({ companies, sandbox }: Context, flow: object, details: object = {}): Promise<Leg> {
  const company = await companies.shared();
  const { id, number } = await company.number({ incoming_call_config: flow, ...details });
  await company.put(`/business_numbers/${id}/outside_business_hours_config`, { type: null }).gives(200);
  await hasAudio(company, `/business_numbers/${id}`);
  return await sandbox.call(freshPhone(), number);
}

const speechOf = ({ heard }: LegView) => heard.filter(({ kind }) => kind === 'speech').map(({ text }) => text);

export const runningChecks: readonly Check[] = [
  must(90, 'A caller who is rejected hears the message, and the call ends.', TYPES, async (context) => {
    const caller = await callOf(context, { type: 'RejectConfig', message: 'Nobody works here any more.' });
    await caller.hears('speech', 'Nobody works here any more.');
    await caller.is('ended');
  }),

  must(91, 'A caller who gets the voicemail hears the greeting, and then a beep.', TYPES, async (context) => {
    const caller = await callOf(context, { type: 'VoicemailConfig', greeting: 'Speak after the tone.' });
    const { heard } = await caller.hears('beep');
    await caller.hangUp();
    const kinds = heard.map(({ kind }) => kind).filter((kind) => kind === 'speech' || kind === 'beep');
    expectThat(kinds[0] === 'speech' && kinds[1] === 'beep', `the caller heard ${JSON.stringify(heard)}`);
  }),

  must(92, 'A caller who presses a key of the menu gets its option.', TYPES, async (context) => {
    const play = (digit: string, prompt: string) => ({ digit, action_type: 'PlayMessageConfig', prompt });
    const caller = await callOf(context, {
      type: 'PhoneMenuConfig',
      welcome: 'Press one or two.',
      menu_options: [play('1', 'The first answer.'), play('2', 'The second answer.')],
    });
    await caller.hears('speech', 'Press one or two.');
    await caller.press('2');
    const view = await caller.is('ended');
    expectThat(
      speechOf(view).includes('The second answer.') && !speechOf(view).includes('The first answer.'),
      `the caller heard ${JSON.stringify(view.heard)}`,
    );
  }),

  must(93, 'A transfer with a welcome speaks before it rings, one without does not speak.', TYPES, async (context) => {
    const { owner } = await context.companies.shared();
    const employee_ids = [owner.id];
    const phone = context.sandbox.phone(owner.id);
    await phone.goes('online');
    const greeted = await callOf(context, { type: 'WelcomeTransferConfig', welcome: 'Good day to you.', employee_ids });
    await phone.answers();
    const { heard } = await greeted.hears('party');
    await greeted.hangUp();
    await greeted.is('ended');
    const firstOf = (one: string) => heard.findIndex(({ kind }) => kind === one);
    expectThat(
      firstOf('speech') >= 0 && firstOf('speech') < firstOf('party'),
      `the caller heard ${JSON.stringify(heard)}`,
    );
    const silent = await callOf(context, { type: 'TransferConfig', employee_ids });
    await phone.answers();
    const view = await silent.hears('party');
    await silent.hangUp();
    await phone.goes('offline');
    expectThat(speechOf(view).length === 0, `the caller heard ${JSON.stringify(view.heard)}`);
  }),

  must(94, 'A caller who waits hears a ringtone or music, as the number says.', FIELDS, async (context) => {
    const company = await context.companies.shared();
    const { id } = await company.hire();
    for (const wait_audio of ['ringtone', 'music'] as const) {
      const caller = await callOf(context, { type: 'TransferConfig', employee_ids: [id] }, { wait_audio });
      const { heard } = await caller.hears(wait_audio);
      await caller.hangUp();
      // A ringtone may also come before the call is taken.
      const isWrong = wait_audio === 'ringtone' && heard.some(({ kind }) => kind === 'music');
      expectThat(!isWrong, `with ${wait_audio} the caller heard ${JSON.stringify(heard)}`);
    }
  }),

  must(
    95,
    'The no-answer flow runs when its time is over, and does not while it is switched off.',
    { ...FIELDS, alone: true },
    async (context) => {
      const company = await context.companies.shared();
      const { id: employee } = await company.hire();
      const callers: Leg[] = [];
      for (const timeout_secs of [15, null]) {
        const { id, number } = await company.number({
          incoming_call_config: { type: 'TransferConfig', employee_ids: [employee] },
        });
        const flow = { type: 'RejectConfig', message: 'Nobody is free.', timeout_secs };
        await company.put(`/business_numbers/${id}/no_answer_config`, flow).gives(200);
        await company.put(`/business_numbers/${id}/outside_business_hours_config`, { type: null }).gives(200);
        await hasAudio(company, `/business_numbers/${id}`);
        const caller = await context.sandbox.call(freshPhone(), number);
        callers.push(caller);
        await caller.hears('ringtone');
      }
      const [armed, waiting] = callers as [Leg, Leg];
      await context.clock.advance(20);
      await armed.hears('speech', 'Nobody is free.');
      await armed.is('ended');
      const view = await waiting.view();
      await waiting.hangUp();
      expectThat(
        view.state !== 'ended' && speechOf(view).length === 0,
        `the caller without a time is ${view.state} and heard ${JSON.stringify(view.heard)}`,
      );
    },
  ),
];
