import { freshPhone } from '../../world/random.ts';
import { hasAudio } from '../call-flows/flow.ts';
import { type Check, checksOf } from '../check.ts';
import { everyDay, numberOf } from './hours.ts';

const { must } = checksOf('business-hours');
const ROUTING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const FIELDS = { source: 'service-api.md: Business number', profile: 'full' } as const;

const CLOSED = everyDay({ open: false });
const OPEN = everyDay({ open: true, opening_at: '00:00', closing_at: '24:00' });
const INSIDE = { type: 'RejectConfig', message: 'This is the open flow.' };
const OUTSIDE = { type: 'RejectConfig', message: 'This is the closed flow.' };

export const runningChecks: readonly Check[] = [
  must(60, 'A call takes the flow of the hours that the number has.', FIELDS, async ({ companies, sandbox }) => {
    const company = await companies.shared();
    const { path, number, put } = await numberOf(company);
    await company.put(`${path}/incoming_call_config`, INSIDE).gives(200);
    for (const [hours, { message }] of [
      [CLOSED, OUTSIDE],
      [OPEN, INSIDE],
    ] as const) {
      await put(hours, OUTSIDE).gives(200);
      await hasAudio(company, path);
      const caller = await sandbox.call(freshPhone(), number);
      await caller.hears('speech', message);
    }
  }),

  must(61, 'Without a flow outside business hours, calls take that of business hours.', ROUTING, async (context) => {
    const company = await context.companies.shared();
    const { path, number, put } = await numberOf(company);
    await company.put(`${path}/incoming_call_config`, INSIDE).gives(200);
    await put(CLOSED, { type: null }).gives(200);
    await hasAudio(company, path);
    const caller = await context.sandbox.call(freshPhone(), number);
    await caller.hears('speech', INSIDE.message);
  }),

  must(
    62,
    'The hours of a business number are those of its time zone, from the opening minute up to the closing one.',
    { ...FIELDS, alone: true },
    async ({ companies, sandbox, clock }) => {
      const company = await companies.shared();
      const { path, number, put } = await numberOf(company);
      await company.put(`${path}/incoming_call_config`, INSIDE).gives(200);
      await company.patch(path, { timezone: 'Asia/Tokyo' }).gives(200);
      await put(everyDay({ open: true, opening_at: '09:00', closing_at: '17:00' }), OUTSIDE).gives(200);
      await hasAudio(company, path);
      // Tokyo has no daylight-saving time: 9 hours ahead of UTC, so it opens at 00:00 UTC and closes at 08:00 UTC.
      const moments: [minute: number, flow: typeof INSIDE][] = [
        [-2, OUTSIDE],
        [1, INSIDE],
        [8 * 60 - 2, INSIDE],
        [8 * 60 + 1, OUTSIDE],
      ];
      const midnight = Math.ceil(((await clock.now()).getTime() + 180_000) / 86_400_000) * 86_400_000;
      for (const [minute, { message }] of moments) {
        const seconds = (midnight + minute * 60_000 - (await clock.now()).getTime()) / 1000;
        await clock.advance(Math.ceil(seconds));
        const caller = await sandbox.call(freshPhone(), number);
        await caller.hears('speech', message);
      }
    },
  ),
];
