import { ServerError } from '../errors.ts';

/** The largest response of the API, all contacts of a large company, is half of it. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;

/** The body of a response as text; a body that is too large is an error, before it is in memory. */
export async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) {
      // Its result does not matter: the connection is given up.
      reader.cancel().catch(() => undefined);
      throw new ServerError(`the response is larger than ${RESPONSE_BYTES_MAX} bytes`, { status: response.status });
    }
    text += decoder.decode(value, { stream: true });
  }
}
