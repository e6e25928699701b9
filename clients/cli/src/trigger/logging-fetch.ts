const BODY_LENGTH_MAX = 500;

/** A `fetch` that shows each request and the status of its response. Headers, which have the credentials, are not shown. */
export function loggingFetch(log: (line: string) => void): typeof fetch {
  return async (input, init = {}) => {
    const body = typeof init.body === 'string' ? ` ${init.body.slice(0, BODY_LENGTH_MAX)}` : '';
    const request = `${init.method ?? 'GET'} ${String(input)}${body}`;
    try {
      const response = await fetch(input, init);
      log(`${request} → ${response.status}`);
      return response;
    } catch (error) {
      log(`${request} → no response`);
      throw error;
    }
  };
}
