import { Failure } from '../../expectations/failure.ts';
import { expect } from '../../expectations/expect.ts';
import type { Shape } from '../../expectations/shapes.ts';
import { ApiClient } from '../../http/api-client.ts';
import type { Reply } from '../../http/reply.ts';

/** A client of the Model Context Protocol that knows only its messages: JSON-RPC over HTTP, answered as JSON or as a stream of events. */
export class McpClient {
  readonly http: ApiClient;

  /** As who `client` is. */
  constructor(client: ApiClient, headers: Readonly<Record<string, string>> = client.headers) {
    this.http = new ApiClient(client.network, client.base, '', {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-06-18',
      ...headers,
    });
  }

  /** The HTTP answer to a request. */
  async post(method: string, params: unknown = {}): Promise<Reply> {
    return await this.http.post('/mcp', { jsonrpc: '2.0', id: 1, method, params });
  }

  /** The result of a request, of this shape. */
  async result(method: string, params: unknown, shape: Shape = {}): Promise<any> {
    const message = await this.#message(method, params);
    if (message.error !== undefined)
      throw new Failure(`${method} was answered with the error ${JSON.stringify(message.error)}`);
    expect(message.result, shape, `the result of ${method}`);
    return message.result;
  }

  /** The JSON-RPC error that a request must be answered with. */
  async error(method: string, params: unknown): Promise<void> {
    const message = await this.#message(method, params);
    if (message.error === undefined)
      throw new Failure(`${method} was answered with ${JSON.stringify(message.result)} instead of an error`);
  }

  /** What a tool answers; its `structuredContent`. */
  async tool(name: string, args: object, shape: Shape = {}): Promise<any> {
    const result = await this.result('tools/call', { name, arguments: args });
    if (result.isError) throw new Failure(`the tool ${name} refused: ${textOf(result)}`);
    expect(result.structuredContent, shape, `what ${name} answers`);
    return result.structuredContent;
  }

  /** A tool that must refuse with these words in its text. */
  async refuses(name: string, args: object, words: string): Promise<void> {
    const result = await this.result('tools/call', { name, arguments: args });
    const text = textOf(result);
    if (result.isError !== true) throw new Failure(`the tool ${name} did not refuse: ${text}`);
    if (!text.includes(words)) throw new Failure(`the tool ${name} refused with "${text}", without "${words}"`);
  }

  async tools(): Promise<any[]> {
    const { tools } = await this.result('tools/list', {});
    return tools;
  }

  async #message(method: string, params: unknown): Promise<any> {
    const reply = await this.post(method, params);
    if (reply.body !== undefined) return reply.body;
    const data = reply.text.split('\n').filter((line) => line.startsWith('data:'));
    const messages = data.map((line) => JSON.parse(line.slice('data:'.length)));
    const message = messages.find(({ id }) => id === 1);
    if (!message) throw new Failure(`${method} was answered with ${reply.status} ${reply.text}`);
    return message;
  }
}

function textOf({ content = [] }: { content?: { text?: string }[] }): string {
  return content.map(({ text }) => text ?? '').join('\n');
}
