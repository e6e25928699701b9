import { randomInt } from 'node:crypto';
import { HttpClient, NotFoundError, Parley, ParleyError } from '@parley/sdk';
import { USER_AGENT } from '../access.ts';
import { CommandError, ExitCode } from '../errors.ts';
import type { LocalStack } from './local-stack.ts';
import { until } from './until.ts';

/** Somebody who takes calls. */
export interface Phone {
  readonly id: string;
  readonly name: string;
}

/** A business number that exists for one trigger. */
export interface Line {
  readonly id: string;
  readonly number: string;
}

/** A customer's call. */
export interface DialledCall {
  readonly legId: string;
  readonly callId: string;
}

export interface StageOptions {
  readonly stack: LocalStack;
  readonly parley: Parley;
  readonly companyId: string;
  readonly fetch: typeof fetch | undefined;
  /** Of each step. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

type Body = Record<string, unknown>;

/** So that nobody takes it for a number of the company. */
const NAME = 'Parley trigger';
const TRIES_MAX = 5;
const CLEANING_LIMIT_MS = 10_000;
/** A time limit of its own: a voice is made, and speaks in real time. */
const SPEAKING_MS = 60_000;
const ALWAYS = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day_of_week: day, opening_at: '00:00', closing_at: '24:00' }));

/** What a scenario needs to happen: the API, the sandbox and the operator API. What it makes for itself is removed at the end. */
export class Stage {
  readonly parley: Parley;
  readonly sandbox: HttpClient;
  readonly companyId: string;
  readonly limitMs: number;
  readonly #options: StageOptions;
  #signal: AbortSignal;
  readonly #cleaning: { readonly what: string; readonly clean: () => Promise<unknown> }[] = [];

  constructor(options: StageOptions) {
    const { stack, parley, companyId, limitMs, signal } = options;
    const connection = { userAgent: USER_AGENT, ...(options.fetch && { fetch: options.fetch }) };
    this.#options = options;
    this.parley = parley;
    this.companyId = companyId;
    this.limitMs = limitMs;
    this.#signal = signal;
    this.sandbox = new HttpClient({ baseUrl: stack.sandboxUrl, timeoutMs: SPEAKING_MS, ...connection });
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  /** Removed at the end, in the reverse order. */
  later(what: string, clean: () => Promise<unknown>): void {
    this.#cleaning.push({ what, clean });
  }

  /** Resolves to what could not be removed. */
  async clean(): Promise<string[]> {
    const left: string[] = [];
    // Also after Ctrl-C.
    this.#signal = new AbortController().signal;
    for (const { what, clean } of this.#cleaning.splice(0).toReversed()) {
      const isClean = () =>
        clean().then(
          () => true,
          (error: unknown) => error instanceof NotFoundError,
        );
      // A number or an employee may be busy for a moment after a call.
      const patience = { limitMs: CLEANING_LIMIT_MS, signal: this.#signal };
      await until(what, isClean, patience).catch(() => left.push(what));
    }
    return left;
  }

  until<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
    return until(what, look, { limitMs: this.limitMs, signal: this.signal });
  }

  /** A call of the operator API. */
  async operate(method: string, path: string, body?: unknown): Promise<Body> {
    const { stack, fetch: fetchWith } = this.#options;
    const { operatorUrl: baseUrl, operatorToken: token } = stack;
    if (baseUrl === undefined || token === undefined)
      throw new CommandError(
        ExitCode.refused,
        'this event needs the operator API, and local.json has no operator_url or operator_token',
      );
    const client = new HttpClient({ baseUrl, token, userAgent: USER_AGENT, ...(fetchWith && { fetch: fetchWith }) });
    const response = await client.request<Body>(method, `/operator/v1${path}`, { body, signal: this.signal });
    return response.body ?? {};
  }

  async play<Result = Body>(method: string, path: string, body?: unknown): Promise<Result> {
    return (await this.sandbox.request<Result>(method, path, { body, signal: this.signal })).body;
  }

  /** An employee whose phone is on line. */
  async employee(): Promise<Phone> {
    const { id, name } = await this.newEmployee();
    await this.goOnline({ id, name });
    return { id, name };
  }

  async newEmployee(): Promise<Phone> {
    const email = `parley-trigger.${randomDigits(10)}@example.com`;
    const { id, name } = await this.parley.employees.create({ name: NAME, email }, { signal: this.signal });
    this.later(`the employee ${id}`, () => this.parley.employees.delete(id));
    return { id, name };
  }

  async goOnline({ id }: Phone): Promise<void> {
    await this.play('PUT', `/phones/${id}`, { online: true });
    this.later(`the phone of ${id}`, () => this.sandbox.request('PUT', `/phones/${id}`, { body: { online: false } }));
    const status = async () => (await this.parley.employees.get(id, { signal: this.signal })).status;
    await this.until('an employee who is available', async () => (await status()) === 'available');
  }

  /** The API as an employee: some of it is only for who talks. */
  async asEmployee({ id }: Phone): Promise<Parley> {
    const { api_key: apiKey } = await this.operate('POST', `/employees/${id}/api_keys`, { name: NAME });
    const { stack, fetch: fetchWith } = this.#options;
    return new Parley({
      baseUrl: stack.baseUrl,
      apiKey: String(apiKey),
      userAgent: USER_AGENT,
      ...(fetchWith && { fetch: fetchWith }),
    });
  }

  /** A business number with a flow for its calls, open around the clock or, with a flow for then, closed. */
  async line(flow: object, { closed, registration }: { closed?: object; registration?: string } = {}): Promise<Line> {
    const line = await this.#newLine(flow, registration);
    const hours = ALWAYS.map((day) => ({ ...day, open: closed === undefined }));
    const whenClosed = { ...(closed ?? { type: null }), business_hours: hours };
    const { signal } = this;
    await this.parley.request('PUT', `/business_numbers/${line.id}/outside_business_hours_config`, {
      body: whenClosed,
      signal,
    });
    const read = () => this.parley.businessNumbers.get(line.id, { signal });
    // A caller would wait for the words, too.
    await this.until('the prompts of the number', async () => !hasSilentPrompt(await read()));
    return line;
  }

  async #newLine(flow: object, registration: string | undefined): Promise<Line> {
    for (let tries = 1; ; tries++) {
      const number = `+457${randomDigits(7)}`;
      const details = { number, name: NAME, timezone: 'Europe/Copenhagen', language: 'en', incoming_call_config: flow };
      try {
        const { id } = await this.operate('POST', `/companies/${this.companyId}/business_numbers`, {
          ...details,
          ...(registration !== undefined && { registration_status: registration }),
        });
        this.later(`the number ${number}`, () => this.operate('DELETE', `/business_numbers/${String(id)}`));
        return { id: String(id), number };
      } catch (error) {
        if (!isTaken(error) || tries === TRIES_MAX) throw error;
      }
    }
  }

  /** A customer calls. */
  async dial({ number }: Line, from: string = this.customer()): Promise<DialledCall> {
    const { leg_id: legId } = await this.play<{ leg_id: string }>('POST', '/calls', { from, to: number });
    this.later('the call', () => this.sandbox.request('POST', `/legs/${legId}/hangup`));
    const leg = () => this.play<{ call_id: string | null }>('GET', `/legs/${legId}?wait=false`);
    const callId = await this.until('the call at the service', async () => (await leg()).call_id ?? undefined);
    return { legId, callId };
  }

  hangUp({ legId }: DialledCall): Promise<unknown> {
    return this.play('POST', `/legs/${legId}/hangup`);
  }

  async answer({ id }: Phone): Promise<void> {
    const phone = () => this.play<{ legs: { state: string }[] }>('GET', `/phones/${id}`);
    await this.until('the ringing of a phone', async () =>
      (await phone()).legs.some(({ state }) => state === 'ringing'),
    );
    await this.play('POST', `/phones/${id}/answer`, {});
  }

  /** The customer speaks; a machine that has just started may be too busy at first. */
  async say({ legId }: DialledCall, text: string): Promise<void> {
    await this.until('the voice of the customer', () =>
      this.play('POST', `/legs/${legId}/say`, { text }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ParleyError && (error.status ?? 0) >= 500) return false;
          throw error;
        },
      ),
    );
  }

  async state({ callId }: DialledCall, state: string): Promise<void> {
    const read = () => this.parley.calls.get(callId, { signal: this.signal });
    await this.until(`a call that is ${state}`, async () => (await read()).state === state);
  }

  /** A number that nobody has. */
  customer(): string {
    return `+4520${randomDigits(6)}`;
  }
}

export function isTaken(error: unknown): boolean {
  return (
    error instanceof ParleyError &&
    Object.values(error.fields).some((texts) => texts.includes('has already been taken'))
  );
}

function randomDigits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}

/** True when a prompt has no audio yet. */
function hasSilentPrompt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(fields).some(
    ([name, field]) =>
      hasSilentPrompt(field) ||
      (name.endsWith('_audio_url') && field === null && typeof fields[name.replace('_audio_url', '')] === 'string'),
  );
}
