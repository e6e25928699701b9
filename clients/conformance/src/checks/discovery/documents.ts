import { expect, expectThat } from '../../expectations/expect.ts';
import { matching, oneOf, someText } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { ENDPOINTS } from '../endpoints.ts';

const { must } = checksOf('discovery');
const STACK = { source: 'local-stack.md: Two commands', profile: 'api' } as const;
const ROLES = { source: 'people.md: Roles', profile: 'api' } as const;
const DOCUMENTS = { source: 'partner-kit.md: Documents', profile: 'api' } as const;
const OPERATIONS = ['get', 'put', 'post', 'patch', 'delete'];

/** Fixed names of operations. */
const METHODS: Readonly<Record<string, string>> = {
  'GET /contacts': 'contacts.list',
  'POST /contacts': 'contacts.create',
  'GET /contacts/{}': 'contacts.get',
  'PATCH /contacts/{}': 'contacts.update',
  'DELETE /contacts/{}': 'contacts.delete',
  'POST /employees': 'employees.create',
  'DELETE /webhooks/{}': 'webhooks.delete',
  'GET /text_snippets': 'textSnippets.list',
  'PATCH /voicemails/{}': 'voicemails.update',
  'GET /calls/active': 'calls.getActive',
  'POST /calls/{}/transfers': 'calls.transfers.start',
  'POST /calls/{}/transfers/{}/completion': 'calls.transfers.complete',
  'DELETE /calls/{}/transfers/{}': 'calls.transfers.cancel',
  'POST /business_numbers/{}/messages': 'messages.send',
  'POST /messages/{}/retries': 'messages.retry',
  'GET /inbox': 'inbox.list',
  'GET /inbox/{}/activity': 'inbox.activity',
  'PUT /business_numbers/{}/no_answer_config': 'businessNumbers.setNoAnswerConfig',
  'GET /company': 'company.get',
  'GET /caller_context': 'callerContext.get',
  'GET /events': 'events.list',
};
const EVENTS =
  'call.initiated call.outside_business_hours call.queued call.answered call.ended call.lost call.transcription_done voicemail.new voicemail.transcription_done contact.created contact.updated contact.deleted employee.status.changed number.registration_approved number.registration_rejected'.split(
    ' ',
  );

/** The operations below `/api/v1`, by method and path without names of parameters: `GET /contacts/{}`. */
function operationsOf(document: any): Map<string, any> {
  const prefix = '/api/v1';
  const operations = new Map<string, any>();
  for (const [path, item] of Object.entries<any>(document.paths ?? {}))
    for (const [method, operation] of Object.entries(item))
      if (path.startsWith(`${prefix}/`) && OPERATIONS.includes(method))
        operations.set(`${method.toUpperCase()} ${path.slice(prefix.length).replace(/\{\w+\}/g, '{}')}`, operation);
  return operations;
}

export const documentChecks: readonly Check[] = [
  must(20, '`/openapi.json` describes every endpoint of the specification.', STACK, async ({ http }) => {
    const document = await http.get('/openapi.json').gives(200, { openapi: matching(/^3\.1\./) });
    const operations = operationsOf(document);
    const missing = ENDPOINTS.map(([method, path]) => `${method} ${path.replace(/:\w+/g, '{}')}`).filter(
      (endpoint) => !operations.has(endpoint),
    );
    expect(missing, [], 'the endpoints that are not described');
  }),

  must(21, 'Every operation of `/openapi.json` names the role that it requires.', ROLES, async ({ http }) => {
    const operations = operationsOf(await http.get('/openapi.json').gives(200));
    const role = oneOf('member', 'admin', 'owner');
    for (const [name, operation] of operations)
      expect(operation['x-required-role'], role, `\`x-required-role\` of ${name}`);
    for (const [name, required] of [
      ['GET /contacts', 'member'],
      ['GET /company', 'member'],
      ['PATCH /company', 'admin'],
      ['GET /webhooks', 'admin'],
      ['POST /employees', 'admin'],
      ['PATCH /employees/{}', 'member'],
      ['GET /audit_events', 'admin'],
    ])
      expect(operations.get(name!)?.['x-required-role'], required, `\`x-required-role\` of ${name}`);
  }),

  must(22, 'Every operation of `/openapi.json` has a method name that no other has.', DOCUMENTS, async ({ http }) => {
    const operations = operationsOf(await http.get('/openapi.json').gives(200));
    const names = [...operations.values()].map((operation) => operation['x-sdk-method']);
    for (const name of names) expect(name, matching(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/), '`x-sdk-method`');
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(repeated, [], 'the names that are there twice');
    for (const [operation, name] of Object.entries(METHODS))
      expect(operations.get(operation)?.['x-sdk-method'], name, `\`x-sdk-method\` of ${operation}`);
  }),

  must(23, '`/openapi.json` has the events as webhooks.', DOCUMENTS, async ({ http }) => {
    const { webhooks } = await http.get('/openapi.json').gives(200);
    for (const event of EVENTS) expectThat(webhooks?.[event] !== undefined, `the event ${event} is not described`);
  }),

  must(24, '`/asyncapi.json` describes webhooks and the live channel.', DOCUMENTS, async ({ http }) => {
    const document = await http.get('/asyncapi.json').gives(200, {
      asyncapi: '3.0.0',
      channels: { webhooks: { address: null }, cable: { address: '/cable' } },
    });
    const operations = Object.values<any>(document.operations).filter(
      ({ channel }) => channel?.$ref === '#/channels/webhooks',
    );
    expectThat(operations.length >= EVENTS.length, `there are ${operations.length} operations of the channel webhooks`);
    for (const { action } of operations) expect(action, 'send', '`action` of an operation of the channel webhooks');
    for (const event of EVENTS)
      expectThat(JSON.stringify(document).includes(`"${event}"`), `the event ${event} is missing`);
  }),

  must(25, '`/docs/events` is a page about every event, without scripts.', DOCUMENTS, async ({ http }) => {
    const { text } = await http.get('/docs/events').givesHeaders(200, { 'content-type': /^text\/html\b/ });
    for (const event of EVENTS) expectThat(text.includes(event), `the page does not name ${event}`);
    expectThat(!/<script\b/i.test(text), 'the page has a script');
  }),

  must(26, '`/healthz` answers that everything works.', STACK, async ({ http }) => {
    await http.get('/healthz').gives(200);
  }),

  must(
    27,
    'The event types say what they mean and how they were called.',
    { source: 'partner-kit.md: Event log', profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      const { event_types: types } = await company.get('/event_types').gives(200);
      for (const event of EVENTS) {
        const type = types.find(({ name }: { name: string }) => name === event);
        const formerly = event === 'call.outside_business_hours' ? ['call.outside_opening_hours'] : [];
        expect(type, { description: someText, former_names: formerly }, `the type ${event}`);
      }
    },
  ),
];
