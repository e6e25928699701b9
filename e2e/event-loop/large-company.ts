import { waitUntil } from '@parley/testkit/wait-until';
import { startTexting, type Texting } from '../messages/texting.ts';
import { type Reply, succeeded } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';

export const CSV = { 'Content-Type': 'text/csv' };
/** Divided into words by a dictionary. */
export const CHINESE = '今天我们想订购十二辆红色自行车，请尽快送到公司地址。'.repeat(500).slice(0, 9_990);
const [CONTACTS, NOTES, TEXTS, EMPLOYEES, COMMENTS, ENTRIES] = [1_000, 50, 30, 20, 20, 60];

/** A company with as much of everything as a test has time for. */
export interface LargeCompany extends Texting {
  readonly contactId: string;
  /** Whose thread has long texts and comments. */
  readonly phone: string;
  readonly employeeIds: readonly string[];
  readonly webhookId: string;
  readonly closureId: string;
  readonly snippetId: string;
  readonly messageId: string;
  readonly assistantId: string;
  readonly entryId: string;
  /** Imports a file, and waits for its end. */
  importFile(file: string): Promise<Reply>;
}

export async function createLargeCompany(stack: LocalJson): Promise<LargeCompany> {
  const texting = await startTexting(stack);
  const { company, number, receive } = texting;
  const create = async (path: string, body: object) => (await succeeded(company.call('POST', path, body))).body;
  async function importFile(file: string): Promise<Reply> {
    const { body } = await succeeded(company.call('POST', '/contacts/imports', file, CSV));
    return waitUntil(
      async () => {
        const reply = await succeeded(company.call('GET', `/contacts/imports/${body.id}`));
        return reply.body.state === 'done' && reply;
      },
      { what: 'the end of the import', timeoutMs: 120_000 },
    );
  }
  const phone = texting.customer();
  const lines = Array.from({ length: CONTACTS }, (_, index) => `+45203${String(index).padStart(5, '0')},Ane ${index},`);
  const notes = Array.from({ length: NOTES }, (_, index) => `+45204${String(index).padStart(5, '0')},Bo,${CHINESE}`);
  await importFile(['phone,name,note', ...lines, ...notes].join('\n'));
  for (let index = 0; index < TEXTS; index++) await receive({ from: phone, text: `${CHINESE} ${index}` });
  const encoded = encodeURIComponent(phone);
  for (let index = 0; index < COMMENTS; index++)
    await create(`/inbox/${encoded}/comments`, { text: '@Ane '.repeat(1_000) });
  const employeeIds: string[] = [company.owner.id];
  for (let index = 0; index < EMPLOYEES; index++) {
    const email = `large.${index}.${Math.random().toString(36).slice(2)}@example.com`;
    employeeIds.push((await create('/employees', { name: `Employee ${index}`, email })).id);
  }
  const found = await waitUntil(
    async () => {
      const { body } = await company.call('GET', `/messages?query=${encodeURIComponent('自行车')}&limit=100`);
      return body.messages.length > 0 && body.messages[0];
    },
    { what: 'the texts in the search', timeoutMs: 120_000 },
  );
  const words = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => `w${(from + index).toString(36)}`).join(' ');
  const entries: string[] = [];
  for (let index = 0; index < ENTRIES; index++) {
    const questions = Array.from({ length: 20 }, (_, at) => words(60, 1_000 * index + 60 * at).slice(0, 200));
    entries.push(
      (await create('/knowledge_entries', { title: words(30, index), answer: CHINESE.slice(0, 600), questions })).id,
    );
  }
  const target = { name: 'x'.repeat(64), aliases: Array(10).fill('x'.repeat(64)), employee_ids: employeeIds };
  const assistant = { name: 'Robin', greeting: CHINESE.slice(0, 500), instructions: CHINESE.slice(0, 4_000) };
  const closure = { name: 'x'.repeat(128), from: '2027-01-01', to: '2027-01-02' };
  return {
    ...texting,
    phone,
    employeeIds,
    importFile,
    contactId: (await create('/contacts', { phone: '+4520999999' })).id,
    webhookId: (
      await create('/webhooks', { name: 'x', url: `${stack.sandbox_url}/hooks/large`, events: ['contact.created'] })
    ).id,
    closureId: (await create(`/business_numbers/${number.id}/closures`, closure)).id,
    snippetId: (await create('/text_snippets', { title: 'x', text: CHINESE })).id,
    messageId: found.id,
    assistantId: (await create('/assistants', { ...assistant, transfer_targets: Array(50).fill(target) })).id,
    entryId: entries[0]!,
  };
}
