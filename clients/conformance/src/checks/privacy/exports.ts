import { inflateRawSync } from 'node:zlib';
import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { someText, timestamp } from '../../expectations/shapes.ts';
import { ApiClient } from '../../http/api-client.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { erase } from './erasures.ts';

const { must } = checksOf('privacy');
const EXPORT = { source: 'people.md: Privacy', profile: 'full' } as const;
const SHAPES = { source: 'people.md: Shapes', profile: 'full' } as const;

const HOUR_SECS = 3600;
const END_SIGNATURE = 0x06054b50;
const DEFLATED = 8;

/** Asks for an export and waits for its address. */
async function exportOf(company: Company, phone: string): Promise<{ id: string; url: string }> {
  const { id } = await company
    .post('/privacy/exports', { phone_number: phone })
    .gives(202, { id: someText, requested_at: timestamp });
  return await eventually('the export is done', () =>
    company.get(`/privacy/exports/${id}`).gives(200, { id, url: someText }),
  );
}

/** Opens a signed address without a credential. */
function fetchSigned({ network }: Context, url: string) {
  const { origin, pathname, search } = new URL(url);
  return new ApiClient(network, origin, '').get(pathname + search);
}

/** The content of the files of a zip archive, one after the other. */
function contentOf(zip: Buffer): string {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  expectThat(end >= 0 && zip.readUInt32LE(end) === END_SIGNATURE, 'the archive is no zip');
  let at = zip.readUInt32LE(end + 16);
  let content = '';
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [method, size, local] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + size);
    content += (method === DEFLATED ? inflateRawSync(bytes) : bytes).toString('utf8');
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return content;
}

export const exportChecks: readonly Check[] = [
  must(
    40,
    'An export is a zip archive with what is known about the person, and nothing of others.',
    SHAPES,
    async (context) => {
      const company = await context.companies.shared({ messaging: true });
      const [phone, other, words] = [freshPhone(), freshPhone(), freshWord()];
      await company.post('/contacts', { phone, name: `Ane ${words}`, note: `note${words}` }).gives(201);
      await company.post('/contacts', { phone: other, name: `other${words}` }).gives(201);
      const { number } = await company.number();
      await context.sandbox.text(phone, number, `hello${words}`);
      await context.sandbox.text(other, number, `foreign${words}`);
      await eventually('the text is there', () =>
        company.get(`/inbox/${encodeURIComponent(phone)}/activity`).gives(200, { items: [{ text: `hello${words}` }] }),
      );
      const { url } = await exportOf(company, phone);
      const { status, bytes } = await fetchSigned(context, url);
      expect(status, 200, 'the status of the archive');
      const content = contentOf(Buffer.from(bytes));
      for (const known of [phone.slice(1), `Ane ${words}`, `note${words}`, `hello${words}`])
        expectThat(content.includes(known), `the archive has no ${known}`);
      for (const foreign of [other.slice(1), `other${words}`, `foreign${words}`])
        expectThat(!content.includes(foreign), `the archive has ${foreign}`);
    },
  ),

  must(41, 'The address of an export is signed.', EXPORT, async (context) => {
    const company = await context.companies.shared();
    const { url } = await exportOf(company, freshPhone());
    const address = new URL(url);
    expectThat(address.searchParams.size > 0, 'the address has no signature');
    await fetchSigned(context, url).gives(200);
    const unsigned = new URL(address.pathname, address);
    const changed = new URL(address);
    for (const [name, value] of address.searchParams)
      changed.searchParams.set(name, value.slice(0, -2) + (value.endsWith('11') ? '22' : '11'));
    for (const wrong of [unsigned, changed]) {
      const { status } = await fetchSigned(context, wrong.href);
      expectThat([400, 401, 403, 404, 410].includes(status), `${wrong} was answered with ${status}`);
    }
  }),

  must(42, 'The address of an export lasts an hour.', { ...EXPORT, alone: true }, async (context) => {
    const company = await context.companies.shared();
    const { url } = await exportOf(company, freshPhone());
    await context.clock.advance(HOUR_SECS - 120);
    await fetchSigned(context, url).gives(200);
    await context.clock.advance(240);
    const { status } = await fetchSigned(context, url);
    expectThat([400, 401, 403, 404, 410].includes(status), `it was answered with ${status} after an hour`);
  }),

  must(43, 'An erasure takes earlier exports of the person with it.', SHAPES, async (context) => {
    const company = await context.companies.shared();
    const phone = freshPhone();
    await company.post('/contacts', { phone }).gives(201);
    const { url } = await exportOf(company, phone);
    await erase(company, phone);
    const { status } = await fetchSigned(context, url);
    expectThat([401, 403, 404, 410].includes(status), `the archive was answered with ${status}`);
  }),

  must(44, 'What is no phone number cannot be exported.', EXPORT, async ({ companies }) => {
    const company = await companies.shared();
    for (const value of [undefined, null, '', 'everybody', 17, { $ne: null }])
      await company.post('/privacy/exports', { phone_number: value }).isRefused(422, { field: 'phone_number' });
  }),
];
