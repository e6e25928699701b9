import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, listOf, listWith, matching, someText } from '../../expectations/shapes.ts';
import { openNumber, week } from '../../world/conversations.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('office');
const HOURS = { source: 'office.md: Hours', profile: 'full' } as const;
const SHAPES = { source: 'office.md: Shapes', profile: 'full' } as const;
const CHRISTMAS = { name: 'Christmas', from: '2031-12-24', to: '2031-12-26' };
const DAY_MS = 86_400_000;

/** A day as the calendar writes it. */
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const hourChecks: readonly Check[] = [
  must(1, 'A closure is made, listed, changed and deleted.', HOURS, async ({ companies }) => {
    const company = await companies.shared();
    const path = `/business_numbers/${(await company.number()).id}/closures`;
    await company.get(path).gives(200, { closures: [] });
    const made = await company.post(path, CHRISTMAS).gives(201, exactly({ id: someText, ...CHRISTMAS }));
    await company.get(path).gives(200, { closures: [made] });
    const one = `${path}/${made.id}`;
    await company.patch(one, { to: '2031-12-27' }).gives(200, { ...made, to: '2031-12-27' });
    await company.get(path).gives(200, { closures: [{ ...made, to: '2031-12-27' }] });
    await company.delete(one).givesNothing();
    await company.get(path).gives(200, { closures: [] });
    await company.delete(one).isNotFound();
  }),

  must(2, 'A closure has days that exist, the last not before the first.', HOURS, async ({ companies }) => {
    const company = await companies.shared();
    const path = `/business_numbers/${(await company.number()).id}/closures`;
    await company.post(path, { ...CHRISTMAS, to: CHRISTMAS.from }).gives(201);
    await company.post(path, { ...CHRISTMAS, to: '2031-12-23' }).isRefused(422);
    for (const field of ['from', 'to'])
      for (const day of ['2031-02-30', 'tomorrow', 20311224, undefined])
        await company.post(path, { ...CHRISTMAS, [field]: day }).isRefused(422, { field });
  }),

  must(3, "Closures of another company's number behave as unknown.", HOURS, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const path = `/business_numbers/${(await company.number()).id}/closures`;
    const { id } = await company.post(path, CHRISTMAS).gives(201);
    await another.get(path).isNotFound();
    await another.post(path, CHRISTMAS).isNotFound();
    await another.patch(`${path}/${id}`, { name: 'Mine' }).isNotFound();
    await another.delete(`${path}/${id}`).isNotFound();
    await company.patch(`${path}/cls_${freshWord()}`, { name: 'Mine' }).isNotFound();
    await company.get(path).gives(200, { closures: [{ id, ...CHRISTMAS }] });
  }),

  must(4, 'On the day of a closure the number is closed.', HOURS, async ({ companies, sandbox, clock }) => {
    const company = await companies.shared();
    const { id, number } = await openNumber(company, {
      incoming_call_config: { type: 'RejectConfig', message: 'Open.' },
    });
    const outside = { type: 'RejectConfig', message: 'On holiday.', business_hours: week(true) };
    await company.put(`/business_numbers/${id}/outside_business_hours_config`, outside).gives(200);
    // Whatever day it is in the time zone of the number.
    const now = (await clock.now()).getTime();
    const closure = { name: 'Moving', from: dayOf(now - DAY_MS), to: dayOf(now + DAY_MS) };
    const made = await company.post(`/business_numbers/${id}/closures`, closure).gives(201);
    const explained = await company.get(`/business_numbers/${id}/route_explanation`);
    expect(explained.status, 200, 'the status of the explanation');
    expectThat(explained.text.includes('Moving'), `the explanation does not name the closure: ${explained.text}`);
    const customer = await sandbox.call(freshPhone(), number);
    await customer.hears('speech', 'On holiday.');
    await customer.is('ended');
    await company.delete(`/business_numbers/${id}/closures/${made.id}`).givesNothing();
    const second = await sandbox.call(freshPhone(), number);
    await second.hears('speech', 'Open.');
  }),

  must(5, 'Public holidays are proposed, and none is added.', HOURS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const holiday = { date: matching(/^2031-\d\d-\d\d/), name: someText };
    const { holidays } = await company.get('/holidays?country=DK&year=2031').gives(200, { holidays: listOf(holiday) });
    expect(holidays, listWith({ date: matching(/^2031-12-25/) }), 'the holidays');
    await company.get('/holidays?country=XX&year=2031').isRefused(422);
    await company.get('/holidays?country=DK&year=soon').isRefused(422, { field: 'year' });
    await company.get(`/business_numbers/${id}/closures`).gives(200, { closures: [] });
  }),

  must(6, 'Business hours have breaks, none by default.', HOURS, async ({ companies }) => {
    const company = await companies.shared();
    const { id, business_hours: hours } = await company.number();
    expect(hours, listOf({ breaks: [] }), 'the business hours of a new number');
    const path = `/business_numbers/${id}/outside_business_hours_config`;
    const lunch = [{ from: '12:00', to: '12:30' }];
    const monday = { day_of_week: 0, open: true, opening_at: '09:00', closing_at: '17:00', breaks: lunch };
    const { business_hours: changed } = await company.put(path, { type: null, business_hours: [monday] }).gives(200);
    expect(changed[0], monday, 'Monday');
    expect(changed[1], { breaks: [] }, 'Tuesday');
    const { business_hours: read } = await company.get(`/business_numbers/${id}`).gives(200);
    expect(read[0].breaks, lunch, 'the breaks of Monday');
  }),

  must(
    7,
    'Breaks are inside of the opening time, apart from each other, and four at most.',
    HOURS,
    async ({ companies }) => {
      const company = await companies.shared();
      const { id } = await company.number();
      const path = `/business_numbers/${id}/outside_business_hours_config`;
      const save = (...breaks: (readonly [string, string])[]) => {
        const entry = { day_of_week: 0, open: true, opening_at: '09:00', closing_at: '17:00' };
        const list = breaks.map(([from, to]) => ({ from, to }));
        return company.put(path, { type: null, business_hours: [{ ...entry, breaks: list }] });
      };
      await save(['08:30', '09:30']).isRefused(422);
      await save(['16:30', '17:30']).isRefused(422);
      await save(['12:00', '13:00'], ['12:30', '13:30']).isRefused(422);
      await save(['13:00', '12:00']).isRefused(422);
      const four = [
        ['09:30', '09:40'],
        ['10:30', '10:40'],
        ['12:00', '12:30'],
        ['15:00', '15:15'],
      ] as const;
      await save(...four, ['16:00', '16:15']).isRefused(422);
      await save(...four).gives(200);
    },
  ),

  must(8, 'The settings of a number are in it, and can be changed.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id, ...number } = await company.number();
    expect(number, { ring_strategy: 'all' }, 'a new number');
    const path = `/business_numbers/${id}`;
    const settings = {
      announce_position: true,
      callback_offer: true,
      ring_strategy: 'longest_idle',
      recording_announcement: 'This call is recorded.',
    };
    await company.patch(path, settings).gives(200, settings);
    await company.get(path).gives(200, settings);
    await company
      .patch(path, { ring_strategy: 'in_order', recording_announcement: null })
      .gives(200, { recording_announcement: null });
    await company.patch(path, { ring_strategy: 'loudest' }).isRefused(422, { field: 'ring_strategy' });
    await company.patch(path, { announce_position: 'yes' }).isRefused(422, { field: 'announce_position' });
  }),

  must(9, 'Employees and companies have the settings of an office, off by default.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.hire();
    const path = `/employees/${id}`;
    await company.get(path).gives(200, { call_waiting: false, forward_to: null });
    const forwardTo = freshPhone();
    await company
      .patch(path, { call_waiting: true, forward_to: forwardTo })
      .gives(200, { call_waiting: true, forward_to: forwardTo });
    await company.get(path).gives(200, { call_waiting: true, forward_to: forwardTo });
    await company.get('/company').gives(200, { supervision_enabled: false });
  }),

  must(10, 'Notifications are off by default, and each can be switched on.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    const path = `/employees/${employee.id}/notifications`;
    const off = { email: false, push: false };
    const none = { missed_call: off, voicemail: off, text: off, assigned: off };
    await employee.get(path).gives(200, none);
    const some = { ...none, voicemail: { email: true, push: false }, assigned: { email: false, push: true } };
    await employee.put(path, some).gives(200, some);
    await employee.get(path).gives(200, some);
  }),
];
