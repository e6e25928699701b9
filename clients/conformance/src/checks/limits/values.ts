import { expectThat } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('limits');
const API = { source: 'service-api.md: Limits', profile: 'api' } as const;
const LIMITS = { source: 'service-api.md: Limits', profile: 'full' } as const;
const TEXTING = { messaging: true };

const CALLS_MAX = 50;
const THREADS_MAX = 100;
const TIMEOUTS_SECS = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600];

export const valueChecks: readonly Check[] = [
  must(1, 'The limit of the list of calls is kept between 1 and 50.', API, async ({ companies }) => {
    const company = await companies.shared();
    for (const limit of [0, -1, 1, 50, 51, 1_000_000]) {
      const { calls } = await company.get(`/calls?limit=${limit}`).gives(200);
      expectThat(calls.length <= Math.min(Math.max(limit, 1), CALLS_MAX), `limit=${limit} gives ${calls.length} calls`);
    }
  }),

  must(2, 'The limit of the inbox is kept between 1 and 100.', API, async ({ companies }) => {
    const company = await companies.shared();
    for (const limit of [0, -1, 1, 100, 101, 1_000_000]) {
      const { threads } = await company.get(`/inbox?limit=${limit}`).gives(200);
      const most = Math.min(Math.max(limit, 1), THREADS_MAX);
      expectThat(threads.length <= most, `limit=${limit} gives ${threads.length} threads`);
    }
  }),

  must(3, 'The inbox is searched for at most 128 characters.', API, async ({ companies }) => {
    const company = await companies.shared();
    await company.get(`/inbox?query=${'q'.repeat(128)}`).gives(200, { threads: [] });
    await company.get(`/inbox?query=${'q'.repeat(129)}`).isRefused(422);
  }),

  must(
    4,
    'A business number has a name of at most 128 characters of the ones allowed.',
    LIMITS,
    async ({ companies }) => {
      const company = await companies.shared();
      const path = `/business_numbers/${(await company.number()).id}`;
      for (const name of ['n'.repeat(128), 'Main line-2_~!.+'])
        await company.patch(path, { name }).gives(200, { name });
      for (const name of ['n'.repeat(129), 'Kø', 'A/B', 'A&B', 'Café', 'line\n2', '🙂'])
        await company.patch(path, { name }).isRefused(422, { field: 'name' });
    },
  ),

  must(5, 'The no-answer timeout is one of nine values.', LIMITS, async ({ companies }) => {
    const company = await companies.shared();
    const number = await company.number();
    const path = `/business_numbers/${number.id}/no_answer_config`;
    const put = (timeout: unknown) =>
      company.put(path, { type: 'RejectConfig', message: 'Nobody is here.', timeout_secs: timeout });
    for (const timeout of TIMEOUTS_SECS) await put(timeout).gives(200, { no_answer_timeout_secs: timeout });
    for (const timeout of [1, 14, 31, 45, 299, 3601, 7200, -15, 15.5, 'soon'])
      await put(timeout).isRefused(422, { field: 'timeout_secs' });
    await company.get(`/business_numbers/${number.id}`).gives(200, { no_answer_timeout_secs: TIMEOUTS_SECS.at(-1) });
  }),

  must(6, 'A menu has at least one option, of the digits 1 to 9.', LIMITS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const put = (digits: readonly unknown[]) =>
      company.put(`/business_numbers/${id}/incoming_call_config`, {
        type: 'PhoneMenuConfig',
        welcome: 'Press a key',
        menu_options: digits.map((digit) => ({ digit, action_type: 'PlayMessageConfig', prompt: 'Hello' })),
      });
    await put(['1', '2', '3', '4', '5', '6', '7', '8', '9']).gives(200);
    await put([]).isRefused(422, { field: 'menu_options' });
    for (const digit of ['0', '10', '*', '#', 'a', '', null])
      await put([digit]).isRefused(422, { field: 'menu_options[0].digit' });
    await put(['3', '4', '3']).isRefused(422, { field: 'menu_options[2].digit' });
  }),

  must(
    7,
    'An auto-reply has at most 10,000 characters and a cooldown of 60 to 43,200 minutes.',
    LIMITS,
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const path = `/business_numbers/${(await company.number()).id}/texting_settings`;
      const off = { auto_reply_enabled: false, auto_reply_text: null, auto_reply_cooldown_minutes: 1440 };
      await company.get(path).gives(200, exactly(off));
      for (const minutes of [60, 43_200])
        await company
          .patch(path, { auto_reply_cooldown_minutes: minutes })
          .gives(200, { auto_reply_cooldown_minutes: minutes });
      for (const minutes of [0, 59, 43_201, 60.5])
        await company
          .patch(path, { auto_reply_cooldown_minutes: minutes })
          .isRefused(422, { field: 'auto_reply_cooldown_minutes' });
      const text = 't'.repeat(10_000);
      await company.patch(path, { auto_reply_text: text }).gives(200, { auto_reply_text: text });
      await company.patch(path, { auto_reply_text: `${text}t` }).isRefused(422, { field: 'auto_reply_text' });
    },
  ),

  must(8, 'An idempotency key has 1 to 128 characters.', LIMITS, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const path = `/business_numbers/${(await company.number()).id}/messages`;
    const text = { to: freshPhone(), text: 'Hello' };
    for (const key of ['k', 'k'.repeat(128)]) await company.post(path, { ...text, idempotency_key: key }).gives(201);
    for (const key of ['', 'k'.repeat(129), null, undefined])
      await company.post(path, { ...text, idempotency_key: key }).isRefused(409);
  }),

  must(9, 'A schedule has seven days, and `24:00` only as its end.', LIMITS, async ({ companies }) => {
    const company = await companies.shared();
    const number = await company.number();
    expectThat(number.business_hours?.length === 7, `a number has ${number.business_hours?.length} days`);
    const path = `/business_numbers/${number.id}/outside_business_hours_config`;
    const put = (...entries: readonly object[]) => company.put(path, { type: null, business_hours: entries });
    const day = { day_of_week: 0, open: true, opening_at: '08:00', closing_at: '24:00' };
    const { business_hours: hours } = await put(day).gives(200);
    expectThat(hours.length === 7, `there are ${hours.length} days after a change of one`);
    await put({ ...day, opening_at: '24:00' }).isRefused(422);
    await put({ ...day, day_of_week: 7 }).isRefused(422);
    await put({ ...day, closing_at: '24:01' }).isRefused(422);
    await put(day, day).isRefused(422);
  }),
];
