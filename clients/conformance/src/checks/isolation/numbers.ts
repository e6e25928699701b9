import { exactly } from '../../expectations/shapes.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { areNotFound, two } from './foreign.ts';

const { must } = checksOf('isolation');
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Resources', profile: 'full' } as const;
const OFFICE = { source: 'office.md: Hours', profile: 'full' } as const;
const INBOX = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;

const REJECT = { type: 'RejectConfig', message: 'Mine now.' };

export const numberChecks: readonly Check[] = [
  must(1, "Another company's business number can be neither read nor changed.", STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const { id } = await company.number();
    const path = `/business_numbers/${id}`;
    const before = await company.get(path).gives(200);
    await areNotFound(stranger, id, [
      ['GET', '/business_numbers/:id'],
      ['PATCH', '/business_numbers/:id', { name: 'Mine' }],
      ['PUT', '/business_numbers/:id/incoming_call_config', REJECT],
      ['PUT', '/business_numbers/:id/outside_business_hours_config', REJECT],
      ['PUT', '/business_numbers/:id/no_answer_config', { ...REJECT, timeout_secs: 30 }],
      ['GET', '/business_numbers/:id/texting_settings'],
      ['PATCH', '/business_numbers/:id/texting_settings', { auto_reply_cooldown_minutes: 60 }],
    ]);
    await company.get(path).gives(200, exactly(before));
    await company.get(`${path}/texting_settings`).gives(200, { auto_reply_cooldown_minutes: 1440 });
  }),

  must(2, "Nobody texts from another company's number.", STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const [{ id }, to] = [await company.number(), freshPhone()];
    await stranger
      .post(`/business_numbers/${id}/messages`, { to, text: 'Hello', idempotency_key: freshWord() })
      .isNotFound();
    await company.get(`/inbox/${encodeURIComponent(to)}/activity`).gives(200, { items: [] });
    await stranger.get(`/inbox/${encodeURIComponent(to)}/activity`).gives(200, { items: [] });
  }),

  must(3, "No preview is made with another company's number, and no route explained.", STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const { id } = await company.number();
    await areNotFound(stranger, id, [
      ['POST', '/business_numbers/:id/voice_previews', { kind: 'greeting', text: 'Hello' }],
      ['GET', '/business_numbers/:id/route_explanation'],
    ]);
  }),

  must(4, "Another company's closures can be neither read nor changed.", OFFICE, async (context) => {
    const [company, stranger] = await two(context);
    const [mine, foreign] = [await stranger.number(), await company.number()];
    const path = `/business_numbers/${foreign.id}/closures`;
    const closure = { name: 'Christmas', from: '2099-12-24', to: '2099-12-26' };
    const { id } = await company.post(path, closure).gives(201);
    await stranger.get(path).isNotFound();
    await stranger.post(path, closure).isNotFound();
    // With the number of one's own too.
    for (const number of [foreign.id, mine.id]) {
      await stranger.patch(`/business_numbers/${number}/closures/${id}`, { name: 'Mine' }).isNotFound();
      await stranger.delete(`/business_numbers/${number}/closures/${id}`).isNotFound();
    }
    await company.get(path).gives(200, { closures: [{ id, ...closure }] });
  }),

  must(5, "A routing cannot name another company's employees.", DECIDED, async (context) => {
    const [company, stranger] = await two(context);
    const { id } = await stranger.number();
    const ids = [stranger.owner.id, company.owner.id];
    const option = { digit: '1', action_type: 'TransferConfig', employee_ids: ids };
    const before = await stranger.get(`/business_numbers/${id}`).gives(200);
    for (const slot of ['incoming_call_config', 'outside_business_hours_config', 'no_answer_config']) {
      const path = `/business_numbers/${id}/${slot}`;
      await stranger
        .put(path, { type: 'TransferConfig', employee_ids: ids })
        .isRefused(422, { code: 'validation_failed' });
      await stranger
        .put(path, { type: 'PhoneMenuConfig', welcome: 'Hello', menu_options: [option] })
        .isRefused(422, { code: 'validation_failed' });
    }
    await stranger.get(`/business_numbers/${id}`).gives(200, exactly(before));
  }),

  must(6, "The inbox cannot be filtered by another company's number.", INBOX, async (context) => {
    const [company, stranger] = await two(context);
    const [{ id }, phone] = [await company.number(), encodeURIComponent(freshPhone())];
    await stranger.get(`/inbox?business_number_id=${id}`).isNotFound();
    await stranger.get(`/inbox/${phone}/activity?business_number_id=${id}`).isNotFound();
    await stranger
      .post(`/inbox/${phone}/seen`, { through: '2020-01-01T00:00:00.000000Z', business_number_id: id })
      .isNotFound();
  }),
];
