import { z } from 'zod';
import type { EndpointResponse, Chunk, StreamResponse } from '../responses/response.ts';
import type { ResponseShape, Endpoint } from './endpoint.ts';

/**
 * Verifies a response against its declaration: throws for an undeclared status, a wrong body or an undeclared field.
 * For tests and the local stack; in production the type checker is sufficient.
 */
export function checkResponse<Context>(endpoint: Endpoint<Context>, response: EndpointResponse): EndpointResponse {
  const fail = (why: string) => new Error(`${endpoint.method} ${endpoint.path} responded ${response.status}: ${why}`);
  if (!(response.status in endpoint.responses)) throw fail('a status it does not declare');
  const shape = endpoint.responses[response.status] as ResponseShape;
  if (shape === null) {
    if (response.kind !== 'empty') throw fail('a body where it declares none');
    return response;
  }
  if (response.kind === 'empty') throw fail('no body where it declares one');
  if (response.kind === 'stream') return shape instanceof z.ZodType ? checkedStream(response, shape, fail) : response;
  if (!(shape instanceof z.ZodType)) {
    if (response.kind === 'json') throw fail(`JSON where it declares ${shape}`);
    return response;
  }
  if (response.kind !== 'json') throw fail('no JSON where it declares JSON');
  // Checks the form that the client receives: without undefined, with dates as text.
  checkBody(shape, JSON.parse(JSON.stringify(response.body) ?? 'null'), fail);
  return response;
}

function checkBody(shape: z.ZodType, body: unknown, fail: (why: string) => Error): void {
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw fail(z.prettifyError(parsed.error));
  const extra = undeclaredField(body, parsed.data, '');
  if (extra !== undefined) throw fail(`the field ${extra} is not declared`);
}

/** A parsed object lacks the fields that its schema does not have. */
function undeclaredField(given: unknown, parsed: unknown, path: string): string | undefined {
  if (typeof given !== 'object' || given === null || typeof parsed !== 'object' || parsed === null) return undefined;
  for (const [key, value] of Object.entries(given)) {
    const at = `${path}/${key}`;
    if (!Object.hasOwn(parsed, key)) return at;
    const extra = undeclaredField(value, (parsed as Record<string, unknown>)[key], at);
    if (extra !== undefined) return extra;
  }
  return undefined;
}

/** Passes a stream on and checks all of it before its last chunk, so that an invalid one ends with an error. */
function checkedStream(response: StreamResponse, shape: z.ZodType, fail: (why: string) => Error): StreamResponse {
  async function* checked(): AsyncGenerator<Chunk> {
    const decoder = new TextDecoder();
    let text = '';
    let held: Chunk | undefined;
    for await (const chunk of response.stream) {
      if (held !== undefined) yield held;
      held = chunk;
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    }
    checkBody(shape, JSON.parse(text), fail);
    if (held !== undefined) yield held;
  }
  return { ...response, stream: checked() };
}
