import { context, createContextKey } from '@opentelemetry/api';

const actorTypes = ['employee', 'app', 'operator', 'system'] as const;

/**
 * An employee, an app for an employee (an OAuth token), the operator, or a service for itself. The id and the name of an app's
 * actor are those of the employee; the app is its credential.
 */
export type ActorType = (typeof actorTypes)[number];

/** The credential with which the actor was authenticated. */
export interface ActorCredential {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

/** The author of a change. Names and the address are personal data: they belong in events, not in logs and traces. */
export interface Actor {
  readonly type: ActorType;
  readonly id: string;
  readonly name: string;
  readonly credential?: ActorCredential | undefined;
  /** The client's network address. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

const ACTOR = createContextKey('parley actor');
const TEXT_LENGTH_MAX = 500;

/** Runs work on behalf of an actor; whatever it awaits keeps the actor. */
export function runAs<Result>(actor: Actor, work: () => Result): Result {
  return context.with(context.active().setValue(ACTOR, actor), work);
}

/** On whose behalf the current work is done; undefined outside of a request, which is the system's own work. */
export function currentActor(): Actor | undefined {
  return context.active().getValue(ACTOR) as Actor | undefined;
}

/** An actor from data of another process; undefined when it is none. */
export function actorFrom(value: unknown): Actor | undefined {
  const { type, id, name, credential, address, requestId } = record(value);
  const known = actorTypes.find((one) => one === type);
  if (known === undefined) return undefined;
  const { type: credentialType, id: credentialId, name: credentialName } = record(credential);
  return {
    type: known,
    id: text(id) ?? '',
    name: text(name) ?? '',
    ...(text(credentialType) && {
      credential: { type: text(credentialType)!, id: text(credentialId) ?? '', name: text(credentialName) ?? '' },
    }),
    ...(text(address) && { address: text(address) }),
    ...(text(requestId) && { requestId: text(requestId) }),
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, TEXT_LENGTH_MAX) : undefined;
}
