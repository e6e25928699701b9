/** The address and credentials of an OpenAI-compatible API. */
export interface EndpointOptions {
  /** Up to and including the version, such as `https://api.example.com/v1`. */
  readonly url: string;
  readonly apiKey?: string | undefined;
}

export interface Endpoint {
  /** The bytes of the answer. Fails for any status but 2xx. */
  post(path: string, body: object | FormData, signal: AbortSignal): Promise<Buffer>;
  postForJson(path: string, body: object | FormData, signal: AbortSignal): Promise<unknown>;
}

/** Ten minutes of CD audio; no valid response is longer. */
const ANSWER_BYTES_MAX = 100 << 20;
const COMPLAINT_LENGTH_MAX = 300;

export function openEndpoint({ url, apiKey }: EndpointOptions): Endpoint {
  const base = url.replace(/\/+$/, '');

  async function post(path: string, body: object | FormData, signal: AbortSignal): Promise<Buffer> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: {
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        ...(!isForm && { 'Content-Type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
      // A key must not be sent to the target of a redirect.
      redirect: 'error',
      signal,
    });
    const answer = await readAll(response);
    if (!response.ok) {
      throw new Error(`${path} answered ${response.status}: ${answer.toString('utf8', 0, COMPLAINT_LENGTH_MAX)}`);
    }
    return answer;
  }

  return {
    post,
    postForJson: async (path, body, signal) => JSON.parse((await post(path, body, signal)).toString('utf8')),
  };
}

async function readAll(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
