import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sharedStack } from '../support/api.ts';

export interface ToolReply {
  readonly isError: boolean;
  readonly structured: any;
  readonly text: string;
}

/** An assistant that uses the stock client of the SDK. */
export interface Assistant {
  readonly client: Client;
  use(tool: string, args?: Record<string, unknown>): Promise<ToolReply>;
  /** The body of a refusal. */
  refused(tool: string, args?: Record<string, unknown>): Promise<any>;
}

export const mcpUrl = (stack = sharedStack()) => new URL(`${stack.base_url}/mcp`);

export async function connectAssistant(headers: Record<string, string>, url = mcpUrl()): Promise<Assistant> {
  const client = new Client({ name: 'Test assistant', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return assistantOf(client);
}

export function assistantOf(client: Client): Assistant {
  async function use(tool: string, args: Record<string, unknown> = {}): Promise<ToolReply> {
    const reply: any = await client.callTool({ name: tool, arguments: args });
    return { isError: reply.isError ?? false, structured: reply.structuredContent, text: reply.content[0].text };
  }
  return {
    client,
    use,
    async refused(tool, args) {
      const reply = await use(tool, args);
      if (!reply.isError || reply.structured !== undefined) throw new Error(`${tool} was not refused: ${reply.text}`);
      return JSON.parse(reply.text);
    },
  };
}
