type Send = (request: Request) => Promise<Response>;

/**
 * Requests with the session's cookie. A request that was sent just before the browser got another session, by a new password or a
 * second factor, is answered 401 although somebody is signed in: it is sent once more, when that is over.
 */
export function sessionRequests(fetch: Send): {
  readonly send: Send;
  /** For what may give the browser another session. */
  readonly sendRenewing: Send;
} {
  const renewing = new Set<Promise<Response>>();
  return {
    async send(request) {
      const again = request.clone();
      const response = await fetch(request);
      if (response.status !== 401) return response;
      await Promise.allSettled(renewing);
      return fetch(again);
    },
    async sendRenewing(request) {
      const sent = fetch(request);
      renewing.add(sent);
      try {
        return await sent;
      } finally {
        renewing.delete(sent);
      }
    },
  };
}
