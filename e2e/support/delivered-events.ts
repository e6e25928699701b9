import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { sandbox, succeeded } from './api.ts';
import type { LocalJson } from './local-stack.ts';

/** The document that partners have. */
const asyncApi = JSON.parse(readFileSync(new URL('../../services/gateway/asyncapi.json', import.meta.url), 'utf8'));

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly event: string };
}

/** The problem of an event that a webhook has received; undefined when it is as `asyncapi.json` describes it, without further fields. */
export type CheckEvent = (delivery: Delivery) => string | undefined;

export function eventChecker(): CheckEvent {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(closed({ components: asyncApi.components }), 'asyncapi');
  const checks = new Map<string, ValidateFunction>();
  for (const name of Object.keys(asyncApi.channels.webhooks.messages)) {
    const path = `asyncapi#/components/messages/${name}`;
    const validate = ajv.compile({
      type: 'object',
      properties: { body: { $ref: `${path}/payload` }, headers: { $ref: `${path}/headers` } },
    });
    checks.set(name, validate);
    const former: string[] = asyncApi.components.messages[name]['x-former-names'] ?? [];
    former.forEach((one) => checks.set(one, renamed(validate, name)));
  }
  return ({ headers, body }) => {
    const validate = checks.get(body.event);
    if (!validate) return `${body.event} is no event`;
    return validate({ headers, body }) ? undefined : `${body.event}: ${ajv.errorsText(validate.errors)}`;
  };
}

/** Checks what has been delivered to every receiver of the sandbox; throws for what is not as described. */
export async function checkDeliveredEvents(stack: LocalJson): Promise<void> {
  const check = eventChecker();
  const problems = new Set<string>();
  const { body: hooks } = await succeeded(sandbox(stack, 'GET', '/hooks'));
  for (const { name } of hooks as { name: string }[]) {
    const { body } = await succeeded(sandbox(stack, 'GET', `/hooks/${encodeURIComponent(name)}`));
    for (const delivery of body as Delivery[]) {
      // Tests send other things to receivers as well.
      if (!delivery.headers['user-agent']?.startsWith('Parley-Webhooks/')) continue;
      const problem = check(delivery);
      if (problem !== undefined) problems.add(problem);
    }
  }
  if (problems.size > 0) throw new Error(`events that asyncapi.json does not describe:\n${[...problems].join('\n')}`);
}

/** The event of a subscription to its former name. */
function renamed(validate: ValidateFunction, event: string): ValidateFunction {
  const check = (given: { body: object }) => validate({ ...given, body: { ...given.body, event } });
  return check as unknown as ValidateFunction;
}

/** The same schemas without room for further fields in payloads; in requests, proxies add header fields. */
function closed<Value>(value: Value, key = ''): Value {
  if (Array.isArray(value)) return value.map((one) => closed(one)) as Value;
  if (typeof value !== 'object' || value === null || key === 'headers') return value;
  const entries = Object.entries(value).map(([name, one]) => [name, closed(one, name)]);
  const { type, properties, additionalProperties } = value as Record<string, unknown>;
  if (type === 'object' && properties && additionalProperties === undefined)
    entries.push(['additionalProperties', false]);
  return Object.fromEntries(entries) as Value;
}
