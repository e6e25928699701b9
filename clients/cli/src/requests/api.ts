import { type ApiResponse, ParleyError } from '@parley/sdk';
import { openAccess } from '../access.ts';
import type { Context } from '../context.ts';
import { CommandError, ExitCode } from '../errors.ts';
import type { Output } from '../output/output.ts';
import { type ApiInput, type ApiOptions, readApiInput } from './request-input.ts';

/** `parley api`: any request, and what the service responds. */
export async function api(context: Context, method: string, path: string, options: ApiOptions): Promise<void> {
  const { output, system } = context;
  const input = await readApiInput(method, path, options, system);
  const { parley } = await openAccess(context);
  const { signal } = system;
  const { query, headers, body } = input;
  try {
    if (options.paginate === true)
      await showPages(output, parley.pages(input.path, { query, headers, signal }), options.include === true);
    else {
      const response = await parley.request(input.method, input.path, { query, headers, body, signal });
      show(output, response, options.include === true);
    }
  } catch (error) {
    showRefusal(output, error, input, options.include === true);
    throw error;
  }
}

function show(
  output: Output,
  { status, headers, body }: Pick<ApiResponse, 'status' | 'headers' | 'body'>,
  withHead: boolean,
): void {
  if (withHead) showHead(output, status, headers);
  showBody(output, body);
}

function showHead(output: Output, status: number, headers: Headers): void {
  output.line(`HTTP ${status}`);
  for (const [name, value] of headers) output.line(`${name}: ${value}`);
  output.line('');
}

function showBody(output: Output, body: unknown): void {
  if (body === undefined) return;
  if (typeof body === 'string') output.text(body);
  else output.json(body);
}

/** The body of a refusal is a result, too: programs read it. */
function showRefusal(output: Output, error: unknown, { method }: ApiInput, withHead: boolean): void {
  if (!(error instanceof ParleyError) || error.status === undefined) return;
  if (withHead && error.headers) showHead(output, error.status, error.headers);
  if (method !== 'HEAD') showBody(output, error.body === '' ? undefined : error.body);
}

/** The items of all pages as one list. */
async function showPages(output: Output, pages: AsyncIterable<ApiResponse>, withHead: boolean): Promise<void> {
  let isFirst = true;
  for await (const page of pages) {
    const items = itemsOf(page.body);
    if (withHead && isFirst) showHead(output, page.status, page.headers);
    output.items(items, isFirst ? 'first' : 'more');
    isFirst = false;
  }
  output.items([], 'end');
}

function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const lists = Object.values(typeof body === 'object' && body !== null ? body : {}).filter(Array.isArray);
  if (lists.length === 1) return lists[0] as unknown[];
  throw new CommandError(ExitCode.refused, 'the response is no list', 'Leave --paginate out.');
}
