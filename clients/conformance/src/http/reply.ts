import { Failure } from '../expectations/failure.ts';
import { mismatch, type Shape, shown } from '../expectations/shapes.ts';

/** A response, read to its end. */
export interface Reply {
  /** Method and address, for messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The value, where it is JSON. */
  readonly body: any;
}

/** What a refusal must say; what is left out is not looked at. */
export interface Refusal {
  /** The field that `errors` names: a 422 with the code `validation_failed`, unless `code` says otherwise. */
  readonly field?: string;
  readonly code?: string;
  /** The value of `error`. */
  readonly error?: string;
}

/** A request on its way: `await` it for the reply as it is, or say what must come. */
export class PendingReply extends Promise<Reply> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The body of a reply with this status, and of this shape. */
  async gives(status: number, shape?: Shape): Promise<any> {
    const reply = await this;
    requireStatus(reply, status);
    if (shape !== undefined) requireShape(reply, shape);
    return reply.body;
  }

  /** A reply with this status and these headers, each a text or a regular expression. */
  async givesHeaders(status: number, headers: Readonly<Record<string, string | RegExp>>): Promise<Reply> {
    const reply = await this;
    requireStatus(reply, status);
    for (const [name, expected] of Object.entries(headers)) {
      const value = reply.headers.get(name);
      const holds = value !== null && (typeof expected === 'string' ? value === expected : expected.test(value));
      if (!holds) throw failed(reply, `has ${name}: ${value ?? 'nothing'} instead of ${expected}`);
    }
    return reply;
  }

  /** A reply without a body, 204 unless another status is given. */
  async givesNothing(status = 204): Promise<void> {
    const reply = await this;
    requireStatus(reply, status);
    if (reply.text !== '') throw failed(reply, 'has a body instead of none');
  }

  /** A refusal in the form that all errors have; its body. */
  async isRefused(status: number, refusal: Refusal = {}): Promise<any> {
    const reply = await this;
    requireStatus(reply, status);
    const { field, error } = refusal;
    const code = refusal.code ?? (field === undefined ? undefined : 'validation_failed');
    if (typeof reply.body?.error !== 'string') throw failed(reply, 'has no text `error`');
    if (error !== undefined) requireShape(reply, { error });
    if (code !== undefined) requireShape(reply, { code });
    if (code !== undefined && code !== 'validation_failed' && status !== 422) requireShape(reply, { error: code });
    if (field === undefined) return reply.body;
    const problems: unknown = reply.body.errors?.[field];
    if (!Array.isArray(problems) || problems.length === 0 || problems.some((problem) => typeof problem !== 'string'))
      throw failed(reply, `does not name the field ${field} in \`errors\` with a list of messages`);
    return reply.body;
  }

  /** The one answer for unknown and foreign ids. */
  async isNotFound(): Promise<void> {
    await this.isRefused(404, { error: 'not_found' });
  }
}

function requireStatus(reply: Reply, status: number): void {
  if (reply.status !== status) throw failed(reply, `was answered with ${reply.status} instead of ${status}`);
}

function requireShape(reply: Reply, shape: Shape): void {
  const problem = mismatch(reply.body, shape, 'body');
  if (problem !== undefined) throw failed(reply, `is wrong: ${problem}`);
}

function failed(reply: Reply, problem: string): Failure {
  const id = reply.headers.get('x-request-id');
  const body = reply.text === '' ? '' : `; it was ${shown(reply.body ?? reply.text)}`;
  return new Failure(`the answer to ${reply.request} ${problem}${body}${id === null ? '' : ` (request ${id})`}`);
}
