import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client';
import { waitForPrompts } from '../business-numbers/wait-for-prompts.ts';
import { newIdempotencyKey, startTexting, type Texting } from '../messages/texting.ts';
import { createTestCompany, operate, send, sharedStack } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Assistant, connectAssistant, mcpUrl } from './assistant.ts';

const base = sharedStack().base_url;
let texting: Texting;
let assistant: Assistant;
beforeAll(async () => {
  texting = await startTexting();
  assistant = await connectAssistant({ 'X-Api-Key': texting.company.apiKey });
});

const rest = async (path: string) => (await texting.company.call('GET', path)).body;
const rpc = (body: unknown, headers: Record<string, string> = {}) =>
  send('POST', mcpUrl().href, { body, headers: { 'X-Api-Key': texting.company.apiKey, ...headers } });
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const READING = ['get_company', 'list_employees', 'get_employee', 'search_contacts', 'get_contact'];
READING.push('list_business_numbers', 'get_business_number', 'explain_route', 'search_calls', 'get_call');
READING.push('get_call_transcript', 'get_active_call', 'list_voicemails', 'get_voicemail');
READING.push('list_inbox', 'get_thread', 'get_text', 'list_text_snippets', 'report_calls', 'list_audit_events');
READING.push('get_live_report', 'report_texts', 'search_texts');
READING.push('list_assistants', 'list_knowledge_entries', 'list_unanswered_questions', 'get_assistant_session');
const CHANGING: string[] = [
  'set_do_not_disturb',
  'create_contact',
  'update_contact',
  'look_up_caller',
  'mark_thread_seen',
];
CHANGING.push('mark_voicemail_listened', 'comment_on_thread', 'update_thread', 'annotate_call', 'pause_recording');
CHANGING.push('create_knowledge_entry', 'update_knowledge_entry');
const REACHING = ['start_transfer', 'complete_transfer', 'cancel_transfer', 'send_text', 'retry_text'];
REACHING.push('call_out', 'hold_call', 'supervise_call', 'take_over_call');
const TEXTING = ['send_text', 'get_text', 'search_texts', 'retry_text', 'list_text_snippets'];

describe('the tool list', () => {
  it('the tool list has every tool with correct annotations, in at most 1,100 bytes each on average', async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools).toHaveLength(READING.length + CHANGING.length + REACHING.length);
    expect(Buffer.byteLength(JSON.stringify({ tools })) / tools.length).toBeLessThan(1100);
    const names = (matching: (tool: any) => unknown) =>
      tools
        .filter(matching)
        .map(({ name }) => name)
        .sort();
    expect(names(({ annotations }) => annotations.readOnlyHint)).toEqual(expect.arrayContaining([...READING].sort()));
    expect(names(({ annotations }) => !annotations.readOnlyHint)).toEqual(
      expect.arrayContaining([...CHANGING, ...REACHING]),
    );
    expect(names(({ annotations }) => annotations.openWorldHint)).toEqual([...REACHING].sort());
    expect(names(({ title, description, outputSchema }) => title && description && outputSchema)).toHaveLength(
      tools.length,
    );
    expect(names(({ name }) => name.includes('delete'))).toEqual([]);
    const sendText: any = tools.find(({ name }) => name === 'send_text');
    expect(sendText.inputSchema.required.sort()).toEqual(['business_number_id', 'idempotency_key', 'text', 'to']);
  });

  it('the tool list leaves texting out while it is off, and calling it is refused', async () => {
    const company = await createTestCompany();
    const other = await connectAssistant({ 'X-Api-Key': company.apiKey });
    const { tools } = await other.client.listTools();
    const listed = tools.map(({ name }) => name);
    expect(listed).toContain('list_inbox');
    expect(listed.filter((name) => TEXTING.includes(name))).toEqual([]);
    for (const name of TEXTING) expect(await other.refused(name)).toEqual({ error: 'not_found' });
  });
});

describe('a tool answers as REST does', () => {
  it('a tool answers about company, employees and numbers as REST does', async () => {
    const { owner } = texting.company;
    const { id } = texting.number;
    await waitForPrompts(texting.company, id);
    expect((await assistant.use('get_company')).structured).toEqual(await rest('/company'));
    expect((await assistant.use('list_employees')).structured).toEqual(await rest('/employees'));
    expect((await assistant.use('get_employee', { id: owner.id })).structured).toEqual(
      await rest(`/employees/${owner.id}`),
    );
    expect((await assistant.use('list_business_numbers')).structured).toEqual(await rest('/business_numbers'));
    expect((await assistant.use('get_business_number', { id })).structured).toEqual(
      await rest(`/business_numbers/${id}`),
    );
    const at = '2026-03-02T10:00:00+01:00';
    expect((await assistant.use('explain_route', { business_number_id: id, at })).structured).toEqual(
      await rest(`/business_numbers/${id}/route_explanation?at=${encodeURIComponent(at)}`),
    );
    const { structured: quiet } = await assistant.use('set_do_not_disturb', { enabled: true });
    expect(quiet).toMatchObject({ id: owner.id, do_not_disturb: true });
    expect((await assistant.use('set_do_not_disturb', { enabled: false, employee_id: owner.id })).structured).toEqual(
      await rest(`/employees/${owner.id}`),
    );
  });

  it('a tool answers about contacts as REST does', async () => {
    const phone = texting.customer();
    const created = await assistant.use('create_contact', { phone, name: 'Åse Jensen', company_name: 'Nordlys' });
    const { id } = created.structured;
    expect(created.structured).toEqual(await rest(`/contacts/${id}`));
    expect(created.text).toContain('Åse Jensen');
    const queries = [{ query: 'ase' }, { query: 'nordl jens' }, { query: phone.slice(3) }, { phone }, {}];
    for (const args of [...queries, { phone, query: 'jensen' }])
      expect((await assistant.use('search_contacts', args)).structured).toEqual({
        contacts: await rest(`/contacts?phone=${encodeURIComponent(phone)}`),
      });
    for (const args of [{ query: 'nobody' }, { phone, query: 'nobody' }])
      expect((await assistant.use('search_contacts', args)).structured).toEqual({ contacts: [] });
    const changed = await assistant.use('update_contact', { id, note: 'Calls on Mondays' });
    expect(changed.structured).toEqual(await rest(`/contacts/${id}`));
    expect((await assistant.use('look_up_caller', { phone })).structured).toMatchObject({
      contact: changed.structured,
    });
    const resource: any = await assistant.client.readResource({ uri: `parley://contacts/${id}` });
    expect(JSON.parse(resource.contents[0].text)).toEqual(changed.structured);
    expect(resource.contents[0].mimeType).toBe('application/json');
    const { resourceTemplates } = await assistant.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'parley://calls/{id}/transcript',
      'parley://contacts/{id}',
    ]);
  });

  it('a tool answers about calls as REST does', async () => {
    expect((await assistant.use('search_calls', { from: '2026-01-01T00:00:00Z' })).structured).toEqual(
      await rest('/calls?started_after=2026-01-01T00:00:00Z'),
    );
    expect((await assistant.use('get_active_call')).structured).toEqual({ call: null });
    expect((await assistant.use('list_voicemails')).structured).toEqual(await rest('/voicemails'));
  });

  it('a tool answers about texts and the inbox as REST does', async () => {
    const to = texting.customer();
    const args = { business_number_id: texting.number.id, to, text: 'Hej', idempotency_key: newIdempotencyKey() };
    const sent = await assistant.use('send_text', args);
    const { id } = sent.structured;
    expect(sent.structured).toEqual((await texting.message(id)).body);
    expect((await assistant.use('send_text', args)).structured).toEqual(sent.structured);
    expect(await texting.submitted(to)).toHaveLength(1);
    expect((await assistant.use('get_text', { id })).structured).toEqual((await texting.message(id)).body);
    expect(await assistant.refused('retry_text', { id, idempotency_key: newIdempotencyKey() })).toMatchObject({
      code: 'not_retryable',
    });

    const from = texting.customer();
    await texting.receive({ from, text: 'Hvornår åbner I?' });
    const thread = await waitUntil(
      async () => {
        const { structured } = await assistant.use('get_thread', { phone: from });
        return structured.items.length > 0 ? structured : undefined;
      },
      { what: 'the text in its thread' },
    );
    expect((await assistant.use('get_thread', { phone: from })).text).toMatch(
      /<(untrusted-[0-9a-f]{8})>Hvornår åbner I\?<\/\1>/,
    );
    const { observed_at: _, ...ofRest } = await rest(`/inbox/${encodeURIComponent(from)}/activity`);
    expect(thread).toMatchObject(ofRest);
    expect((await assistant.use('list_inbox', { unseen: true })).structured).toEqual(await rest('/inbox?unseen=true'));
    // Texts are found a little after their thread shows them.
    const found = await waitUntil(
      async () => {
        const { structured } = await assistant.use('search_texts', { query: 'åbner hvornår', phone: from });
        return structured.messages.length > 0 ? structured.messages : undefined;
      },
      { what: 'the text in the search' },
    );
    expect(found).toMatchObject([
      {
        from,
        highlights: [
          { start: 0, end: 7 },
          { start: 8, end: 13 },
        ],
      },
    ]);
    const seen = await assistant.use('mark_thread_seen', { phone: from, through: thread.observed_at });
    expect(seen.structured).toEqual({});
    expect((await assistant.use('list_inbox', { unseen: true })).structured.threads).toEqual([]);
    const comment = (await assistant.use('comment_on_thread', { phone: from, text: 'Ask the shop' })).structured;
    expect(comment).toMatchObject({ type: 'comment', text: 'Ask the shop', author: { id: texting.company.owner.id } });
    expect((await rest(`/inbox/${encodeURIComponent(from)}/activity`)).items[0]).toEqual(comment);
    expect((await rest('/inbox?unseen=true')).threads).toEqual([]);
    const update = { phone: from, assignee_id: texting.company.owner.id, state: 'done' };
    const updated = (await assistant.use('update_thread', update)).structured;
    expect(updated).toMatchObject({ assignee: { id: texting.company.owner.id }, state: 'done' });
    expect((await rest('/inbox?state=done')).threads).toContainEqual(updated);
    expect((await assistant.use('list_text_snippets')).structured).toEqual({
      text_snippets: await rest('/text_snippets'),
    });
  });

  it('a tool answers as REST does, in pages of the requested size', async () => {
    const company = await createTestCompany();
    const owner = await connectAssistant({ 'X-Api-Key': company.apiKey });
    const phones = ['+4531000001', '+4531000002', '+4531000003'];
    for (const phone of phones) await company.call('POST', '/contacts', { phone, note: 'n'.repeat(9_000) });
    const { structured: first } = await owner.use('search_contacts', { limit: 2 });
    const { structured: second } = await owner.use('search_contacts', { limit: 2, cursor: first.next_cursor });
    expect([...first.contacts, ...second.contacts]).toEqual((await company.call('GET', '/contacts')).body);
    expect(first.contacts).toHaveLength(2);
    expect(second.next_cursor).toBeUndefined();
    for (const limit of [0, 51, 1.5, '5', null, {}])
      expect(await owner.refused('search_contacts', { limit })).toMatchObject({ errors: { limit: expect.anything() } });
    expect(await owner.refused('list_employees', { cursor: 'x' })).toMatchObject({ code: 'validation_failed' });
  });
});

describe('calling out', () => {
  const call_out = () => ({
    name: 'call_out',
    arguments: { business_number_id: texting.number.id, to: texting.customer() },
  });

  it('calling out answers as REST does for a client that cannot ask, and never calls for another employee', async () => {
    const { name, arguments: args } = call_out();
    expect(await assistant.refused(name, { ...args, employee_id: 'emp_x' })).toMatchObject({
      code: 'employee_unavailable',
    });
    expect(await assistant.refused(name, { ...args, to: '12' })).toMatchObject({ errors: { to: expect.anything() } });
  });

  it('calling out asks the person where the client can, and does nothing when they decline', async () => {
    const requestInit = { headers: { 'X-Api-Key': texting.company.apiKey } };
    const client = new CurrentClient(
      { name: 'Asking client', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
    );
    const asked: string[] = [];
    let action: 'accept' | 'decline' | 'cancel' = 'decline';
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action, ...(action === 'accept' && { content: {} }) };
    });
    await client.connect(new CurrentTransport(mcpUrl(), { requestInit }));
    const wanted = call_out();
    const textOf = async () => JSON.parse(((await client.callTool(wanted)) as any).content[0].text);
    expect(await textOf()).toEqual({ error: 'not_confirmed' });
    action = 'cancel';
    expect(await textOf()).toEqual({ error: 'not_confirmed' });
    action = 'accept';
    expect(await textOf()).toMatchObject({ code: 'employee_unavailable' });
    expect(asked).toEqual(Array(3).fill(`Call ${wanted.arguments.to}? Your phone rings first.`));
    // Coworkers are no outside world.
    await client.callTool({ name: 'start_transfer', arguments: { call_id: 'call_x', employee_id: 'emp_x' } });
    expect(asked).toHaveLength(3);
  });
});

describe('a client of the protocol version', () => {
  it.each([
    ['2025-11-25', 'legacy'],
    ['2026-07-28', 'auto'],
  ] as const)('a client of the protocol version %s lists and calls tools', async (version, mode) => {
    const client = new CurrentClient({ name: 'Current client', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { 'X-Api-Key': texting.company.apiKey } };
    await client.connect(new CurrentTransport(mcpUrl(), { requestInit }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools).toEqual((await assistant.client.listTools()).tools);
    const company: any = await client.callTool({ name: 'get_company', arguments: {} });
    expect(company.structuredContent).toEqual(await rest('/company'));
    expect(await client.callTool({ name: 'get_contact', arguments: { id: 'con_x' } })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'delete_contact', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'parley://contacts/con_x' })).rejects.toThrow('not_found');
  });

  it('a client of the protocol version that begins with initialize gets the requested version, and no session', async () => {
    for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const reply = await rpc({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      expect(reply.body.result.protocolVersion).toBe(protocolVersion);
      expect(reply.headers.get('mcp-session-id')).toBeNull();
      expect((await rpc(listTools, { 'Mcp-Protocol-Version': protocolVersion })).status).toBe(200);
    }
  });
});

describe('what is refused', () => {
  it('a tool treats another company’s objects like unknown ones', async () => {
    const other = await startTexting();
    const { body: contact } = await other.company.call('POST', '/contacts', { phone: '+4531000009' });
    const { body: message } = await other.send({
      to: other.customer(),
      text: 'x',
      idempotency_key: newIdempotencyKey(),
    });
    const foreign: [string, Record<string, unknown>][] = [
      ['get_employee', { id: other.company.owner.id }],
      ['set_do_not_disturb', { employee_id: other.company.owner.id, enabled: true }],
      ['get_contact', { id: contact.id }],
      ['update_contact', { id: contact.id, name: 'Mallory' }],
      ['get_business_number', { id: other.number.id }],
      ['explain_route', { business_number_id: other.number.id }],
      ['get_call', { id: 'call_x' }],
      ['get_call_transcript', { id: 'call_x' }],
      ['start_transfer', { call_id: 'call_x', employee_id: other.company.owner.id }],
      ['complete_transfer', { call_id: 'call_x', transfer_id: 'tr_x' }],
      ['cancel_transfer', { call_id: 'call_x', transfer_id: 'tr_x' }],
      ['annotate_call', { id: 'call_x', note: 'x' }],
      ['hold_call', { id: 'call_x', on: true }],
      ['pause_recording', { id: 'call_x', paused: true }],
      ['call_out', { business_number_id: other.number.id, to: '+4520304050' }],
      ['update_thread', { phone: '+4520304051', state: 'done' }],
      ['get_voicemail', { id: 'vm_x' }],
      ['mark_voicemail_listened', { id: 'vm_x' }],
      ['get_text', { id: message.id }],
      ['retry_text', { id: message.id, idempotency_key: 'k' }],
      ['send_text', { business_number_id: other.number.id, to: '+4520304050', text: 'x', idempotency_key: 'k' }],
    ];
    for (const [tool, args] of foreign)
      expect([tool, await assistant.refused(tool, args)]).toEqual([tool, { error: 'not_found' }]);
    const resource = assistant.client.readResource({ uri: `parley://contacts/${contact.id}` });
    await expect(resource).rejects.toMatchObject({ code: -32602 });
  });

  it('a tool treats hostile arguments as plain data', async () => {
    for (const id of [{ $ne: null }, ['x'], 7, null, true])
      expect(await assistant.refused('get_contact', { id })).toMatchObject({ errors: { id: expect.anything() } });
    for (const id of ['', '../contacts', 'x\0', '\ud800', 'x'.repeat(100_000), '__proto__'])
      expect(await assistant.refused('get_contact', { id })).toEqual({ error: 'not_found' });
    expect(await assistant.refused('get_contact')).toMatchObject({ errors: { id: ['is required'] } });
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const deep = await rpc(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_contact","arguments":{"id":${nested}}}}`,
      { 'Content-Type': 'application/json' },
    );
    expect(deep.body.result).toMatchObject({ isError: true });
    expect(await assistant.refused('search_contacts', { query: { $gt: '' } })).toMatchObject({
      errors: { query: ['must be a string'] },
    });
    expect(await assistant.refused('search_calls', { from: 'yesterday' })).toMatchObject({
      errors: { from: expect.anything() },
    });
    expect(await assistant.refused('search_calls', { direction: 'sideways' })).toMatchObject({
      errors: { direction: expect.anything() },
    });
    expect(await assistant.refused('get_thread', { phone: 'nonsense' })).toMatchObject({ code: 'validation_failed' });
    expect(await assistant.refused('send_text', { business_number_id: texting.number.id })).toMatchObject({
      errors: { to: ['is required'], text: ['is required'] },
    });
  });

  it('a request that names no tool, or arguments that are no object, is refused with a JSON-RPC error', async () => {
    const call = (params: unknown) => rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    for (const params of [
      { name: 'delete_contact', arguments: {} },
      { name: 'get_contact', arguments: [] },
      { name: 'get_contact', arguments: 'x' },
      undefined,
    ])
      expect((await call(params)).body).toMatchObject({ id: 1, error: { code: -32602 } });
  });
});

describe('the transport', () => {
  it('the transport is without sessions, and only takes POST', async () => {
    const reply = await rpc(listTools, { 'Mcp-Session-Id': 'unknown' });
    expect([reply.status, reply.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(reply.headers.get('x-request-id')).toBeTruthy();
    for (const method of ['GET', 'DELETE']) {
      const credentials: Record<string, string>[] = [{ 'X-Api-Key': texting.company.apiKey }, {}];
      for (const headers of credentials) {
        const other = await send(method, mcpUrl().href, { headers });
        expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
      }
    }
  });

  it('the transport refuses as REST does what it cannot understand', async () => {
    expect((await rpc('{')).body).toMatchObject({ error: 'unsupported_media_type' });
    const json = { 'Content-Type': 'application/json' };
    expect(await rpc('{', json)).toMatchObject({ status: 400, body: { error: 'invalid_json' } });
    expect(await rpc(' '.repeat(1024 * 1024 + 1), json)).toMatchObject({ status: 413 });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await rpc('a=b', form)).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } });
    expect((await rpc(listTools, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await rpc(listTools, { Origin: 'null' })).status).toBe(403);
    expect((await rpc(listTools, { Origin: base })).status).toBe(200);
  });

  it('the transport refuses a revoked key from the next request on', async () => {
    const created = await operate(sharedStack(), 'POST', `/employees/${texting.company.owner.id}/api_keys`, {
      name: 'Assistant',
    });
    const headers = { 'X-Api-Key': created.body.api_key };
    expect((await rpc(listTools, headers)).status).toBe(200);
    await operate(sharedStack(), 'DELETE', `/api_keys/${created.body.id}`);
    const refused = await rpc(listTools, headers);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});
