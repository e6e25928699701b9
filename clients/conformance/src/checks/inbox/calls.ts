import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { absent, flag, nullable, someText, text } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { hasAudio } from '../call-flows/flow.ts';
import { type Check, checksOf } from '../check.ts';
import { activityPath, incomingText, itemsOf, markSeen, ownNumber, TEXTING, threadsOf } from './inbox.ts';

const { must } = checksOf('inbox');
const ITEM = { source: 'service-api.md: Inbox thread and activity item', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;
const RULES = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;

const always = (path: string) => `${path}/outside_business_hours_config`;

export const callChecks: readonly Check[] = [
  must(100, 'A missed call is in the inbox, unseen, without texting too.', ITEM, async ({ companies, sandbox }) => {
    const company = await companies.shared({ messaging: false });
    const { id, number } = await ownNumber(company);
    await company.put(always(`/business_numbers/${id}`), { type: null }).gives(200);
    const customer = freshPhone();
    const caller = await sandbox.call(customer, number);
    await caller.hears('ringtone');
    await caller.hangUp();
    const item = {
      type: 'call',
      direction: 'inbound',
      from: customer,
      to: number,
      business_number_id: id,
      state: 'ended',
      missed: true,
      seen_at: null,
      duration: null,
      summary: nullable(text),
      employee: null,
      has_transcription: flag,
    };
    await eventually('the call is over', async () => expect(await itemsOf(company, customer, 1), [item], 'the items'));
    await eventually('the thread is there', async () =>
      expect(
        await threadsOf(company, id),
        [{ preview: 'Missed call', unseen_count: 1, latest_item: { type: 'call', missed: true, summary: absent } }],
        'the threads',
      ),
    );
    await company.post('/calls/seen', { phone_number: customer }).givesNothing();
    await eventually('the call is seen', () =>
      company.get(activityPath(customer)).gives(200, { items: [{ seen_at: someText }] }),
    );
  }),

  must(101, 'An incoming call that was answered is seen from then on.', DECIDED, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await ownNumber(company);
    await company.put(always(`/business_numbers/${id}`), { type: null }).gives(200);
    const phone = sandbox.phone(company.owner.id);
    await phone.goes('online');
    const customer = freshPhone();
    const caller = await sandbox.call(customer, number);
    await phone.answers();
    await caller.hears('party');
    await eventually('the call is seen', async () =>
      expect(
        await itemsOf(company, customer, 1),
        [{ type: 'call', missed: false, seen_at: someText, employee: { id: company.owner.id, name: text } }],
        'the items',
      ),
    );
    await caller.hangUp();
    await phone.goes('offline');
    await eventually('nothing is unseen', async () =>
      expect(await threadsOf(company, id), [{ unseen_count: 0, preview: someText }], 'the threads'),
    );
  }),

  must(
    102,
    'A voicemail replaces its call, counts once, and is not listened to by being seen.',
    ITEM,
    async (context) => {
      const { companies, sandbox } = context;
      const company = await companies.shared(TEXTING);
      const { id, number } = await ownNumber(company, {
        incoming_call_config: { type: 'VoicemailConfig', greeting: 'Leave a message.' },
      });
      const path = `/business_numbers/${id}`;
      await company.put(always(path), { type: null }).gives(200);
      await hasAudio(company, path);
      const customer = freshPhone();
      const caller = await sandbox.call(customer, number);
      await caller.hears('beep');
      await caller.say('Please call me back.');
      await caller.hangUp();
      const voicemail = { type: 'voicemail', from: customer, business_number_id: id, call_id: someText };
      await eventually('the voicemail is the only item', async () =>
        expect(await itemsOf(company, customer, 1), [{ ...voicemail, listened: false, seen_at: null }], 'the items'),
      );
      await eventually('the thread counts it once', async () =>
        expect(await threadsOf(company, id), [{ unseen_count: 1, latest_item: { type: 'voicemail' } }], 'the threads'),
      );
      const { observed_at: through } = await company.get(activityPath(customer)).gives(200);
      await markSeen(company, customer, { through }).givesNothing();
      await eventually('the voicemail is seen', async () =>
        expect(
          await itemsOf(company, customer, 1),
          [{ ...voicemail, listened: false, seen_at: someText }],
          'the items',
        ),
      );
    },
  ),

  must(
    103,
    'Calls and texts of a customer are one thread, and `/calls/seen` leaves the texts.',
    RULES,
    async (context) => {
      const { companies, sandbox } = context;
      const company = await companies.shared(TEXTING);
      const { id, number } = await ownNumber(company);
      await company.put(always(`/business_numbers/${id}`), { type: null }).gives(200);
      const { customer } = await incomingText(company, sandbox, number, 'I will call you.');
      const caller = await sandbox.call(customer, number);
      await caller.hears('ringtone');
      await caller.hangUp();
      await eventually('both are unseen', async () =>
        expect(await threadsOf(company, id), [{ unseen_count: 2 }], 'the threads'),
      );
      await company.post('/calls/seen', { phone_number: customer, main_number_id: id }).givesNothing();
      await eventually('the call is seen and the text is not', () =>
        company.get(activityPath(customer)).gives(200, {
          items: [
            { type: 'call', seen_at: someText },
            { type: 'message', seen_at: null },
          ],
        }),
      );
    },
  ),
];
