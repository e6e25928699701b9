import type { EndpointTrial } from '../endpoint/endpoint-rpcs.ts';
import { type ModelAddress, type ModelClient, ModelError, type ModelFailure, type TokensUsed } from './model-client.ts';
import { toolDefinitions } from './tools.ts';

type TrialError = NonNullable<EndpointTrial['error']>;

/** Longer than a caller is let wait: an admin wants to know how long it takes. */
const LIMIT_MS = 10_000;

const NOTHING: TokensUsed = { inputTokens: 0, outputTokens: 0 };

/** Asks a model for what assistants need of it: a stream that calls a tool. */
export async function testEndpoint(client: ModelClient, address: ModelAddress): Promise<EndpointTrial> {
  const begunAt = performance.now();
  let firstTokenMs: number | null = null;
  const tried = (error: TrialError | null, found: Partial<EndpointTrial> = {}): EndpointTrial => ({
    ok: error === null,
    firstTokenMs,
    streams: false,
    callsTools: false,
    used: NOTHING,
    ...found,
    error,
  });
  try {
    const answer = await client.ask({
      address,
      messages: [
        { role: 'system', content: 'You answer a phone. Call the tool find_person when the caller asks for a person.' },
        { role: 'user', content: 'I would like to speak with Anna Jensen, please.' },
      ],
      tools: toolDefinitions(['find_person']),
      firstTokenMs: LIMIT_MS,
      nextTokenMs: LIMIT_MS,
      totalMs: LIMIT_MS,
      onToken: () => {
        firstTokenMs ??= Math.round(performance.now() - begunAt);
      },
    });
    const found = { streams: answer.isStreamed, callsTools: answer.toolCalls.length > 0, used: answer.used };
    if (answer.text === '' && !found.callsTools) return tried('invalid_answer', found);
    return tried(found.callsTools ? null : 'no_tools', found);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return tried(trialError(error.reason), { used: error.used });
  }
}

function trialError(reason: ModelFailure): TrialError {
  switch (reason) {
    case 'unreachable':
    case 'unauthorized':
    case 'unknown_model':
    case 'timeout':
      return reason;
    case 'invalid_answer':
    case 'broken_stream':
    case 'too_long':
    case 'aborted':
      return 'invalid_answer';
  }
}
