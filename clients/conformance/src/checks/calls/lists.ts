import { expect } from '../../expectations/expect.ts';
import { listOf } from '../../expectations/shapes.ts';
import { endedCall } from '../../world/conversations.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { CALL, rejectedCalls } from './call.ts';

const { must } = checksOf('calls');
const ENDPOINTS = { source: 'service-api.md: Calls', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

const idsOf = ({ calls }: { calls: { id: string }[] }): string[] => calls.map(({ id }) => id);

export const listChecks: readonly Check[] = [
  must(50, 'The list of calls has whole calls, the newest first.', ENDPOINTS, async (context) => {
    const { company, calls, number } = await rejectedCalls(context, 12);
    const listed = await company.get(`/calls?main_number_id=${number.id}&limit=12`).gives(200, { calls: listOf(CALL) });
    expect(idsOf(listed), calls.map(({ id }) => id).toReversed(), 'the calls, the last one first');
  }),

  must(51, 'The list of calls has ten of them, unless another limit is given.', ENDPOINTS, async (context) => {
    const { company, number } = await rejectedCalls(context, 12);
    const path = `/calls?main_number_id=${number.id}`;
    const counts = [];
    for (const limit of ['', '&limit=3', '&limit=50'])
      counts.push(idsOf(await company.get(path + limit).gives(200)).length);
    expect(counts, [10, 3, 12], 'how many calls are listed by default, with 3, and with 50');
  }),

  must(52, 'A limit that is out of range is moved to the nearest one.', DECIDED, async (context) => {
    const { company, number } = await rejectedCalls(context, 12);
    const path = `/calls?main_number_id=${number.id}`;
    expect(idsOf(await company.get(`${path}&limit=0`).gives(200)).length, 1, 'how many calls a limit of 0 gives');
    expect(idsOf(await company.get(`${path}&limit=-5`).gives(200)).length, 1, 'how many calls a limit of -5 gives');
    expect(idsOf(await company.get(`${path}&limit=1000`).gives(200)).length, 12, 'how many a limit of 1000 gives');
  }),

  must(53, 'Calls are found by the number of the other side.', ENDPOINTS, async (context) => {
    const { company, calls } = await rejectedCalls(context, 12);
    const { id, from } = calls[4]!;
    for (const phone of [from, from.slice(3), `${from.slice(0, 3)} ${from.slice(3, 7)} ${from.slice(7)}`])
      expect(
        idsOf(await company.get(`/calls?phone_number=${encodeURIComponent(phone)}`).gives(200)),
        [id],
        `the calls of ${phone}`,
      );
    await company.get(`/calls?phone_number=${encodeURIComponent(freshPhone())}`).gives(200, { calls: [] });
  }),

  must(54, 'Calls are found by their direction.', ENDPOINTS, async (context) => {
    const { company, number } = await rejectedCalls(context, 12);
    const path = `/calls?main_number_id=${number.id}&limit=50`;
    expect(idsOf(await company.get(`${path}&direction=inbound`).gives(200)).length, 12, 'how many inbound calls');
    await company.get(`${path}&direction=outbound`).gives(200, { calls: [] });
  }),

  must(55, 'A direction that does not exist is refused.', DECIDED, async (context) => {
    const company = await context.companies.shared();
    await company.get('/calls?direction=sideways').isRefused(422, { field: 'direction' });
  }),

  must(
    56,
    'Calls are found by their state, and a state that does not exist is ignored.',
    ENDPOINTS,
    async (context) => {
      const { company, number } = await rejectedCalls(context, 12);
      const path = `/calls?main_number_id=${number.id}&limit=50`;
      expect(idsOf(await company.get(`${path}&state=ended`).gives(200)).length, 12, 'how many ended calls');
      await company.get(`${path}&state=queued`).gives(200, { calls: [] });
      expect(idsOf(await company.get(`${path}&state=dreaming`).gives(200)).length, 12, 'how many calls of any state');
    },
  ),

  must(57, 'The filters of calls combine.', ENDPOINTS, async (context) => {
    const { company, number, calls } = await rejectedCalls(context, 12);
    const { call } = await endedCall(context);
    const phone = `phone_number=${encodeURIComponent(calls[0]!.from)}`;
    const found = await company.get(`/calls?main_number_id=${number.id}&${phone}&state=ended`).gives(200);
    expect(idsOf(found), [calls[0]!.id], 'the calls of one customer to one number');
    await company.get(`/calls?main_number_id=${call.main_number_id}&${phone}`).gives(200, { calls: [] });
  }),

  must(58, 'A search does not find calls without a transcription.', ENDPOINTS, async (context) => {
    const { company, number } = await rejectedCalls(context, 12);
    await company.get(`/calls?main_number_id=${number.id}&query=closed`).gives(200, { calls: [] });
  }),

  must(
    59,
    "Another company's calls are not in the list.",
    { ...ENDPOINTS, source: 'service-api.md: What the service does' },
    async (context) => {
      const { calls } = await rejectedCalls(context, 12);
      const another = await context.companies.another();
      const phone = encodeURIComponent(calls[0]!.from);
      await another.get(`/calls?phone_number=${phone}`).gives(200, { calls: [] });
      const listed = idsOf(await another.get('/calls?limit=50').gives(200));
      expect(
        calls.some(({ id }) => listed.includes(id)),
        false,
        'whether a foreign call is listed',
      );
    },
  ),
];
