import { ConnectionError, HttpClient, Parley, ParleyError, type RecordedEvent } from '@parley/sdk';
import { type Access, openAccess, USER_AGENT, withoutSlash } from '../access.ts';
import type { Context } from '../context.ts';
import { CommandError, ExitCode, wrongUsage } from '../errors.ts';
import { type LocalStack, noSandbox, readLocalStack } from './local-stack.ts';
import { loggingFetch } from './logging-fetch.ts';
import { currentName, scenarios } from './scenarios/scenarios.ts';
import type { EventTest } from './scenario.ts';
import { Stage } from './stage.ts';

export interface TriggerOptions {
  readonly list?: boolean;
  readonly local?: string;
  readonly verbose?: boolean;
  readonly timeout?: string;
}

const WAIT_SECS = 30;
const WAIT_SECS_MAX = 3600;
const END_OF_TIME = '9999-12-31T00:00:00Z';

/** `parley trigger`: makes an event really happen in the company, and shows it. */
export async function trigger(context: Context, named: string | undefined, options: TriggerOptions): Promise<void> {
  const { output } = context;
  if (options.list === true) return listScenarios(context);
  if (named === undefined) throw wrongUsage('which event?', '"parley trigger --list" shows all of them.');
  const type = currentName(named);
  const scenario = Object.hasOwn(scenarios, type) ? scenarios[type] : undefined;
  if (!scenario) throw wrongUsage(`${named} cannot be triggered`, '"parley trigger --list" shows what can be.');
  const limitMs = 1000 * readTimeout(options.timeout);
  const stack = await readLocalStack(options.local, context.system.env);
  const fetchWith = options.verbose === true ? loggingFetch((line) => output.note(line)) : undefined;
  const { parley } = await accessTo(context, stack, fetchWith);
  await requireSandbox(stack, context.system.signal);
  const { signal } = context.system;
  const { id: companyId } = await parley.company.get({ signal });
  const { nextCursor } = await parley.events.list({ from: END_OF_TIME, limit: 1 }, { signal });
  const stage = new Stage({ stack, parley, companyId, fetch: fetchWith, limitMs, signal });
  try {
    output.note(scenario.description);
    const isIt = await scenario.run(stage);
    output.json(await awaitEvent(parley, { type, after: nextCursor!, isIt, limitMs, signal }));
  } finally {
    for (const left of await stage.clean()) output.note(`left behind: ${left}`);
  }
}

function listScenarios({ output }: Context): void {
  const entries = Object.entries(scenarios).map(([event, { description }]) => ({ event, description }));
  if (output.isJson) output.json(entries);
  else for (const { event, description } of entries) output.text(`${event}\n    ${description}`);
}

function readTimeout(text: string | undefined): number {
  if (text === undefined) return WAIT_SECS;
  const secs = Number(text);
  if (/^\d+$/.test(text) && secs >= 1 && secs <= WAIT_SECS_MAX) return secs;
  throw wrongUsage(`--timeout is a number of seconds from 1 to ${WAIT_SECS_MAX}`);
}

/** As whom: the key of the environment, whoever is signed in at this stack, or the owner of its demo company. */
async function accessTo(
  context: Context,
  stack: LocalStack,
  fetchWith: typeof fetch | undefined,
): Promise<Pick<Access, 'parley'>> {
  const { env } = context.system;
  const { baseUrl, demoKey } = stack;
  const options = { userAgent: USER_AGENT, ...(fetchWith && { fetch: fetchWith }) };
  if (env['PARLEY_API_KEY']) {
    requireItsStack(stack, env['PARLEY_BASE_URL']);
    return { parley: new Parley({ baseUrl, apiKey: env['PARLEY_API_KEY'], ...options }) };
  }
  const signedIn = await context.profile.read();
  if (signedIn && sameService(signedIn.base_url, baseUrl)) return openAccess(context, { fetch: fetchWith });
  if (demoKey !== undefined) {
    requireItsStack(stack, env['PARLEY_BASE_URL']);
    return { parley: new Parley({ baseUrl, apiKey: demoKey, ...options }) };
  }
  requireItsStack(stack, signedIn?.base_url);
  return openAccess(context, { fetch: fetchWith });
}

function sameService(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function requireItsStack({ baseUrl }: LocalStack, wanted: string | undefined): void {
  if (wanted && !sameService(wanted, baseUrl)) throw noSandbox(`${wanted} has none; the stack is ${baseUrl}`);
}

async function requireSandbox({ sandboxUrl }: LocalStack, signal: AbortSignal): Promise<void> {
  const client = new HttpClient({ baseUrl: sandboxUrl, maxRetries: 0, timeoutMs: 5000, userAgent: USER_AGENT });
  try {
    await client.request('GET', '/clock', { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof ParleyError)) throw error;
    throw noSandbox(`${sandboxUrl} ${error instanceof ConnectionError ? 'does not answer' : 'is no sandbox'}`);
  }
}

interface Awaited {
  readonly type: string;
  /** From before the scenario began. */
  readonly after: string;
  readonly isIt: EventTest;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

async function awaitEvent(parley: Parley, { type, after, isIt, limitMs, signal }: Awaited): Promise<RecordedEvent> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  for await (const { event } of parley.events.follow({ after, types: [type], signal: limit }))
    if (isIt(event)) return event;
  signal.throwIfAborted();
  throw new CommandError(
    ExitCode.refused,
    `everything was done, but ${type} did not come within ${limitMs / 1000} s`,
    'A busy machine takes longer: --timeout <seconds>.',
  );
}
