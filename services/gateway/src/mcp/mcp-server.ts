import { context, SpanStatusCode } from '@opentelemetry/api';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Refused } from '@parley/errors';
import { type EmployeePrincipal, withRequestScope } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';
import { z } from 'zod';
import { resourceTemplates, toolForResource } from './resources.ts';
import { failure, type Tool, type ToolCaller, type ToolOutcome } from './tool.ts';

/** As on REST, where an endpoint does not say otherwise. */
const TOOL_TIME_MAX_MS = 15_000;
/** The protocol's code for a resource that there is not. */
const RESOURCE_NOT_FOUND = -32002;

/** The SDK checks a tool call a second time, with a better code for what is wrong. */
const anyToolCall = z.object({ method: z.literal('tools/call'), params: z.unknown().optional() });
const anyResourceRead = z.object({ method: z.literal('resources/read'), params: z.unknown().optional() });

const INSTRUCTIONS =
  'Parley is the business phone system of the employee’s company. Tools act as that employee. Phone numbers are E.164, times ISO 8601 with an offset. Ask the person before you text a customer or move a call.';

export interface McpServerOptions {
  readonly tools: ReadonlyMap<string, Tool<EmployeePrincipal>>;
  /** Throws a refusal when the feature is off for the company. */
  readonly checkFeature: (feature: string, caller: EmployeePrincipal) => Promise<void>;
  readonly telemetry: Telemetry;
}

type Caller = ToolCaller<EmployeePrincipal>;

/** Makes the server of one request: nothing is kept between two, so that any gateway answers any of them. */
export function mcpServers({ tools, checkFeature, telemetry }: McpServerOptions): (caller: Caller) => Server {
  async function call(name: string, tool: Tool<EmployeePrincipal>, given: Record<string, unknown>, caller: Caller) {
    const { requestId } = caller;
    const scope = { deadline: Date.now() + (tool.timeLimitMs ?? TOOL_TIME_MAX_MS), requestId };
    return telemetry.tracer.startActiveSpan(`tools/call ${name}`, async (span) => {
      span.setAttributes({ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name });
      const outcome = await context.with(withRequestScope(context.active(), scope), run);
      if (!outcome.ok && outcome.defect !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        telemetry.log.error({ request_id: requestId, tool: name, err: outcome.defect }, 'tool failed');
      }
      span.end();
      return outcome;
    });

    async function run(): Promise<ToolOutcome> {
      try {
        // First: while a feature is off there is nothing to have a rule that an argument could break.
        if (tool.feature !== undefined) await checkFeature(tool.feature, caller.context);
      } catch (error) {
        return failure(error, undefined, requestId);
      }
      return tool.call(given, caller);
    }
  }

  async function isOffered(tool: Tool<EmployeePrincipal>, isOn: (feature: string) => Promise<boolean>) {
    return tool.feature === undefined || isOn(tool.feature);
  }

  function featuresOf(caller: Caller): (feature: string) => Promise<boolean> {
    const known = new Map<string, Promise<boolean>>();
    return (feature) => {
      const asked =
        known.get(feature) ??
        checkFeature(feature, caller.context).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Refused) return false;
            throw error;
          },
        );
      known.set(feature, asked);
      return asked;
    };
  }

  return (caller) => {
    const server = new Server(
      { name: 'parley', title: 'Parley', version: '1.0.0' },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler(ListToolsRequestSchema, async () => {
      const isOn = featuresOf(caller);
      const offered = await Promise.all([...tools.values()].map((tool) => isOffered(tool, isOn)));
      const definitions = [...tools.values()].filter((_, index) => offered[index]).map(({ definition }) => definition);
      return { tools: definitions as ListToolsResult['tools'] };
    });
    server.setRequestHandler(anyToolCall, async (request): Promise<CallToolResult> => {
      const params = request.params as CallToolRequest['params'];
      const tool = tools.get(params.name);
      if (!tool) throw new McpError(ErrorCode.InvalidParams, 'Unknown tool');
      const outcome = await call(params.name, tool, params.arguments ?? {}, caller);
      const content = [{ type: 'text' as const, text: outcome.text }];
      return outcome.ok ? { content, structuredContent: { ...outcome.result } } : { content, isError: true };
    });
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
    server.setRequestHandler(anyResourceRead, async (request) => {
      const read = ReadResourceRequestSchema.safeParse(request);
      if (!read.success) throw new McpError(ErrorCode.InvalidParams, 'Invalid resources/read request');
      const { uri } = read.data.params;
      const named = toolForResource(uri);
      const tool = named && tools.get(named.tool);
      if (!tool) throw new McpError(RESOURCE_NOT_FOUND, 'Resource not found');
      const outcome = await call(named.tool, tool, { id: named.id }, { ...caller, itemsMax: Infinity });
      if (!outcome.ok) throw new McpError(RESOURCE_NOT_FOUND, outcome.text);
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(outcome.result) }] };
    });
    return server;
  };
}
