import { randomBytes, randomInt } from 'node:crypto';
import { DEMO_ASSISTANT, DEMO_KNOWLEDGE } from './demo-assistant.ts';
import { DEMO_CONTACTS, inThePast, makeHistory } from './demo-history.ts';

/** The demo company and how to act for its owner. */
export interface Demo {
  readonly company_id: string;
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
}

export interface SeedOptions {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** Creates the demo company's history; undefined without a telephone network. */
  readonly sandboxUrl: string | undefined;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

const OWNER = { name: 'Ada Berg', email: 'ada@demo.example' };

const NUMBER = { name: 'Main line', number: '+4571990100', timezone: 'Europe/Copenhagen', language: 'en' };
/** Both begin so; later demo companies have other ones. */
const DEMO_NUMBERS = '+45719901';
const ASSISTANT_NUMBER = { ...NUMBER, name: 'Reception', number: '+4571990101' };

const COWORKERS = [
  { name: 'Bo Lind', email: 'bo@demo.example' },
  { name: 'Freja Holt', email: 'freja@demo.example' },
];

/** Whoever tries it, whenever: somebody is there, and afterwards a voicemail. */
const OPEN_ALWAYS = Array.from({ length: 7 }, (_, day) => ({
  day_of_week: day,
  open: true,
  opening_at: '00:00',
  closing_at: '24:00',
}));
const CLOSED = {
  type: 'VoicemailConfig',
  greeting: 'Thank you for calling. We are closed right now. Please leave a message after the tone.',
};
const NO_ANSWER = {
  type: 'VoicemailConfig',
  greeting: 'Nobody could take your call. Please leave a message after the tone.',
  timeout_secs: 30,
};

/**
 * Creates the demo company with its owner, two coworkers, a business number that is always open, another one that an assistant answers,
 * and a few contacts, with the public and the operator API, and with the sandbox a week of calls and texts.
 * The company is recorded as soon as it exists: an interrupted start must not create a second one.
 */
export async function seedDemo(options: SeedOptions, remember: (demo: Demo) => Promise<void>): Promise<Demo> {
  const { sandboxUrl, signal } = options;
  const create = () => createDemo(options, remember);
  const company = await (sandboxUrl === undefined ? create() : inThePast({ sandboxUrl, signal }, create));
  // Afterwards, because moving the clock would wait for the audio of what it says.
  await createAssistant(options, company).catch((error: Error) => {
    signal.throwIfAborted();
    options.progress(`the demo company has no assistant: ${error.message}`);
  });
  return company.demo;
}

/** The demo company, and who answers its calls. */
interface DemoCompany {
  readonly demo: Demo;
  readonly employeeIds: readonly string[];
}

async function createDemo(options: SeedOptions, remember: (demo: Demo) => Promise<void>): Promise<DemoCompany> {
  const password = randomBytes(9).toString('base64url');
  const { demo, ownerId } = await createCompany(options, OWNER.email, password);
  await remember(demo);
  const { id: numberId, number } = await createNumber(options, demo, NUMBER);
  const call = apiOf(options, demo);
  const slots = `/business_numbers/${numberId}`;
  await isAlwaysOpen(call, numberId);
  for (const contact of DEMO_CONTACTS) await call('POST', '/contacts', contact);
  // The addresses of an earlier demo company are taken.
  const suffix = demo.email === OWNER.email ? '' : `.${randomBytes(3).toString('hex')}`;
  const employeeIds = [ownerId];
  for (const { name, email } of COWORKERS)
    employeeIds.push(
      ((await call('POST', '/employees', { name, email: email.replace('@', `${suffix}@`) })) as { id: string }).id,
    );
  await call('PUT', `${slots}/incoming_call_config`, { type: 'TransferConfig', employee_ids: employeeIds });
  const { sandboxUrl, signal } = options;
  if (sandboxUrl !== undefined) {
    const reply = async (to: string, text: string): Promise<void> =>
      void (await call('POST', `${slots}/messages`, { to, text, idempotency_key: randomBytes(9).toString('hex') }));
    await makeHistory({ sandboxUrl, signal }, { number, employeeIds, reply, request: call }).catch((error: Error) => {
      signal.throwIfAborted();
      options.progress(`the demo company has a shorter history: ${error.message}`);
    });
  }
  return { demo, employeeIds };
}

/** An assistant behind a second number; whom it cannot help reaches everybody. */
async function createAssistant(options: SeedOptions, { demo, employeeIds }: DemoCompany): Promise<void> {
  const call = apiOf(options, demo);
  for (const entry of DEMO_KNOWLEDGE) await call('POST', '/knowledge_entries', entry);
  const targets = [{ name: 'Sales', aliases: ['the shop'], employee_ids: employeeIds }];
  const assistant = await call('POST', '/assistants', { ...DEMO_ASSISTANT, transfer_targets: targets });
  const { id } = await createNumber(options, demo, ASSISTANT_NUMBER);
  await isAlwaysOpen(call, id);
  await call('PUT', `/business_numbers/${id}/incoming_call_config`, {
    type: 'AssistantConfig',
    assistant_id: (assistant as { id: string }).id,
    fallback: { type: 'TransferConfig', employee_ids: employeeIds },
  });
}

async function isAlwaysOpen(call: Api, numberId: string): Promise<void> {
  const slots = `/business_numbers/${numberId}`;
  await call('PUT', `${slots}/outside_business_hours_config`, { ...CLOSED, business_hours: OPEN_ALWAYS });
  await call('PUT', `${slots}/no_answer_config`, NO_ANSWER);
}

type Api = (method: Method, path: string, body?: object) => Promise<unknown>;

/** The public API, as the owner. */
function apiOf(options: SeedOptions, demo: Demo): Api {
  return async (method, path, body) => {
    const headers = { 'x-api-key': demo.api_key };
    const answer = await request(method, `${options.baseUrl}/api/v1${path}`, headers, body, options);
    if (answer.status >= 300)
      throw new Error(`${path} of the demo company was refused: ${answer.status} ${answer.text}`);
    return answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown);
  };
}

/** The database may have been changed or removed since the demo company was recorded. */
export async function demoExists(demo: Demo, { baseUrl, signal }: SeedOptions): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/v1/contacts?limit=1`, { headers: { 'x-api-key': demo.api_key }, signal });
  await answer.body?.cancel();
  return answer.status !== 401;
}

async function createCompany(
  options: SeedOptions,
  email: string,
  password: string,
): Promise<{ demo: Demo; ownerId: string }> {
  const company = { name: 'Demo Company', country: 'DK', messaging_enabled: true };
  const answer = await operate('/companies', { ...company, owner: { name: OWNER.name, email, password } }, options);
  if (answer.status === 201) {
    const created = JSON.parse(answer.text) as { company: { id: string }; owner: { id: string }; api_key: string };
    const demo = { company_id: created.company.id, email, password, api_key: created.api_key };
    return { demo, ownerId: created.owner.id };
  }
  // A database that is older than the data directory may have this employee already, with an unknown password.
  if (answer.status === 422 && email === OWNER.email) {
    return createCompany(options, `ada.${randomBytes(3).toString('hex')}@demo.example`, password);
  }
  throw new Error(`the demo company was refused: ${answer.status} ${answer.text}`);
}

async function createNumber(
  options: SeedOptions,
  demo: Demo,
  details: typeof NUMBER,
): Promise<{ id: string; number: string }> {
  const answer = await operate(`/companies/${demo.company_id}/business_numbers`, details, options);
  if (answer.status === 201) return JSON.parse(answer.text) as { id: string; number: string };
  // An earlier demo company has it.
  if (answer.status === 422 && details.number.startsWith(DEMO_NUMBERS)) {
    return createNumber(options, demo, { ...details, number: `+457199${randomInt(1000, 10_000)}` });
  }
  throw new Error(`the demo company's number was refused: ${answer.status} ${answer.text}`);
}

function operate(path: string, body: object, options: SeedOptions) {
  const authorization = `Bearer ${options.operatorToken}`;
  return request('POST', `${options.operatorUrl}/operator/v1${path}`, { authorization }, body, options);
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

async function request(
  method: Method,
  url: string,
  headers: Record<string, string>,
  body: object | undefined,
  { signal }: SeedOptions,
) {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
  return { status: answer.status, text: await answer.text() };
}
