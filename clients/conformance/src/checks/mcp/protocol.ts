import { expect, expectThat } from '../../expectations/expect.ts';
import { anything, listOf, someText } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { McpClient } from './mcp.ts';

const { must } = checksOf('mcp');
const PROTOCOL = { source: 'mcp.md: Protocol', profile: 'api' } as const;
const TOOLS = { source: 'mcp.md: Tools', profile: 'api' } as const;

const ALWAYS = [
  'get_company',
  'list_employees',
  'get_employee',
  'set_do_not_disturb',
  'search_contacts',
  'get_contact',
  'create_contact',
  'update_contact',
  'look_up_caller',
  'list_business_numbers',
  'get_business_number',
  'explain_route',
  'search_calls',
  'get_call',
  'get_call_transcript',
  'get_active_call',
  'start_transfer',
  'complete_transfer',
  'cancel_transfer',
  'list_voicemails',
  'get_voicemail',
  'mark_voicemail_listened',
  'list_inbox',
  'get_thread',
  'mark_thread_seen',
];
const OF_MESSAGES = ['send_text', 'get_text', 'retry_text', 'list_text_snippets'];

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'conformance', version: '1.0.0' },
};

export const protocolChecks: readonly Check[] = [
  must(
    1,
    'A client is told the version and what the server can do, and gets no session.',
    PROTOCOL,
    async ({ companies }) => {
      const mcp = new McpClient(await companies.shared());
      await mcp.result('initialize', INITIALIZE, {
        protocolVersion: someText,
        capabilities: { tools: anything, resources: anything },
        serverInfo: { name: someText },
      });
      const reply = await mcp.post('initialize', INITIALIZE);
      expect(reply.headers.get('mcp-session-id'), null, 'the id of a session');
    },
  ),

  must(2, 'A session that nobody has given out is ignored.', PROTOCOL, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company, { ...company.headers, 'Mcp-Session-Id': freshWord() });
    await mcp.tool('get_company', {}, { id: company.id });
  }),

  must(3, 'There is neither a stream to read nor a session to delete.', PROTOCOL, async ({ companies }) => {
    const { http } = new McpClient(await companies.shared());
    await http.get('/mcp').givesHeaders(405, { allow: /\bPOST\b/ });
    await http.delete('/mcp').givesHeaders(405, { allow: /\bPOST\b/ });
  }),

  must(4, 'Without a credential a client is told where to get one.', PROTOCOL, async ({ companies, target }) => {
    const company = await companies.shared();
    const document = `${target.baseUrl}/.well-known/oauth-protected-resource/mcp`;
    const challenge = `Bearer error="invalid_token", resource_metadata="${document}"`;
    const credentials: Record<string, string>[] = [
      {},
      { 'X-Api-Key': `pk_${freshWord()}` },
      { Authorization: `Bearer ${freshWord()}` },
    ];
    for (const headers of credentials) {
      const { http } = new McpClient(company, headers);
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      await http.post('/mcp', list).givesHeaders(401, { 'www-authenticate': challenge });
    }
  }),

  must(5, 'A page of another origin is refused.', PROTOCOL, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company, { ...company.headers, Origin: 'https://evil.example' });
    const { status } = await mcp.post('tools/list');
    expect(status, 403, 'the status for another origin');
  }),

  must(6, 'What is no JSON-RPC is answered as on REST.', PROTOCOL, async ({ companies }) => {
    const { http } = new McpClient(await companies.shared());
    await http
      .post('/mcp', 'hello', { 'Content-Type': 'text/plain' })
      .isRefused(415, { error: 'unsupported_media_type' });
    await http
      .post('/mcp', `{"jsonrpc": "2.0", "id": 1, "method": "${'x'.repeat(1_100_000)}"}`, {
        'Content-Type': 'application/json',
      })
      .isRefused(413, { error: 'payload_too_large' });
  }),

  must(
    7,
    'An unknown tool, or arguments that are no object, are errors of the protocol.',
    PROTOCOL,
    async ({ companies }) => {
      const mcp = new McpClient(await companies.shared());
      await mcp.error('tools/call', { name: 'explode', arguments: {} });
      await mcp.error('tools/call', { name: 'get_company', arguments: 'none' });
      await mcp.error('nobody/knows', {});
    },
  ),

  must(8, 'The tools of the specification are there.', TOOLS, async ({ companies }) => {
    const names = (await new McpClient(await companies.shared()).tools()).map(({ name }) => name);
    const missing = ALWAYS.filter((name) => !names.includes(name));
    expect(missing, [], 'the tools that are missing');
  }),

  must(9, 'Every tool says what it is, takes and gives.', TOOLS, async ({ companies }) => {
    const tools = await new McpClient(await companies.shared()).tools();
    expect(
      tools,
      listOf({
        name: someText,
        title: someText,
        description: someText,
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        annotations: anything,
      }),
      'the tools',
    );
  }),

  must(10, 'The annotations of tools are honest.', TOOLS, async ({ companies }) => {
    const tools = await new McpClient(await companies.shared()).tools();
    const hintsOf = (tool: string) => tools.find(({ name }) => name === tool)?.annotations;
    for (const name of [
      'get_company',
      'list_employees',
      'search_contacts',
      'get_call',
      'list_voicemails',
      'list_inbox',
    ])
      expect(hintsOf(name), { readOnlyHint: true }, `the annotations of ${name}`);
    for (const name of ['look_up_caller', 'create_contact', 'set_do_not_disturb', 'start_transfer', 'mark_thread_seen'])
      expectThat(hintsOf(name)?.readOnlyHint !== true, `${name} says that it only reads`);
  }),

  must(11, 'No tool deletes.', TOOLS, async ({ companies }) => {
    const names = (await new McpClient(await companies.shared()).tools()).map(({ name }) => name);
    expect(
      names.filter((name) => /delete|remove|erase|revoke/.test(name)),
      [],
      'the tools that delete',
    );
  }),

  must(12, 'Without texting there are no tools for texts.', { ...TOOLS, profile: 'full' }, async ({ companies }) => {
    const [without, texting] = [
      new McpClient(await companies.shared()),
      new McpClient(await companies.shared({ messaging: true })),
    ];
    const namesOf = async (mcp: McpClient) => (await mcp.tools()).map(({ name }) => name);
    const found = await namesOf(without);
    expect(
      OF_MESSAGES.filter((name) => found.includes(name)),
      [],
      'the tools for texts of a company that may not text',
    );
    const others = await namesOf(texting);
    expect(
      OF_MESSAGES.filter((name) => !others.includes(name)),
      [],
      'the tools that a company that may text lacks',
    );
    const result = await without.post('tools/call', { name: 'list_text_snippets', arguments: {} });
    expectThat(/"isError":\s*true|"error"/.test(result.text), `the tool was not refused: ${result.text}`);
  }),

  must(13, 'Calls and contacts can be read as resources.', TOOLS, async ({ companies }) => {
    const company = await companies.shared();
    const mcp = new McpClient(company);
    const { resourceTemplates } = await mcp.result(
      'resources/templates/list',
      {},
      {
        resourceTemplates: listOf({ uriTemplate: someText, name: someText }),
      },
    );
    const templates = resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate).toSorted();
    for (const template of ['parley://calls/{id}/transcript', 'parley://contacts/{id}'])
      expectThat(templates.includes(template), `${template} is not among ${templates.join(', ')}`);
  }),
];
