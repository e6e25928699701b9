import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { content, empty, endpoint, HttpError, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { ToolCaller } from './tool.ts';

/** The longest that a tool may take. */
const TIME_LIMIT_MS = 31_000;
/** Headers that the transport looks at; what a client accepts is not asked, as on REST. */
const ACCEPTED = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** The messages of a batch run at the same time. */
const BATCH_MAX = 50;
const batchTooLong = {
  jsonrpc: '2.0',
  error: { code: ErrorCode.InvalidRequest, message: `A batch has at most ${BATCH_MAX} messages` },
  id: null,
};

export interface PostMessageOptions {
  readonly serverFor: (caller: ToolCaller<EmployeePrincipal>) => Server;
  /** Counts further requests against the limit; throws when it is reached. */
  readonly countRequests: (caller: EmployeePrincipal, requests: number) => void;
}

export const postMessage = ({ serverFor, countRequests }: PostMessageOptions) =>
  endpoint<EmployeePrincipal>()({
    method: 'post',
    path: '/',
    tag: 'MCP',
    summary: 'Send a message to the MCP server',
    description: 'Streamable HTTP of the Model Context Protocol, without sessions.',
    responses: { 200: 'application/json', 202: null, 400: z.unknown(), 404: z.unknown(), 504: z.unknown() },
    errors: [401, 403],
    timeLimitMs: TIME_LIMIT_MS,
    // However odd an argument is, refusing it is the tool's business; nothing looks into one that is nested.
    jsonLimits: { depth: 20_000, values: 20_000 },
    async handle({ form, request, context, requestId, signal }) {
      // Not checked here: an argument with a character that no store can carry is the tool's to refuse.
      const body = request.body as unknown;
      if (form !== undefined)
        throw new HttpError(415, { error: 'unsupported_media_type', code: 'unsupported_media_type' });
      if (Array.isArray(body) && body.length > 1) {
        if (body.length > BATCH_MAX) return json(400, batchTooLong);
        countRequests(context, body.length - 1);
      }
      const protocolVersion = request.headers['mcp-protocol-version'];
      const headers = {
        ...ACCEPTED,
        ...(typeof protocolVersion === 'string' && { 'mcp-protocol-version': protocolVersion }),
      };
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      const server = serverFor({ context, requestId, signal });
      await server.connect(transport);
      try {
        const asked = new Request('http://parley/mcp', { method: 'POST', headers });
        const given = await Promise.race([
          transport.handleRequest(asked, { parsedBody: body ?? null }),
          unanswered(signal),
        ]);
        if (given === undefined) return json(504, { error: 'timeout' });
        if (given.status === 202) return empty(202);
        if (given.status === 200) return content(200, 'application/json; charset=utf-8', await given.text());
        return json(given.status === 404 ? 404 : 400, await given.json());
      } finally {
        await server.close();
      }
    },
  });

/** A request that its own batch cancels is never answered. */
function unanswered(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const settle = () => resolve(undefined);
    const timer = setTimeout(settle, TIME_LIMIT_MS);
    timer.unref();
    signal.addEventListener('abort', () => (clearTimeout(timer), settle()), { once: true });
  });
}
