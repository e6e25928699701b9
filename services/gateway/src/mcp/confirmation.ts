import { createHash } from 'node:crypto';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Tool } from './tool.ts';

/** Bounds the question, because its numbers and names come from the assistant. */
const QUESTION_LENGTH_MAX = 300;

/**
 * Asks the person who uses the assistant before a tool reaches somebody outside: the question, or the refusal once they
 * have declined. Undefined when they have accepted, when nobody has to be asked, and for a client that cannot ask.
 */
export function confirmation(
  { definition: { name }, confirm }: Pick<Tool<never>, 'definition' | 'confirm'>,
  given: Readonly<Record<string, unknown>>,
  { envelope, inputResponses }: Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses'>,
): InputRequiredResult | CallToolResult | undefined {
  const texts = Object.entries(given).filter(
    (argument): argument is [string, string] => typeof argument[1] === 'string',
  );
  const question = confirm?.(Object.fromEntries(texts));
  const { [CLIENT_CAPABILITIES_META_KEY]: client } = (envelope ?? {}) as Record<string, ClientCapabilities | undefined>;
  const elicitation = client?.elicitation;
  // A client that names no kind of question asks in forms.
  const canAsk = elicitation && (elicitation.form !== undefined || elicitation.url === undefined);
  if (question === undefined || !canAsk) return undefined;
  // An answer counts for these arguments only, also when the client repeats the call with others.
  const key = createHash('sha256')
    .update(JSON.stringify([name, given]))
    .digest('base64url')
    .slice(0, 22);
  const answer = inputResponses?.[key] as { action?: unknown } | undefined;
  if (answer?.action === 'accept') return undefined;
  if (answer !== undefined)
    return { content: [{ type: 'text', text: JSON.stringify({ error: 'not_confirmed' }) }], isError: true };
  const message = question.slice(0, QUESTION_LENGTH_MAX).toWellFormed();
  const requestedSchema = { type: 'object' as const, properties: {} };
  return inputRequired({ inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) } });
}
