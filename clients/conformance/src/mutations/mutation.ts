import type { Area } from '../checks/check.ts';
import type { Made } from '../http/network.ts';
import type { Profile, Target } from '../target.ts';

/** A request as the proxy has read it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The value of a JSON body, else its text. */
  readonly body: unknown;
}

/** An answer as the proxy has read it, and as it passes it on. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The value of a JSON body, else its text. */
  readonly body: unknown;
}

/** What an answer is changed with. */
export interface Exchange {
  readonly request: SeenRequest;
  /** The last successful answer to a request, whoever made it: `GET /api/v1/contacts/con_1`. */
  readonly seen: (request: string) => Answer | undefined;
}

/** A server that breaks one rule: what is changed between it and the checks. */
export interface Mutation {
  /** Begins with the area: `contacts-created-with-200`. */
  readonly id: string;
  /** What the server does wrong, as a whole sentence. */
  readonly sentence: string;
  /** Whose checks must find it. */
  readonly areas: readonly [Area, ...Area[]];
  /** `full` if checks of that profile alone can find it. */
  readonly profile: Profile;
  readonly where: {
    /** Which address: deliveries of webhooks are read at the sandbox. The service by default. */
    readonly at?: 'service' | 'operator' | 'sandbox';
    /** `*` is every method. */
    readonly method: string;
    /** From the root of the address; `:id` is any one part: `/api/v1/contacts/:id`. */
    readonly path: string;
  };
  /** Changes requests on their way to the server: a rule that is ignored. Pure. */
  readonly request?: (request: SeenRequest) => SeenRequest;
  /** Changes answers on their way back. Pure. */
  readonly answer?: (answer: Answer, exchange: Exchange) => Answer;
}

/** The address whose requests a mutation changes, if there is one. */
export function baseOf({ where }: Mutation, target: Target): string | undefined {
  const bases = { service: target.baseUrl, operator: target.operator?.url, sandbox: target.sandboxUrl };
  return bases[where.at ?? 'service'];
}

export function concerns({ where }: Mutation, method: string, path: string): boolean {
  if (where.method !== '*' && where.method !== method) return false;
  const [parts, found] = [where.path.split('/'), path.split('/')];
  return parts.length === found.length && parts.every((part, index) => part.startsWith(':') || part === found[index]);
}

/** Whether one of these requests would be changed. */
export function reaches(mutation: Mutation, made: readonly Made[], target: Target): boolean {
  const base = baseOf(mutation, target);
  return made.some((one) => one.base === base && concerns(mutation, one.method, one.path));
}
