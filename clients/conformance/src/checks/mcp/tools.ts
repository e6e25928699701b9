import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, listOf, someText, text, timestamp } from '../../expectations/shapes.ts';
import { openNumber } from '../../world/conversations.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { McpClient } from './mcp.ts';

const { must } = checksOf('mcp');
const TOOLS = { source: 'mcp.md: Tools', profile: 'api' } as const;
const FULL = { source: 'mcp.md: Tools', profile: 'full' } as const;

export const toolChecks: readonly Check[] = [
  must(30, 'A tool answers with the body that REST has.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    await mcp.tool('get_company', {}, exactly(await company.get('/company').gives(200)));
    const made = await company.post('/contacts', { phone: freshPhone(), name: 'Gro' }).gives(201);
    await mcp.tool('get_contact', { id: made.id }, exactly(made));
  }),

  must(31, 'An answer has a text beside its structure.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    const result = await mcp.result('tools/call', { name: 'get_company', arguments: {} });
    expect(result.content, listOf({ type: 'text', text: someText }), 'the content');
    expectThat(result.content.length > 0, 'there is no content');
    expectThat(result.isError !== true, 'it is an error');
  }),

  must(32, 'A contact is made and changed by tools as by REST.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    const phone = freshPhone();
    const made = await mcp.tool('create_contact', { phone, name: 'Hans' }, { id: text, phone, created_at: timestamp });
    await company.get(`/contacts/${made.id}`).gives(200, exactly(made));
    await mcp.tool('update_contact', { id: made.id, name: 'Inga' }, { id: made.id, name: 'Inga', phone });
    await company.get(`/contacts/${made.id}`).gives(200, { name: 'Inga', phone });
    await company.delete(`/contacts/${made.id}`).givesNothing();
  }),

  must(33, 'A refusal of the service is an answer of the tool, with code and fields.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    await mcp.refuses('get_contact', { id: `con_${freshWord()}` }, 'not_found');
    await mcp.refuses('create_contact', { phone: 'nobody' }, 'phone');
    await mcp.refuses('create_contact', { phone: 'nobody' }, 'validation_failed');
    await mcp.refuses('create_contact', { name: 'Without a number' }, 'phone');
    await mcp.refuses('get_contact', { id: 17 }, 'id');
  }),

  must(34, 'Contacts are found by name, company, e-mail and number.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    const word = freshWord();
    const phone = freshPhone();
    const contact = { phone, name: `Name${word}`, company_name: `Firm${word}`, email: `${word}@example.com` };
    const { id } = await company.post('/contacts', contact).gives(201);
    for (const args of [{ query: contact.name }, { query: contact.company_name }, { query: contact.email }, { phone }])
      await mcp.tool('search_contacts', args, { contacts: [{ id }] });
    await mcp.tool('search_contacts', { query: freshWord() }, { contacts: [] });
    await company.delete(`/contacts/${id}`).givesNothing();
  }),

  must(35, 'A list has no more entries than asked for, and 50 at most.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    const word = freshWord();
    const made = [];
    for (let count = 0; count < 3; count++)
      made.push(await company.post('/contacts', { phone: freshPhone(), name: `Jon ${word}` }).gives(201));
    const args = { query: word, limit: 2 };
    const page = await mcp.tool('search_contacts', args, {
      contacts: [{ id: text }, { id: text }],
      next_cursor: someText,
    });
    const rest = await mcp.tool('search_contacts', { ...args, cursor: page.next_cursor }, { contacts: [{ id: text }] });
    const found = [...page.contacts, ...rest.contacts].map(({ id }) => id).toSorted();
    expect(found, made.map(({ id }) => id).toSorted(), 'the contacts of both pages');
    for (const limit of [0, 51, -1, 1.5]) await mcp.refuses('search_contacts', { query: word, limit }, 'limit');
    for (const { id } of made) await company.delete(`/contacts/${id}`).givesNothing();
  }),

  must(36, 'Who has no call is answered with none.', FULL, async ({ companies }) => {
    const employee = await (await companies.shared()).hire();
    await new McpClient(employee).tool('get_active_call', {}, exactly({ call: null }));
  }),

  must(37, "Another company's things behave as unknown ones.", FULL, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.post('/contacts', { phone: freshPhone(), name: 'Kirsten' }).gives(201);
    const mcp = new McpClient(another);
    await mcp.refuses('get_contact', { id }, 'not_found');
    await mcp.refuses('update_contact', { id, name: 'Mine' }, 'not_found');
    await mcp.refuses('get_employee', { id: company.owner.id }, 'not_found');
    await company.get(`/contacts/${id}`).gives(200, { name: 'Kirsten' });
  }),

  must(38, 'Do-not-disturb is set for oneself, unless somebody else is named.', FULL, async ({ companies }) => {
    const company = await companies.shared();
    const [member, other] = [await company.hire({ role: 'member' }), await company.hire({ role: 'member' })];
    const mcp = new McpClient(member);
    await mcp.tool('set_do_not_disturb', { enabled: true }, { id: member.id, do_not_disturb: true });
    await company.get(`/employees/${member.id}`).gives(200, { do_not_disturb: true });
    await mcp.refuses('set_do_not_disturb', { enabled: true, employee_id: other.id }, 'forbidden');
    await new McpClient(company).tool('set_do_not_disturb', { enabled: true, employee_id: other.id }, { id: other.id });
    await company.get(`/employees/${other.id}`).gives(200, { do_not_disturb: true });
  }),

  must(39, 'A text that is asked for twice with one key is sent once.', FULL, async ({ companies, sandbox }) => {
    const company = await companies.shared({ messaging: true });
    const mcp = new McpClient(company);
    const { id } = await openNumber(company);
    const to = freshPhone();
    const args = { business_number_id: id, to, text: 'We are open.', idempotency_key: freshWord() };
    const sent = await mcp.tool('send_text', args, { id: text, to, text: 'We are open.', direction: 'outbound' });
    await mcp.tool('send_text', args, { id: sent.id });
    expect((await sandbox.textsTo(to)).length, 1, 'how many texts the provider was asked to send');
    await mcp.tool('get_text', { id: sent.id }, { id: sent.id, text: 'We are open.' });
    const { idempotency_key: _, ...withoutKey } = args;
    await mcp.refuses('send_text', withoutKey, 'idempotency_key');
    const tools = await mcp.tools();
    const hints = tools.find(({ name }) => name === 'send_text').annotations;
    expect(hints, { openWorldHint: true }, 'the annotations of send_text');
  }),

  must(40, 'Lists have the names of what is in them.', TOOLS, async ({ companies }) => {
    const mcp = new McpClient(await companies.shared());
    await mcp.tool('list_employees', {}, { employees: listOf({ id: text, name: text }) });
    await mcp.tool('search_contacts', {}, { contacts: listOf({ id: text }) });
    await mcp.tool('search_calls', {}, { calls: listOf({ id: text }) });
    await mcp.tool('list_voicemails', {}, { voicemails: listOf({ id: text }) });
    await mcp.tool('list_inbox', {}, { threads: listOf({ phone_number: text }) });
  }),

  must(41, 'A contact is read as a resource with the body that REST has.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    const made = await company.post('/contacts', { phone: freshPhone(), name: 'Lis' }).gives(201);
    const uri = `parley://contacts/${made.id}`;
    const { contents } = await mcp.result(
      'resources/read',
      { uri },
      {
        contents: [{ uri, mimeType: 'application/json', text: someText }],
      },
    );
    expect(JSON.parse(contents[0].text), exactly(made), 'the resource');
    await mcp.error('resources/read', { uri: `parley://contacts/con_${freshWord()}` });
    await company.delete(`/contacts/${made.id}`).givesNothing();
  }),

  must(
    42,
    'A revoked key ends the conversation.',
    { source: 'mcp.md: Protocol', profile: 'full' },
    async ({ companies, operator }) => {
      const company = await companies.shared();
      const { id, api_key: key } = await operator
        .post(`/employees/${company.owner.id}/api_keys`, { name: 'Conformance' })
        .gives(201);
      const mcp = new McpClient(company, { 'X-Api-Key': key });
      await mcp.tool('get_company', {}, { id: company.id });
      await operator.delete(`/api_keys/${id}`).givesNothing();
      const { status } = await mcp.post('tools/list');
      expect(status, 401, 'the status with a revoked key');
    },
  ),
];
