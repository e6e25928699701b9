import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, integer, listOf, nullable, oneOf, someText, timestamp } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { openNumber } from '../open-number.ts';

const { must } = checksOf('privacy');
const ERASE = { source: 'people.md: Privacy', profile: 'full' } as const;
const SHAPES = { source: 'people.md: Shapes', profile: 'full' } as const;
const TEXTING = { messaging: true };

/** Services do their parts one after the other, beside what else they do. */
const DONE_WITHIN = { withinMs: 60_000 };
const STATE = oneOf('running', 'done');
const ERASURE = {
  id: someText,
  state: STATE,
  parts: listOf({ name: someText, state: someText, removed: integer }),
  requested_at: timestamp,
  done_at: nullable(timestamp),
  log_expires_at: timestamp,
};

/** Asks for an erasure and waits for its end. */
export async function erase(company: Company, phone: string): Promise<any> {
  const { id } = await company.post('/privacy/erasures', { phone_number: phone }).gives(202, { id: someText });
  return await eventually(
    'the erasure is done',
    () => company.get(`/privacy/erasures/${id}`).gives(200, { ...ERASURE, id, state: 'done', done_at: timestamp }),
    DONE_WITHIN,
  );
}

const removedBy = ({ parts }: { parts: readonly { removed: number }[] }) =>
  parts.reduce((sum, { removed }) => sum + removed, 0);

export const erasureChecks: readonly Check[] = [
  must(20, 'An erasure is answered with 202 and what it will do.', ERASE, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await company
      .post('/privacy/erasures', { phone_number: phone })
      .gives(202, { ...ERASURE, phone_number: oneOf(phone, null) });
  }),

  must(21, 'A finished erasure says what was removed, and no longer whose.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await company.post('/contacts', { phone, name: 'Ane' }).gives(201);
    const done = await erase(company, phone);
    expectThat(removedBy(done) >= 1, `nothing was removed: ${JSON.stringify(done)}`);
    expectThat(!JSON.stringify(done).includes(phone.slice(1)), 'the finished erasure shows the number');
  }),

  must(
    22,
    'An erasure removes contact, texts and thread, and makes calls anonymous.',
    ERASE,
    async ({ companies, sandbox }) => {
      const company = await companies.shared(TEXTING);
      const [phone, words] = [freshPhone(), freshWord()];
      const { id: contactId } = await company.post('/contacts', { phone, name: words }).gives(201);
      const number = await openNumber(company, { type: 'RejectConfig', message: 'We have moved.' });
      const leg = await sandbox.call(phone, number.number);
      const callId = await leg.callId();
      await leg.hangUp();
      await sandbox.text(phone, number.number, `Hello ${words}`);
      const path = `/inbox/${encodeURIComponent(phone)}/activity`;
      const { items } = await eventually('call and text are there', async () => {
        const activity = await company.get(path).gives(200);
        expect(activity.items.length, 2, 'the number of items');
        return activity;
      });
      const { id: textId } = items.find(({ type }: { type: string }) => type === 'message');
      await eventually('the call has ended', () =>
        company.get(`/calls/${callId}`).gives(200, { state: 'ended', from: phone }),
      );
      await erase(company, phone);
      await company.get(`/contacts/${contactId}`).isNotFound();
      await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, []);
      await company.get(`/messages/${textId}`).isNotFound();
      await company.get(path).gives(200, { contact: null, items: [] });
      await company.get(`/inbox?query=${encodeURIComponent(phone)}`).gives(200, { threads: [] });
      const call = await company.get(`/calls/${callId}`).gives(200, { from: 'erased' });
      for (const answer of [call, await company.get('/calls').gives(200), await company.get('/inbox').gives(200)])
        for (const trace of [phone.slice(1), words])
          expectThat(!JSON.stringify(answer).includes(trace), `${trace} is still in ${JSON.stringify(answer)}`);
    },
  ),

  must(23, 'An erasure concerns one number of one company.', ERASE, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const [phone, other] = [freshPhone(), freshPhone()];
    await company.post('/contacts', { phone }).gives(201);
    const kept = await company.post('/contacts', { phone: other, name: 'Other' }).gives(201);
    const foreign = await another.post('/contacts', { phone, name: 'Foreign' }).gives(201);
    await erase(company, phone);
    await company.get(`/contacts/${kept.id}`).gives(200, exactly(kept));
    await another.get(`/contacts/${foreign.id}`).gives(200, exactly(foreign));
  }),

  must(24, 'A repeated erasure is a new one that removes nothing.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await company.post('/contacts', { phone }).gives(201);
    const [first, second] = [await erase(company, phone), await erase(company, phone)];
    expectThat(first.id !== second.id, 'the second erasure has the id of the first');
    expect(removedBy(second), 0, 'what the second erasure removed');
  }),

  must(25, 'Who comes back after an erasure is new.', ERASE, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone, name: 'Before', note: 'Old' }).gives(201);
    await erase(company, phone);
    const later = await company.post('/contacts', { phone }).gives(201, { phone });
    expectThat(later.id !== id, 'the new contact has the id of the erased one');
    expectThat(!JSON.stringify(later).includes('Before'), 'the new contact has the name of the erased one');
    await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, [{ id: later.id }]);
  }),

  must(26, 'What is no phone number cannot be erased.', ERASE, async ({ companies }) => {
    const company = await companies.shared();
    for (const value of [undefined, null, '', 'everybody', 17, { $ne: null }])
      await company.post('/privacy/erasures', { phone_number: value }).isRefused(422, { field: 'phone_number' });
  }),

  must(27, 'Unknown erasures and exports are answered with 404.', ERASE, async ({ companies }) => {
    const company = await companies.shared();
    for (const kind of ['erasures', 'exports']) await company.get(`/privacy/${kind}/x_${freshWord()}`).isNotFound();
  }),
];
