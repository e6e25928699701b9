import { expect, it } from '@jest/globals';
import { sessionRequests } from './session-requests.ts';

const request = (path: string, body?: string) =>
  new Request(`http://parley.example${path}`, body === undefined ? {} : { method: 'PUT', body });
const answer = (status: number) => new Response(null, { status });

it('a request that was sent before the session was renewed is sent again when it is, with its body', async () => {
  let session = 'old';
  const renewed = Promise.withResolvers<void>();
  const sent: string[] = [];
  const { send, sendRenewing } = sessionRequests(async (one) => {
    sent.push(`${new URL(one.url).pathname} ${await one.text()}`.trim());
    if (one.url.endsWith('/password')) {
      await renewed.promise;
      session = 'new';
      return answer(200);
    }
    return answer(session === 'new' ? 200 : 401);
  });
  const renewal = sendRenewing(request('/password', 'secret'));
  const other = send(request('/calls', 'note'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent).toEqual(['/password secret', '/calls note']);
  renewed.resolve();
  expect((await renewal).status).toBe(200);
  expect((await other).status).toBe(200);
  expect(sent).toEqual(['/password secret', '/calls note', '/calls note']);
});

it('a request without a session is refused after one more attempt, and any other failure at once', async () => {
  const statuses = [401, 401, 500];
  const { send } = sessionRequests(() => Promise.resolve(answer(statuses.shift()!)));
  expect((await send(request('/calls'))).status).toBe(401);
  expect((await send(request('/calls'))).status).toBe(500);
  expect(statuses).toEqual([]);
});
