import { Agent, request as sendRequest } from 'node:http';
import { expect, it } from '@jest/globals';
import { earliestSentAt, listenHttp } from './listen.ts';

it('the earliest moment at which a request was sent is the opening of the connection for its first request, and the arrival for a later one', async () => {
  const times: { earliest: Date; handled: Date }[] = [];
  const listening = await listenHttp((request, response) => {
    times.push({ earliest: earliestSentAt(request), handled: new Date() });
    response.end();
  }, '127.0.0.1:0');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const opened = new Promise<Date>((resolve) => listening.server.once('connection', () => resolve(new Date())));
  const send = () =>
    new Promise<void>((resolve, reject) => {
      const sent = sendRequest({ port: listening.port, host: '127.0.0.1', agent }, (response) => {
        response.resume();
        response.on('end', resolve);
      });
      sent.on('error', reject);
      sent.on('socket', (socket) => {
        // The first request is held back until the clock shows another time than when the connection was opened.
        void opened.then(function endLater(openedAt): void {
          if (times.length > 0 || (socket.readyState === 'open' && new Date() > openedAt)) sent.end();
          else setImmediate(endLater, openedAt);
        });
      });
    });
  await send();
  await send();
  agent.destroy();
  await listening.close();
  expect(times[0]!.earliest.getTime()).toBeLessThan(times[0]!.handled.getTime());
  expect(times[1]!.earliest.getTime()).toBeGreaterThanOrEqual(times[0]!.handled.getTime());
});
